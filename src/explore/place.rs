//! The place of a run in Stateright's explorer: it names a state by the path to it, as
//! positions among the actions that are possible in each state.

use retryproof_models::world::World;
use stateright::Model;

use super::explored::Explored;
use super::form::Form;

/// A path through a model: position of the initial state, then of each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place(Vec<usize>);

impl Place {
    /// The path through these states of the world, the initial one left out; `None` if the
    /// model has no such path.
    pub(super) fn of<F: Form>(
        model: &Explored<F>,
        states: impl IntoIterator<Item = <F::World as World>::State>,
    ) -> Option<Place> {
        let mut place = vec![0];
        let mut state = model.init_states().into_iter().next()?;
        for wanted in states {
            let mut actions = Vec::new();
            model.actions(&state, &mut actions);
            let mut nexts = actions
                .into_iter()
                .map(|action| model.next_state(&state, action))
                .enumerate();
            let (action, next) = nexts.find_map(|(action, next)| {
                Some((action, next.filter(|next| next.flat() == wanted)?))
            })?;
            place.push(action);
            state = next;
        }
        Some(Place(place))
    }

    /// The part of a link to the state after so many steps that stands behind the address.
    pub fn fragment(&self, steps: usize) -> String {
        let path = self.0.iter().take(steps + 1);
        let path: Vec<String> = path.map(ToString::to_string).collect();
        format!("#/steps/{}", path.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_goes_as_far_as_the_steps() {
        let place = Place(vec![0, 3, 1]);
        assert_eq!(place.fragment(0), "#/steps/0");
        assert_eq!(place.fragment(2), "#/steps/0/3/1");
    }
}
