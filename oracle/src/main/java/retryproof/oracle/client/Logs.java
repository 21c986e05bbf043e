package retryproof.oracle.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import retryproof.oracle.log.LogSettings;
import retryproof.oracle.log.ManualTime;
import retryproof.oracle.log.Partition;
import retryproof.oracle.log.Workspace;

/** The logs of all brokers. A world that comes later gets those again that nothing was done to. */
final class Logs {
    private final Workspace workspace;
    private final Map<Place, Kept> kept = new HashMap<>();

    private record Place(int broker, int partition) {
    }

    private record Kept(Partition log, int expiryMs, Replica user) {
    }

    Logs() throws IOException {
        workspace = Workspace.create();
    }

    /** Empty logs: for each broker one of each partition. */
    List<List<Replica>> open(Settings settings) throws IOException {
        List<List<Replica>> brokers = new ArrayList<>();
        for (int broker = 0; broker < settings.brokers(); broker++) {
            List<Replica> partitions = new ArrayList<>();
            for (int partition = 0; partition < settings.partitions(); partition++) {
                partitions.add(open(new Place(broker, partition), settings));
            }
            brokers.add(partitions);
        }
        return brokers;
    }

    private Replica open(Place place, Settings settings) throws IOException {
        Kept before = kept.remove(place);
        Partition log;
        if (before != null && before.expiryMs() == settings.expiryMs()) {
            log = before.log();
            if (before.user().hasChanged()) {
                log.recreate();
            }
        } else {
            if (before != null) {
                before.log().close();
            }
            LogSettings defaults = LogSettings.defaults();
            log = Partition.open(workspace, Topic.partition(place.partition()),
                new LogSettings(settings.expiryMs(), defaults.timestampType(), defaults.segmentBytes(),
                    defaults.timestampBeforeMaxMs(), defaults.verifyTransactions()),
                new ManualTime());
        }
        Replica replica = new Replica(log, settings);
        kept.put(place, new Kept(log, settings.expiryMs(), replica));
        return replica;
    }
}
