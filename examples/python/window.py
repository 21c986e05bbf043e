#!/usr/bin/env python3
"""The newest five batches of each producer, as Apache Kafka remembers them."""
import json
import sys

SEQUENCES = 2**31
producers, end = {}, 0  # by id: epoch, last timestamp, batches, the oldest first


def append(pid, epoch, seq, n, ts=0):
    global end
    if seq < 0:
        return {"error": "INVALID_RECORD"}
    last = (seq + n - 1) % SEQUENCES
    known, _, batches = producers.get(pid, (-1, 0, []))  # epoch -1 stands for none
    kept = batches if epoch == known else []
    for *sequences, first, final in kept:
        if sequences == [seq, last]:
            return {"dup": [first, final]}
    if epoch < known:
        return {"error": "INVALID_PRODUCER_EPOCH"}
    due = (kept[-1][1] + 1) % SEQUENCES if kept else 0
    if known != -1 and seq != due:
        return {"error": "OUT_OF_ORDER_SEQUENCE_NUMBER"}
    end += n
    producers[pid] = [epoch, ts, (kept + [[seq, last, end - n, end - 1]])[-5:]]
    return {"append": [end - n, end - 1]}


def plain(n, ts):
    global end
    end += n
    return {"append": [end - n, end - 1]}


for line in sys.stdin:
    asked = json.loads(line)
    operation = asked.pop("op")
    if operation == "start":
        producers, end = {}, 0
        answer = {"ok": True, "supports": ["append", "plain"]}
    else:
        answer = {"append": append, "plain": plain}[operation](**asked)
        answer["state"] = producers
    print(json.dumps(answer), flush=True)
