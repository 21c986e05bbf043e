use retryproof_models::{conditions::*, world::*};
use stateright::{Checker, Model};
fn main() {
    let a: Vec<u8> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    let mut c = Conditions {
        in_flight: a[0],
        window: a[1],
        connections: a[2],
        ..Conditions::KAFKA
    };
    if a.len() > 3 && a[3] > 0 {
        c.batches = Budget::AtMost(a[3]);
    }
    let threads = if a.len() > 4 { a[4] as usize } else { 1 };
    for dfs in [true, false] {
        let t = std::time::Instant::now();
        let b = FlatWorld::new(c).checker().threads(threads);
        macro_rules! show {
            ($ch:expr) => {{
                let ch = $ch.join();
                let s = t.elapsed().as_secs_f64();
                println!(
                    "dfs {dfs} unique {} generated {} depth {} {:.3}s {:.2}M/s disc {:?}",
                    ch.unique_state_count(),
                    ch.state_count(),
                    ch.max_depth(),
                    s,
                    ch.state_count() as f64 / s / 1e6,
                    ch.discoveries()
                        .iter()
                        .map(|(k, v)| (*k, v.clone().into_actions().len()))
                        .collect::<Vec<_>>()
                );
            }};
        }
        if dfs {
            show!(b.spawn_dfs())
        } else {
            show!(b.spawn_bfs())
        }
    }
}
