//! Charts of the scenarios.

use retryproof_models::scenarios;

use super::*;

/// The chart of an act of a scenario.
fn chart(id: &str, act: usize) -> Chart {
    let scenario = scenarios::find(id).expect("a scenario");
    Chart::of(&scenario.acts[act].run().expect("it runs"))
}

fn every_chart() -> Vec<(&'static str, Chart)> {
    let scenarios = scenarios::ALL.iter();
    let acts = scenarios.flat_map(|scenario| scenario.acts.iter().map(|act| (scenario.id, act)));
    acts.map(|(id, act)| (id, Chart::of(&act.run().expect("it runs"))))
        .collect()
}

/// The items of a step, in words.
fn words(chart: &Chart, step: usize) -> Vec<String> {
    let items = chart.rows[step - 1].items.iter();
    items
        .map(|item| match item {
            Item::Arrow(arrow) => arrow.words(),
            Item::Note(note) => note.words(),
        })
        .collect()
}

#[test]
fn six_in_flight_is_drawn_with_what_is_lost_what_is_refused_and_which_epoch() {
    let chart = chart("in-flight-6", 0);
    let names: Vec<&str> = chart.lifelines.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["producer", "network", "broker"]);
    assert_eq!(words(&chart, 1), ["r0 seq 0 epoch 0"]);
    assert_eq!(
        words(&chart, 7),
        [
            "r0 seq 0 epoch 0",
            "✓ appends r0 → offset 0",
            "✓ r0: ok, offset 0 (lost in step 13)"
        ]
    );
    assert_eq!(words(&chart, 13), ["! connection breaks"]);
    assert_eq!(words(&chart, 14), ["↻ r0 seq 0 epoch 0"]);
    assert_eq!(
        words(&chart, 15),
        [
            "↻ r0 seq 0 epoch 0",
            "✗ refuses",
            "✗ r0: OUT_OF_ORDER_SEQUENCE_NUMBER"
        ]
    );
    assert_eq!(
        words(&chart, 17),
        ["• epoch 0 → epoch 1", "↻ r0 seq 0 epoch 1"]
    );
    let violates = |step: usize| chart.rows[step - 1].violates.len();
    assert_eq!((violates(16), violates(17), violates(18)), (1, 0, 1));
}

#[test]
fn five_in_flight_has_duplicates_where_six_has_refusals() {
    let chart = chart("in-flight-5", 0);
    let kinds: Vec<Kind> = chart.arrows().map(|arrow| arrow.kind).collect();
    assert!(kinds.contains(&Kind::Duplicate), "{kinds:?}");
    assert!(!kinds.contains(&Kind::Rejection), "{kinds:?}");
}

#[test]
fn leftovers_arrive_late_and_nobody_is_answered() {
    let chart = chart("late-copies", 0);
    let late = chart.rows.iter().find(|row| {
        let first = row.items.first();
        matches!(first, Some(Item::Arrow(arrow)) if arrow.kind == Kind::Late)
    });
    let late = late.expect("something arrives late");
    let arrows = late
        .items
        .iter()
        .filter(|item| matches!(item, Item::Arrow(_)));
    assert_eq!(arrows.count(), 1, "{late:?}");
}

#[test]
fn a_cluster_has_a_lifeline_for_each_and_followers_copy() {
    let chart = chart("clean-failover", 0);
    let names: Vec<&str> = chart.lifelines.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["producer", "network", "broker 0", "broker 1"]);
    let copies = chart
        .arrows()
        .filter(|arrow| arrow.kind == Kind::Replication);
    let copies: Vec<_> = copies
        .map(|arrow| (arrow.from, arrow.to, arrow.label.as_str()))
        .collect();
    // The leader is another one at the end.
    assert_eq!(copies, [(2, 3, "r1"), (3, 2, "r2")]);
}

#[test]
fn what_is_lost_was_on_its_way_to_the_network_and_is_lost_later() {
    let mut lost = 0;
    for (id, chart) in every_chart() {
        for row in &chart.rows {
            for item in &row.items {
                let Item::Arrow(arrow) = item else { continue };
                if let Some(step) = arrow.lost_in {
                    assert_eq!(arrow.to, chart.network(), "{id}: {arrow:?}");
                    assert!(step > row.step, "{id}: {arrow:?} in step {}", row.step);
                    lost += 1;
                }
            }
        }
    }
    assert!(lost > 20, "{lost}");
}

/// Of what goes into the network something comes out, is lost, or is on its way at the end.
#[test]
fn nothing_leaves_the_network_that_did_not_enter_it() {
    for (id, chart) in every_chart() {
        let network = chart.network();
        let entered = chart.arrows().filter(|arrow| arrow.to == network);
        let arrived = entered.filter(|arrow| arrow.lost_in.is_none()).count();
        let left = chart.arrows().filter(|arrow| arrow.from == network).count();
        assert!(left <= arrived, "{id}: {left} of {arrived}");
    }
}

#[test]
fn behind_what_was_told_numbers_go_on_and_losses_with_them() {
    let whole = chart("in-flight-6", 0);
    let behind = whole.clone().behind(6, 1);
    assert_eq!(behind.rows.len(), whole.rows.len() - 6);
    assert_eq!(behind.rows[0].step, 1);
    assert_eq!(words(&behind, 1)[2], "✓ r0: ok, offset 0 (lost in step 7)");
    assert_eq!(whole.clone().behind(0, 1), whole);
}

