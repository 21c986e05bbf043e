//! What is wrong is said in one line on stderr, with what to do, and exit code 2.

use crate::{retryproof, Said};

/// Asserts that a command line is refused in one line that holds these words.
#[track_caller]
fn refused(line: &str, words: &[&str]) {
    let Said { out, err, .. } = retryproof(line).exits(2);
    assert_eq!(out, "", "{line}");
    assert_eq!(err.lines().count(), 1, "{line}: {err}");
    assert!(err.starts_with("error: "), "{line}: {err}");
    for word in words {
        assert!(err.contains(word), "{line}: no \"{word}\" in {err}");
    }
}

#[test]
fn an_unknown_command() {
    refused("chekc", &["\"chekc\"", "nearest: check"]);
}

#[test]
fn an_unknown_claim() {
    refused(
        "check in-flght-6",
        &["\"in-flght-6\"", "nearest: in-flight-6"],
    );
    refused("check in-flight-5 zzz", &["\"zzz\"", "retryproof list"]);
    refused("explore in-flght-5", &["nearest: in-flight-5"]);
    refused(
        "explore in-flight-6 --window 4",
        &["claims match", "in-flight-6-writes-duplicates"],
    );
}

#[test]
fn an_unknown_property() {
    refused(
        "ask --property no-duplicates",
        &["\"no-duplicates\"", "nearest: no-duplicate"],
    );
    refused(
        "frontier --property zzz",
        &["\"zzz\"", "there is: no-duplicate, "],
    );
}

#[test]
fn an_unknown_rule_client_or_network() {
    refused("ask --rule kafka-5", &["\"kafka-5\"", "nearest: kafka-4"]);
    refused("ask --client java4", &["\"java4\"", "nearest: java-4"]);
    refused("ask --network sessions", &["nearest: session"]);
    refused("ask --producer-state old", &["there is: new, known"]);
    refused(
        "ask --acks 2",
        &["no value of --acks is called \"2\"; there is: all, 1"],
    );
    refused(
        "ask --in-flight-per broker",
        &["there is: connection, partition, span"],
    );
    refused("ask --election dirty", &["there is: clean, unclean"]);
    refused("ask --replicas ignore", &["there is: copy, judge"]);
    refused("ask --producer-ids none", &["there is: own, shared"]);
    refused(
        "ask --restart-keeps some",
        &["there is: all, last, all-but-newest, nothing"],
    );
    refused("ask --expiry never", &["there is: client-time, wall-clock"]);
    refused("ask --validation afterlookup", &["nearest: after-lookup"]);
    refused(
        "ask --append-order zzz",
        &["there is: write-first, state-first, end-last"],
    );
    refused("check --tier slow", &["there is: quick, deep, all"]);
}

#[test]
fn an_unknown_flag() {
    refused("ask --inflight 5", &["--inflight", "nearest: --in-flight"]);
    refused("ask --frobnicate", &["--frobnicate", "see --help"]);
    refused("mutants all", &["\"all\" is one argument too many"]);
}

#[test]
fn a_value_that_is_no_number_or_out_of_range() {
    refused("ask --in-flight 9", &["--in-flight 9", "from 1 to 8"]);
    refused("ask --in-flight five", &["--in-flight five", "from 1 to 8"]);
    refused("ask --window 0", &["--window 0", "from 1 to 8"]);
    refused("ask --connections 5", &["from 1 to 4"]);
    refused("ask --batches 99", &["from 1 to 16, or \"any\""]);
    refused(
        "ask --disconnects -1",
        &["--disconnects -1", "from 0 to 100, or \"any\""],
    );
    refused("ask --restarts 9", &["from 0 to 8, or \"any\""]);
    refused("ask --records-per-batch 3", &["from 1 to 2"]);
    refused("ask --producers 3", &["from 1 to 2"]);
    refused("ask --partitions 0", &["from 1 to 2"]);
    refused("ask --brokers 4", &["from 1 to 3"]);
    refused(
        "ask --sequence-modulus 1",
        &["--sequence-modulus 1", "from 2 to 64, or \"none\""],
    );
    refused("ask --max-epoch any", &["from 0 to 64, or \"none\""]);
    refused("ask --max-states 0", &["1 or more"]);
    refused("check --threads 0", &["from 1 to 256"]);
    refused("frontier --in-flight 8..1", &["8..1", "2..4"]);
    refused("frontier --window 0..3", &["within 1..8"]);
    refused("explore --port 0", &["from 1 to 65535"]);
    refused("explore --port 70000", &["from 1 to 65535"]);
    refused("ask --in-flight", &["--in-flight"]);
}

