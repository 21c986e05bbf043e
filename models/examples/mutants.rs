use retryproof_models::{checking::*, mutants};
fn main() {
    for m in mutants::ALL {
        let l = Limits {
            max_states: 3_000_000,
            ..Limits::default()
        };
        let t = std::time::Instant::now();
        let r = mutants::try_out(m, &l, &Silent);
        println!(
            "{:32} must {:26} {} states {} {:.2}s killed by {:?}",
            m.id(),
            m.must_be_caught_by.id(),
            if r.kills.iter().any(|k| k.0 == m.must_be_caught_by) {
                "OK "
            } else {
                "NOT"
            },
            r.states,
            t.elapsed().as_secs_f64(),
            r.kills
                .iter()
                .map(|(p, r)| (p.id(), r.len()))
                .collect::<Vec<_>>()
        );
    }
}
