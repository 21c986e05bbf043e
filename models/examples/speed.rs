use retryproof_models::{checking::*, conditions::*, world::*};
use retryproof_properties::PropertyId;
fn main() {
    println!("state {} bytes", std::mem::size_of::<State>());
    for (n, w, c, b) in [(5, 5, 3, 0), (5, 5, 4, 0), (5, 5, 4, 12)] {
        let mut k = Conditions {
            in_flight: n,
            window: w,
            connections: c,
            ..Conditions::KAFKA
        };
        if b > 0 {
            k.batches = Budget::AtMost(b);
        }
        for t in [1, 2] {
            let o = check(
                &k,
                PropertyId::ALL,
                &Limits {
                    threads: t,
                    ..Limits::default()
                },
                &Silent,
            );
            let s = o.seconds - o.exploring_seconds;
            let g = o.counts.generated as f64 / 1e6;
            println!("{n}/{w}/{c} threads {t} unique {} gen {} explore {:.3}s {:.2}M/s survey {:.3}s {:.2}M/s", o.counts.unique, o.counts.generated, o.exploring_seconds, g/o.exploring_seconds, s, g/s);
        }
    }
}