#[test]
fn every_drawing_is_well_formed_and_has_a_cross_for_each_loss() {
    for (id, chart) in every_chart() {
        let drawing = svg::draw(&chart, id);
        let tree =
            roxmltree::Document::parse(&drawing).unwrap_or_else(|error| panic!("{id}: {error}"));
        let root = tree.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let child = |name: &str| {
            root.children()
                .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
        };
        assert_eq!(child("title").and_then(|title| title.text()), Some(id));
        let told = child("desc")
            .and_then(|told| told.text())
            .unwrap_or_default();
        assert!(
            chart.rows.iter().all(|row| told.contains(&row.text)),
            "{id}: {told}"
        );
        let class = |name: &str| {
            let nodes = tree
                .descendants()
                .filter(|node| node.attribute("class") == Some(name));
            nodes.count()
        };
        let lost = chart
            .arrows()
            .filter(|arrow| arrow.lost_in.is_some())
            .count();
        let in_legend = usize::from(lost > 0);
        assert_eq!(class("cross"), lost + in_legend, "{id}");
    }
}

#[test]
fn several_acts_are_one_drawing() {
    let scenario = scenarios::find("dedup-against-plain").expect("a scenario");
    let charts: Vec<Chart> = (0..scenario.acts.len())
        .map(|act| chart(scenario.id, act))
        .collect();
    let titles = scenario.acts.iter().map(|act| act.title);
    let acts: Vec<(&str, &Chart)> = titles.zip(&charts).collect();
    let drawing = svg::draw_acts(&acts, scenario.title);
    let tree = roxmltree::Document::parse(&drawing).expect("well-formed");
    let styles = tree
        .descendants()
        .filter(|node| node.tag_name().name() == "style");
    assert_eq!(styles.count(), 1);
}

#[test]
fn text_is_escaped() {
    let mut chart = chart("in-flight-5", 0);
    let hostile = "<script> & \"r0\"; #35";
    chart.rows[0].text = hostile.to_owned();
    chart.rows[0].items = vec![Item::Note(Note {
        at: None,
        mark: Mark::News,
        text: hostile.to_owned(),
    })];
    let drawing = svg::draw(&chart, hostile);
    let tree = roxmltree::Document::parse(&drawing).expect("well-formed");
    let texts: Vec<&str> = tree.descendants().filter_map(|node| node.text()).collect();
    assert!(texts.contains(&hostile) && texts.contains(&format!("• {hostile}").as_str()));
    let written = mermaid::write(&chart);
    assert!(
        !written.contains('<') && !written.contains('"'),
        "{written}"
    );
    assert!(
        written.contains("#60;script#62; #38; #34;r0#34;#59; #35;35"),
        "{written}"
    );
}

/// Line, point and symbol tell kinds apart without colour.
#[test]
fn no_two_kinds_look_alike_without_colour() {
    let style = svg::STYLE.split("@media").next().unwrap_or_default();
    let dashes = |kind: Kind| {
        let rule = format!(".sequence .{} {{", svg::marks::class(kind));
        let rule = style.split(&rule).nth(1).expect("a rule for each kind");
        let rule = rule.split('}').next().unwrap_or_default();
        rule.split("stroke-dasharray:").nth(1).map(str::to_owned)
    };
    let mut looks = Vec::new();
    let mut symbols = Vec::new();
    for kind in Kind::ALL {
        let open = svg::marks::way(*kind, 0, 100, 0).contains("open");
        let look = (dashes(*kind), open);
        assert!(
            !looks.contains(&look),
            "{kind:?} looks like another: {look:?}"
        );
        looks.push(look);
        assert!(
            !symbols.contains(&kind.symbol()),
            "{kind:?} has the symbol of another"
        );
        symbols.push(kind.symbol());
    }
}

/// The grammar of what is written, as far as it is used.
#[test]
fn every_line_of_mermaid_is_a_statement() {
    for (id, chart) in every_chart() {
        let written = mermaid::write(&chart);
        let mut lines = written.lines();
        assert_eq!(lines.next(), Some("sequenceDiagram"), "{id}");
        let ids: Vec<String> = chart
            .lifelines
            .iter()
            .map(|l| l.name.replace(' ', ""))
            .collect();
        for line in lines.map(str::trim_start) {
            assert!(is_statement(line, &ids), "{id}: {line}");
        }
    }
}

fn is_statement(line: &str, ids: &[String]) -> bool {
    if let Some(number) = line.strip_prefix("autonumber ") {
        return number.parse::<usize>().is_ok();
    }
    if let Some(participant) = line.strip_prefix("participant ") {
        return participant
            .split_once(" as ")
            .is_some_and(|(id, _)| ids.contains(&id.to_owned()));
    }
    let Some((head, text)) = line.split_once(": ") else {
        return false;
    };
    if let Some(over) = head.strip_prefix("Note over ") {
        return over.split(',').all(|id| ids.contains(&id.to_owned()));
    }
    let arrows = ["-->>", "->>", "--x", "-x", "--)"];
    let ends = arrows.iter().find_map(|arrow| head.split_once(arrow));
    let known = |id: &str| ids.contains(&id.to_owned());
    !text.contains(';') && ends.is_some_and(|(from, to)| known(from) && known(to))
}

/// Mermaid counts arrows; the numbers are those of the steps all the same.
#[test]
fn the_numbers_in_mermaid_are_those_of_the_steps() {
    let chart = chart("in-flight-6", 0);
    let mut number = 0;
    let mut numbers = Vec::new();
    for line in mermaid::write(&chart).lines().map(str::trim_start) {
        if let Some(again) = line.strip_prefix("autonumber ") {
            number = again.parse().expect("a number");
        } else if line.contains(">>") || line.contains("-x") {
            numbers.push(number);
            number += 1;
        }
    }
    let mut steps = Vec::new();
    for row in &chart.rows {
        let arrows = row
            .items
            .iter()
            .filter(|item| matches!(item, Item::Arrow(_)));
        steps.extend(arrows.map(|_| row.step));
    }
    assert_eq!(numbers, steps);
}
