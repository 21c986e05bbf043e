//! The place of a run in Stateright's explorer: it names a state by the path to it, as
//! positions among the actions that are possible in each state.

use std::net::SocketAddr;

use retryproof_models::checking::Trace;
use retryproof_models::conditions::Conditions;
use retryproof_models::world::{step, FlatWorld, Quiet, State};
use stateright::Model;

/// A path through a model: position of the initial state, then of each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place(Vec<usize>);

impl Place {
    /// The path that a run takes through a model of the world of `conditions`; `None` if
    /// the model has no such path. `flatten` gives the flat form of its states.
    pub fn of_run<M: Model>(
        run: &Trace<FlatWorld>,
        conditions: &Conditions,
        model: &M,
        flatten: impl Fn(&M::State) -> State,
    ) -> Option<Place> {
        let mut place = vec![0];
        let mut state = model.init_states().into_iter().next()?;
        for (index, taken) in run.steps.iter().enumerate() {
            let wanted = step(conditions, run.before(index), taken.action, &mut Quiet);
            let mut actions = Vec::new();
            model.actions(&state, &mut actions);
            let mut nexts = actions
                .into_iter()
                .map(|action| model.next_state(&state, action))
                .enumerate();
            let (action, next) = nexts.find_map(|(action, next)| {
                Some((action, next.filter(|next| flatten(next) == wanted)?))
            })?;
            place.push(action);
            state = next;
        }
        Some(Place(place))
    }

    /// The path that these actions take through a model; `None` if one is not possible.
    pub fn of_actions<M: Model>(
        actions: impl IntoIterator<Item = M::Action>,
        model: &M,
    ) -> Option<Place>
    where
        M::Action: PartialEq,
    {
        let mut place = vec![0];
        let mut state = model.init_states().into_iter().next()?;
        for wanted in actions {
            let mut possible = Vec::new();
            model.actions(&state, &mut possible);
            place.push(possible.iter().position(|action| *action == wanted)?);
            state = model.next_state(&state, wanted)?;
        }
        Some(Place(place))
    }

    /// The link to the state after so many steps.
    pub fn link(&self, address: SocketAddr, steps: usize) -> String {
        format!("http://{address}/{}", self.path(steps))
    }

    /// The part of the link that is the same on every machine.
    pub fn path(&self, steps: usize) -> String {
        let path: Vec<String> = self
            .0
            .iter()
            .take(steps + 1)
            .map(ToString::to_string)
            .collect();
        format!("#/steps/{}", path.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use retryproof_models::checking::{check, Limits, Silent};
    use retryproof_models::network::NetworkKind;
    use retryproof_models::world::{ActorState, ActorWorld, DirectState, DirectWorld};
    use retryproof_properties::PropertyId;

    use super::*;

    const OVERRUN: Conditions = Conditions {
        in_flight: 2,
        window: 1,
        connections: 2,
        ..Conditions::KAFKA
    };

    fn shortest(conditions: &Conditions) -> Trace<FlatWorld> {
        let property = PropertyId::RetryRecognised;
        let outcome = check(conditions, &[property], &Limits::default(), &Silent);
        let found = outcome
            .of(property)
            .and_then(|found| found.counterexample.clone());
        let run = found.expect("more is in flight than the window holds");
        run.one_broker().expect("a world with one broker").clone()
    }

    /// Whether a place leads to a state in which the property is violated.
    fn violates<M: Model>(place: &Place, model: &M, flatten: impl Fn(&M::State) -> State) -> bool {
        let mut state = model.init_states().remove(place.0[0]);
        for index in &place.0[1..] {
            let mut actions = Vec::new();
            model.actions(&state, &mut actions);
            state = model
                .next_state(&state, actions.remove(*index))
                .expect("a next state");
        }
        flatten(&state)
            .violated
            .contains(PropertyId::RetryRecognised)
    }

    #[test]
    fn a_run_on_connections_has_a_place_among_the_actors() {
        let run = shortest(&OVERRUN);
        let model = ActorWorld::new(OVERRUN).expect("a session network");
        let place = Place::of_run(&run, &OVERRUN, &model, ActorState::flatten).expect("a place");
        assert_eq!(place.0.len(), run.len() + 1);
        assert!(violates(&place, &model, ActorState::flatten));
    }

    #[test]
    fn a_run_on_staterights_networks_has_a_place_too() {
        for network in [
            NetworkKind::Ordered,
            NetworkKind::Unordered,
            NetworkKind::Duplicating,
        ] {
            let conditions = Conditions { network, ..OVERRUN };
            let run = shortest(&conditions);
            let model = DirectWorld::new(conditions).expect("one of Stateright's networks");
            let place =
                Place::of_run(&run, &conditions, &model, DirectState::flatten).expect("a place");
            assert!(violates(&place, &model, DirectState::flatten));
        }
    }

    #[test]
    fn a_link_goes_as_far_as_the_steps() {
        let place = Place(vec![0, 3, 1]);
        let address = SocketAddr::from(([127, 0, 0, 1], 3000));
        assert_eq!(place.link(address, 0), "http://127.0.0.1:3000/#/steps/0");
        assert_eq!(
            place.link(address, 2),
            "http://127.0.0.1:3000/#/steps/0/3/1"
        );
    }
}
