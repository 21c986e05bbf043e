//! The defect museum: each published fault that these worlds can show is caught, and the
//! same world with only the repair upholds what caught it.

use retryproof_properties::PropertyId;

use crate::defects::{self, Defect, Exhibit};

use super::Claim;

const MUSEUM: &str = "museum";

pub(super) fn claims() -> Vec<Claim> {
    defects::all().flat_map(claims_of).collect()
}

fn claims_of(defect: &'static Defect) -> Vec<Claim> {
    let Exhibit::Caught {
        faulty,
        caught_by,
        repaired,
    } = &defect.exhibit
    else {
        return Vec::new();
    };
    let properties = listed(caught_by);
    vec![
        Claim::refuted(
            defect.id,
            MUSEUM,
            format!("Where {}, {properties} hold", defect.title),
            *faulty,
            caught_by,
        )
        .from(defect.source),
        Claim::holds(
            defect.repaired_id(),
            MUSEUM,
            format!(
                "Repaired, the fault \"{}\" is gone: {properties} hold",
                defect.title
            ),
            *repaired,
            caught_by,
        )
        .from(defect.source),
    ]
}

fn listed(properties: &[PropertyId]) -> String {
    let ids: Vec<_> = properties.iter().map(|property| property.id()).collect();
    ids.join(", ")
}