#[test]
fn conditions_that_make_no_sense_together() {
    refused(
        "ask --client plain --window 4",
        &["--window has no effect with --client plain"],
    );
    refused("ask --rule accepts-gaps", &["mutant", "add --batches"]);
    refused(
        "frontier --client never-retries",
        &["mutant", "add --batches"],
    );
    refused(
        "ask --network ordered --disconnects 2",
        &["leave --disconnects out"],
    );
    refused(
        "ask --network unordered --connections 1",
        &["--connections must be 2 or more"],
    );
    refused(
        "explore kafka-1.0-5 --client plain",
        &["--rule has no effect"],
    );
}

#[test]
fn conditions_that_do_nothing_without_another() {
    refused(
        "ask --restart-keeps all",
        &[
            "--restart-keeps has no effect without --restarts 1",
            "add it",
        ],
    );
    refused("ask --acks 1", &["without --brokers 2"]);
    refused("ask --leader-moves 1", &["without --brokers 2"]);
    refused(
        "ask --brokers 2 --batches 2 --election unclean",
        &["without --leader-moves 1"],
    );
    refused(
        "frontier --in-flight-per partition",
        &["without --brokers 2"],
    );
    refused("ask --producer-ids shared", &["without --producers 2"]);
    refused("ask --second-client plain", &["without --producers 2"]);
    refused("ask --second-client java", &["nearest: java-4"]);
    refused("ask --expiry wall-clock", &["without --expiries 1"]);
    refused(
        "ask --validation after-lookup",
        &["without --fatal-refusals 1"],
    );
    refused(
        "explore --append-order state-first",
        &["without --append-failures 1"],
    );
}

#[test]
fn conditions_that_are_modelled_in_bounded_runs_only() {
    for flag in [
        "--brokers 2",
        "--partitions 2",
        "--producers 2",
        "--records-per-batch 2",
        "--sequence-modulus 4",
        "--max-epoch 0",
        "--cancellations 1 --client patient",
        "--append-failures 1",
    ] {
        refused(
            &format!("ask --in-flight 1 {flag}"),
            &["in bounded runs only", "add --batches 4"],
        );
    }
}

#[test]
fn conditions_that_are_not_modelled_together() {
    refused(
        "ask --network unordered --restarts 1",
        &[
            "--restarts needs connections that break",
            "--network session",
        ],
    );
    refused(
        "ask --brokers 2 --batches 2 --records-per-batch 2",
        &["--records-per-batch and --brokers", "leave one out"],
    );
    refused(
        "ask --brokers 2 --in-flight 8 --batches 2",
        &["8 in flight on each of 2 connections", "lower --in-flight"],
    );
    refused(
        "explore --client plain --expiries 1",
        &["--expiries has no effect with --client plain"],
    );
}

#[test]
fn a_claim_that_is_not_in_the_tier() {
    refused(
        "check two-dead-connections --tier quick",
        &["tier quick", "--tier all"],
    );
}

#[test]
fn a_place_that_cannot_be_written() {
    let small = "frontier --in-flight 1 --window 1 --connections 2 --svg";
    refused(
        &format!("{small} /nowhere/frontier.svg"),
        &["/nowhere/frontier.svg"],
    );
    refused(&format!("{small} /"), &["cannot write /"]);
}

#[test]
fn no_command_at_all_shows_the_help() {
    let said = retryproof("").exits(2);
    assert!(said.err.contains("Usage: retryproof"), "{}", said.err);
}

#[test]
fn help_and_version_are_no_errors() {
    retryproof("--help")
        .exits(0)
        .tells(["Usage:", "Exit codes:"]);
    retryproof("ask --help").exits(0).tells([
        "Size",
        "--in-flight",
        "World",
        "--rule",
        "Faults",
        "--restarts",
    ]);
    retryproof("--version").exits(0).tells(["retryproof "]);
}

#[test]
fn the_short_help_has_one_line_for_each_condition() {
    let help = retryproof("ask -h").exits(0).out;
    let (_, conditions) = help.split_once("Size").expect("conditions");
    let (conditions, _) = conditions.split_once("Search").expect("what follows them");
    let flags = conditions.lines().filter(|line| line.contains("--"));
    for line in flags.clone() {
        assert!(line.ends_with(']'), "no default in {line}");
    }
    assert_eq!(flags.count(), 34, "{conditions}");
}
