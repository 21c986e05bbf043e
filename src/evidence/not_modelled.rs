//! What is in no model. The README and the report tell it in the same words.

/// What is in no model, each in Markdown of which no more than backticks is used.
pub const NOT_MODELLED: &[&str] = &[
    "Transactions: markers, coordinators, fencing by a transactional id, and KIP-890's \
     verification. One published fault of it (`kafka-14561`) is shown by its effect on a producer \
     without transactions.",
    "Retention and compaction: no record is ever taken out of a log. What retention does to \
     producer state is an expiry.",
    "Restarts of producers: a new process with a new id is another producer, and what its \
     predecessor left over is nobody's.",
    "Several batches in one request, and requests for several partitions: a request holds one \
     batch.",
    "Batches of more than two records, and so splits into more than two pieces.",
    "More than one fault inside a step. A broker that dies in the middle of an append is one that \
     failed there and restarted.",
    "Real TCP: segments, buffers, half-open connections. A connection is a pair of queues; how \
     late a request of a broken one may arrive has no bound, how many broken ones may deliver has \
     (`--connections`).",
    "Time. A timeout may strike at any moment, so that no verdict rests on how two timeouts \
     compare; back-off, linger and quotas are not there.",
    "Liveness under fairness, but for one property: `every-batch-decided` says that from every \
     state a way is left on which every batch is decided without another fault. How long it \
     takes, or that a producer serves on after it gave up, is not asked.",
    "Clusters beyond three brokers, two partitions and two producers, runs of any length there, a \
     controller that is wrong, brokers that lose their log, `min.insync.replicas` above 1 \
     (`docs/clusters.md`).",
];
