//! Partitions are independent for a client that raises no epoch: what happens on one partition
//! of a world with two is a run of a world that has only this one.
//!
//! The projection on a partition keeps of the client its lane, of its connections the requests
//! and replies for the partition, and the partition's replicas. A step of the world with two is
//! a step of the one with one, or leaves it as it is. The other way round it is not so: the two
//! share the in-flight limit and the order on a connection, so that some runs of one are missing
//! with two. What holds with one partition holds with two.

use retryproof_models::cluster::{Action, Client, ClusterWorld, State};
use retryproof_models::conditions::{Budget, Conditions, FaultsLeft, RestartKeeps};
use retryproof_models::policies::{JAVA_4, STOP};
use retryproof_models::world::{Properties, Quiet, World};

use super::reach::look_at_all;

const TWO: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    partitions: 2,
    batches: Budget::AtMost(2),
    disconnects: Budget::ONE,
    ..Conditions::KAFKA
};

fn project(conditions: &Conditions, state: &State, partition: usize, at_start: &State) -> State {
    let mut own = *state;
    own.shape.partitions = 1;
    let client = state.clients[0];
    own.clients[0] = Client {
        lanes: [client.lanes[partition], at_start.clients[0].lanes[1]],
        leaders: [client.leaders[partition], 0],
        ..client
    };
    let links = &mut own.links[0];
    let live = links.live.iter_mut().map(|link| &mut link.pipe);
    for pipe in live.chain(&mut links.dead) {
        let all = std::mem::take(&mut pipe.requests);
        for parcel in all
            .iter()
            .filter(|parcel| usize::from(parcel.partition) == partition)
        {
            let mut parcel = *parcel;
            parcel.partition = 0;
            pipe.requests.push(parcel);
        }
    }
    for link in &mut links.live {
        let all = std::mem::take(&mut link.replies);
        for answer in all
            .iter()
            .filter(|answer| usize::from(answer.partition) == partition)
        {
            let mut answer = *answer;
            answer.partition = 0;
            link.replies.push(answer);
        }
    }
    links.sort(conditions.connections);
    own.replicas[0] = [state.replicas[0][partition], at_start.replicas[0][1]];
    own.leaderships = [state.leaderships[partition], at_start.leaderships[1]];
    own.notes[0] = [state.notes[0][partition], Default::default()];
    own
}

/// Without what is counted for both together, and what the last step violated.
fn bare(mut state: State) -> State {
    state.left = FaultsLeft::default();
    state.violated = Properties::default();
    state
}

/// The name of an action without what it says of the other partition's wishes.
fn kind(state: &State, action: &Action) -> &'static str {
    match action {
        Action::Read { .. } => "read",
        other => other.kind(state),
    }
}

/// Every step of the world with two is one of each partition's own world, or none of it.
fn independent(conditions: Conditions) -> Result<usize, String> {
    conditions.validate().map_err(|error| error.to_string())?;
    let world = ClusterWorld::new(conditions);
    let alone = ClusterWorld::new(Conditions {
        partitions: 1,
        ..conditions
    });
    let at_start = alone.initial_state();
    look_at_all(&world, |state, possible| {
        let parts = [0, 1].map(|partition| project(&conditions, state, partition, &at_start));
        for action in possible {
            let next = world.step(state, *action, &mut Quiet);
            let mut explained = Properties::default();
            for (partition, part) in parts.iter().enumerate() {
                let found = project(&conditions, &next, partition, &at_start);
                let concerned = action.partition(state);
                let mut own = Vec::new();
                alone.actions(part, &mut own);
                let steps = own
                    .iter()
                    .filter(|own| kind(part, own) == kind(state, action))
                    .map(|own| alone.step(part, *own, &mut Quiet));
                let same = steps.into_iter().find(|step| bare(*step) == bare(found));
                let stays = bare(found) == bare(*part);
                let is_explained = match concerned {
                    Some(other) if other != partition => stays,
                    Some(_) => same.is_some(),
                    None => stays || same.is_some(),
                };
                if !is_explained {
                    return Err(format!(
                        "{action:?} in\n{state:?}\nis no step of partition {partition}:\n{part:?}\nthen\n{found:?}"
                    ));
                }
                if concerned.is_none_or(|concerned| concerned == partition) {
                    explained.0 |= same.map_or(0, |step| step.violated.0);
                }
            }
            if next.violated.0 & !explained.0 != 0 {
                return Err(format!(
                    "{:?} only with both: {action:?} in\n{state:?}",
                    next.violated
                ));
            }
        }
        Ok(())
    })
}

#[test]
fn a_client_that_raises_no_epoch_sees_each_partition_alone() {
    let stop = Conditions {
        client: &STOP,
        ..TWO
    };
    let alone = Conditions {
        connections: 1,
        ..stop
    };
    let worlds = [
        Conditions {
            client: &JAVA_4,
            ..TWO
        },
        stop,
        Conditions {
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::Nothing,
            ..alone
        },
        Conditions {
            refusals_before_append: Budget::ONE,
            ..alone
        },
        Conditions {
            errors_after_append: Budget::ONE,
            delivery_timeouts: Budget::ONE,
            ..alone
        },
    ];
    for conditions in worlds {
        let states =
            independent(conditions).unwrap_or_else(|error| panic!("{conditions}: {error}"));
        println!("{states:>8} states: {conditions}");
    }
}

#[test]
fn one_that_raises_it_does_not() {
    let bumps = Conditions {
        connections: 1,
        refusals_before_append: Budget::ONE,
        ..TWO
    };
    assert!(independent(bumps).is_err());
}
