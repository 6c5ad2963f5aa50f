"""`cutover --both`, and the `cutover` or `cutover rollback` that ends it: what must hold, and what is printed?

Runs in the process of the command; the work is in `cutover.both_write`.
"""

from __future__ import annotations

import argparse
import json

from shardwright.runtime.cli.cutover_at_work import cutover_at_work, ways_of
from shardwright.runtime.cli.cutover_buckets import first_checks, require_checks
from shardwright.runtime.cutover.both_write import begin_both, end_at, give_up_both, require_both_write
from shardwright.runtime.cutover.by_bucket.sides import require_proved
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.fencing import fence_checks
from shardwright.runtime.cutover.gates import stream_checks
from shardwright.runtime.cutover.ids_checks import check_shared_numbers
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check
from shardwright.specs.direction import Side


def begin(arguments: argparse.Namespace, allowed: frozenset[str]) -> int:
    """`allowed`: codes of checks that the operator answers for."""
    with cutover_at_work(ways_of(arguments), arguments) as cutover:
        require_both_write(cutover)
        state = cutover.state
        if not state.shares:
            if not state.at_rest:
                raise Refused("SW8915", f"cutover: one is in progress (state {state.state}): repeat it, or abort it")
            if state.writes_to == "shards":
                raise Refused("SW8915", "cutover: all writes go to the shards: `cutover rollback` first")
            checks = [*first_checks(cutover, allowed), *check_shared_numbers(cutover.ways.forward)]
            require_checks(cutover, checks)
        begin_both(cutover)
        require_checks(cutover, _stream_checks(cutover))
        _print(arguments, cutover, "both sides take writes; conflicts are listed: shardwright conflicts list")
    return 0


def end(cutover: Cutover, to: Side, allowed: frozenset[str]) -> float:
    """Of a migration whose sides both write. Returns the seconds in which writers waited."""
    losing = cutover.ways.way_of_writes("source" if to == "shards" else "shards")
    other = cutover.ways.other(losing)
    if not cutover.state.fences:
        require_checks(cutover, _stream_checks(cutover))
        require_checks(cutover, list(fence_checks(losing, other, cutover.state.generation, allowed=allowed)))
        require_proved(losing)
    return end_at(cutover, to)


def abort(cutover: Cutover) -> None:
    if give_up_both(cutover, "aborted by an operator"):
        print(f"as before; state {cutover.state.state}")
    else:
        print("nothing to abort: both sides take writes; `cutover` or `cutover rollback` ends that")


def _stream_checks(cutover: Cutover) -> list[Check]:
    both = (cutover.ways.forward, cutover.ways.backward)
    return [check for way in both for check in stream_checks(way, restarts=True)]


def _print(arguments: argparse.Namespace, cutover: Cutover, sentence: str) -> None:
    answer = {"state": cutover.state.state, "writes_to": cutover.state.writes_to}
    print(json.dumps(answer, indent=2) if arguments.format == "json" else sentence)
