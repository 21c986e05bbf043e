//! The kill matrix in JSON.

use retryproof_models::mutants::Trial;
use retryproof_properties::PropertyId;
use serde::Serialize;

use crate::evidence::kill_matrix::KillMatrix;

/// What `mutants` found.
#[derive(Serialize)]
pub struct Trials {
    properties: Vec<&'static str>,
    mutants: Vec<Tried>,
    survivors: Vec<&'static str>,
    idle_properties: Vec<&'static str>,
    missed: Vec<&'static str>,
    not_tried: Vec<&'static str>,
}

#[derive(Serialize)]
struct Tried {
    id: &'static str,
    about: &'static str,
    must_be_caught_by: &'static str,
    killed_by: Vec<&'static str>,
    shortest: Option<usize>,
    kills: Vec<Kill>,
    states: usize,
}

#[derive(Serialize)]
struct Kill {
    property: &'static str,
    length: usize,
}

impl Trials {
    /// The matrix of these trials.
    pub fn new(matrix: &KillMatrix) -> Self {
        Trials {
            properties: PropertyId::ALL
                .iter()
                .map(|property| property.id())
                .collect(),
            mutants: matrix.trials.iter().map(Tried::from).collect(),
            survivors: matrix.survivors().map(|trial| trial.mutant.id()).collect(),
            idle_properties: matrix.idle_properties().map(PropertyId::id).collect(),
            missed: matrix.missed().map(|trial| trial.mutant.id()).collect(),
            not_tried: matrix.not_tried.clone(),
        }
    }
}

impl From<&Trial> for Tried {
    fn from(trial: &Trial) -> Self {
        Tried {
            id: trial.mutant.id(),
            about: trial.mutant.about(),
            must_be_caught_by: trial.mutant.must_be_caught_by.id(),
            killed_by: trial
                .kills
                .iter()
                .map(|(property, _)| property.id())
                .collect(),
            shortest: trial.kills.iter().map(|(_, run)| run.len()).min(),
            kills: trial
                .kills
                .iter()
                .map(|(property, run)| Kill {
                    property: property.id(),
                    length: run.len(),
                })
                .collect(),
            states: trial.states,
        }
    }
}
