#!/usr/bin/env bash
# Writes tests/data/dumps anew: logs with the real Kafka, and what the real tool kafka-dump-log of several releases prints
# for them. Takes Java 17 and Maven, and fetches the releases (about 100 MB each) the first time.
set -euo pipefail
cd "$(dirname "$0")"

kafka=4.3.1
# The text changed with each of these releases. The tool is Scala up to 3.9 and Java from 4.3 on. Behind the jar and its
# release stands how it is called: for the lines of batches, with --deep-iteration, with --print-data-log, for snapshots.
releases=(
    'kafka_2.12 0.11.0.3 batches deep snapshots'
    'kafka_2.12 1.1.1 batches data snapshots'
    'kafka_2.12 2.1.1 batches deep snapshots'
    'kafka_2.13 2.7.2 batches data snapshots'
    'kafka_2.13 2.8.2 batches deep snapshots'
    'kafka_2.13 3.1.2 batches data snapshots'
    'kafka_2.13 3.9.1 batches data snapshots'
    'kafka-tools 4.3.1 batches deep data snapshots'
)

data=$(realpath ../../tests/data/dumps)
tool=$PWD/EachFile.java
mkdir -p target
(cd .. && mvn -q package)
rm -rf "$data/logs"
java -jar ../target/$kafka/oracle.jar segments "$data/logs"

# files DIRECTORY… NAME : the files with names like this in these directories, in order
files() {
    (cd "$data/logs" && find "${@:1:$#-1}" -name "${!#}" | LC_ALL=C sort)
}

# dump INTO CLASSPATH MAIN FLAG… -- FILE… : what the tool prints for these files
dump() {
    local into=$1
    (cd "$data/logs" && java -cp "$2" "$tool" "${@:3}") >"$into.txt" 2>target/stderr
    # What the logging of the old releases says about itself is left out, and where the files lay.
    sed -e '/^SLF4J: /d' -e '/^log4j:/d' -e "s|$data/logs/||" target/stderr >"$into.stderr.txt"
    [ -s "$into.stderr.txt" ] || rm "$into.stderr.txt"
}

for release in "${releases[@]}"; do
    read -r artifact version kinds <<<"$release"
    main=kafka.tools.DumpLogSegments
    [ "$artifact" != kafka-tools ] || main=org.apache.kafka.tools.DumpLogSegments
    mvn -q -B dependency:build-classpath -Dkafka.artifact="$artifact" -Dkafka.version="$version" \
        -Dmdep.outputFile=target/"$version".classpath
    classpath=$(cat target/"$version".classpath)
    rm -rf "${data:?}/$version"
    mkdir -p "$data/$version"
    for kind in $kinds; do
        case $kind in
        batches) arguments=(-- $(files sound wrong damaged '*.log')) ;;
        deep) arguments=(--deep-iteration -- $(files sound wrong '*.log')) ;;
        data) arguments=(--print-data-log -- $(files sound wrong '*.log')) ;;
        snapshots) arguments=(-- $(files sound wrong '*.snapshot')) ;;
        esac
        dump "$data/$version/$kind" "$classpath" $main "${arguments[@]}"
    done
done
