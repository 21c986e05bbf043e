#!/usr/bin/env bash
# Records anew what the real Kafka answers to drawn lists of operations. Run it after a change
# of src/shadow/generate, or of the release that is recorded.
set -euo pipefail
cd "$(dirname "$0")"

release=4.3.1
lists=250

mvn -q package
kept=../tests/data/kafka-$release/drawn.jsonl
cargo run --quiet --example record -- "java -jar target/$release/oracle.jar log" "$lists" >"$kept.new"
mv "$kept.new" "$kept"
