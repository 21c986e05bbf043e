use retryproof_models::{checking::*, conditions::*, network::*, policies, rules};
use retryproof_properties::PropertyId;
fn main() {
    let show = |name: String, c: Conditions, max: usize| {
        let l = Limits {
            max_states: max,
            ..Limits::default()
        };
        let o = check(&c, PropertyId::ALL, &l, &Silent);
        let f: Vec<_> = o
            .properties
            .iter()
            .filter(|p| p.verdict != Verdict::Holds)
            .map(|p| {
                format!(
                    "{}:{}:{:?}",
                    p.property,
                    p.verdict,
                    p.counterexample.as_ref().map(|r| r.len())
                )
            })
            .collect();
        println!(
            "{name} unique {} gen {} cut {:?} {:.2}s/{:.2}s {f:?} premises {:?}",
            o.counts.unique,
            o.counts.generated,
            o.cut,
            o.seconds,
            o.exploring_seconds,
            o.coverage.premises
        );
    };
    let k = Conditions::KAFKA;
    let which = std::env::args().nth(1).unwrap();
    if which == "frontier" {
        for n in 1..=8 {
            for w in 1..=8 {
                show(
                    format!("{n}/{w}"),
                    Conditions {
                        in_flight: n,
                        window: w,
                        connections: 2,
                        ..k
                    },
                    3_000_000,
                );
            }
        }
    }
    if which == "rules" {
        for r in rules::ALL {
            for n in [1, 5, 6] {
                for p in policies::ALL {
                    if !p.idempotent {
                        continue;
                    }
                    show(
                        format!("{} {} {n}/5", r.name, p.name),
                        Conditions {
                            in_flight: n,
                            rule: r,
                            client: p,
                            connections: 2,
                            ..k
                        },
                        3_000_000,
                    );
                }
            }
        }
    }
    if which == "nets" {
        for net in NetworkKind::ALL {
            for r in rules::ALL {
                for (n, w) in [(1, 1), (2, 2), (3, 2)] {
                    for known in [ProducerKnown::New, ProducerKnown::Known] {
                        show(
                            format!("{} {} {n}/{w} {known:?}", net.name(), r.name),
                            Conditions {
                                network: *net,
                                in_flight: n,
                                window: w,
                                rule: r,
                                connections: 2,
                                producer_state: known,
                                ..k
                            },
                            1_000_000,
                        );
                    }
                }
            }
        }
    }
    if which == "pipe" {
        for (n, w) in [(2, 1), (3, 1), (3, 2), (4, 3)] {
            show(
                format!("pipelining {n}/{w}"),
                Conditions {
                    in_flight: n,
                    window: w,
                    client: &policies::PIPELINING,
                    connections: 2,
                    ..k
                },
                2_000_000,
            );
        }
    }
    if which == "plain" {
        for net in NetworkKind::ALL {
            for n in 1..=3 {
                show(
                    format!("plain {} {n}", net.name()),
                    Conditions {
                        network: *net,
                        in_flight: n,
                        client: &policies::PLAIN,
                        connections: 2,
                        ..k
                    },
                    1_000_000,
                );
            }
        }
    }
}
