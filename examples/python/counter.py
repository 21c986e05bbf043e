#!/usr/bin/env python3
"""A counter for each producer and nothing else: a retry of what was written is refused."""
import json
import sys

counters, end = {}, 0  # by producer id: epoch, next sequence


def append(pid, epoch, seq, n, ts=0):
    global end
    if seq < 0:
        return {"error": "INVALID_RECORD"}
    known, due = counters.get(pid, (epoch, seq))
    if epoch < known:
        return {"error": "INVALID_PRODUCER_EPOCH"}
    if seq != (due if epoch == known else 0):
        return {"error": "OUT_OF_ORDER_SEQUENCE_NUMBER"}
    counters[pid] = (epoch, (seq + n) % 2**31)
    return plain(n)


def plain(n, ts=0):
    global end
    end += n
    return {"append": [end - n, end - 1]}


for line in sys.stdin:
    asked = json.loads(line)
    operation = asked.pop("op")
    if operation == "start":
        counters, end = {}, 0
        answer = {"ok": True, "supports": ["append", "plain"]}
    else:
        answer = {"append": append, "plain": plain}[operation](**asked)
    print(json.dumps(answer), flush=True)
