//! Which property catches which mutant.

use retryproof_models::mutants::Trial;
use retryproof_properties::PropertyId;
use serde::Serialize;

use crate::evidence::kill_matrix::KillMatrix;

/// The kill matrix. Sizes are left out: some mutants have no end of states, and where a search
/// is cut depends on the moment.
#[derive(Serialize)]
pub(super) struct Kills {
    mutants: Vec<Mutant>,
    /// Mutants that no property catches.
    survivors: Vec<&'static str>,
    /// Mutants that are caught, but not by the property that must.
    missed: Vec<&'static str>,
    /// Properties that catch no mutant.
    idle_properties: Vec<&'static str>,
    /// Mutants that were not tried.
    not_tried: Vec<&'static str>,
}

#[derive(Serialize)]
struct Mutant {
    id: &'static str,
    about: &'static str,
    must_be_caught_by: &'static str,
    kills: Vec<Kill>,
}

#[derive(Serialize)]
struct Kill {
    property: &'static str,
    /// Steps of the shortest run in which it does.
    steps: usize,
}

impl Kills {
    /// What became of the mutants.
    pub fn of(matrix: &KillMatrix) -> Self {
        let ids = |trials: &mut dyn Iterator<Item = &Trial>| {
            trials.map(|trial| trial.mutant.id()).collect()
        };
        Kills {
            mutants: matrix.trials.iter().map(Mutant::from).collect(),
            survivors: ids(&mut matrix.survivors()),
            missed: ids(&mut matrix.missed()),
            idle_properties: matrix.idle_properties().map(PropertyId::id).collect(),
            not_tried: matrix.not_tried.clone(),
        }
    }
}

impl From<&Trial> for Mutant {
    fn from(trial: &Trial) -> Self {
        let kills = trial.kills.iter();
        Mutant {
            id: trial.mutant.id(),
            about: trial.mutant.about(),
            must_be_caught_by: trial.mutant.must_be_caught_by.id(),
            kills: kills
                .map(|(property, run)| Kill {
                    property: property.id(),
                    steps: run.len(),
                })
                .collect(),
        }
    }
}
