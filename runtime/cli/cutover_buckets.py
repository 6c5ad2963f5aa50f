"""`cutover --buckets` and `cutover rollback --buckets`: what must hold, and what is printed?

Runs in the process of the command; the work is in `cutover.by_bucket`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence

from shardwright.compiler.project.project import find_project
from shardwright.runtime.cli.cutover_at_work import cutover_at_work, ways_of
from shardwright.runtime.cli.named_keys import buckets_of_keys
from shardwright.runtime.cutover.by_bucket.move import BucketMove, as_json, move_to
from shardwright.runtime.cutover.by_bucket.selection import choose_percent, ranges_of, read_buckets_of
from shardwright.runtime.cutover.by_bucket.share import require_buckets, share, share_no_more, sole_writer
from shardwright.runtime.cutover.by_bucket.sides import owners_at_home
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.fencing import fence_checks
from shardwright.runtime.cutover.gates import gates, stream_checks
from shardwright.runtime.cutover.proof import Proof
from shardwright.runtime.cutover.ways import Ways
from shardwright.runtime.events.run import CheckWarning
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.run.preflight.preflight import require
from shardwright.specs.direction import Side


def move_buckets(arguments: argparse.Namespace, to: Side, allowed: frozenset[str]) -> int:
    """`allowed`: codes of checks that the operator answers for."""
    ways = ways_of(arguments)
    with cutover_at_work(ways, arguments) as cutover:
        count, done = require_buckets(cutover), None
        named = _buckets_by_name(arguments, ways, count)
        _require_fitting(cutover, to)
        if not cutover.state.shares:
            require_checks(cutover, list(first_checks(cutover, allowed)))
        if sole_writer(cutover) == to and cutover.state.shares:
            move_to(cutover, to, ())  # where an earlier command was stopped
            share_no_more(cutover)
        else:
            done = _move(cutover, arguments, to, named)
        print(json.dumps(as_json(done, cutover), indent=2) if arguments.format == "json" else _sentence(done, cutover))
    return 0


def _buckets_by_name(arguments: argparse.Namespace, ways: Ways, count: int) -> frozenset[int] | None:
    """None with --percent, which depends on what has moved."""
    if arguments.buckets is not None:
        return read_buckets_of(arguments.buckets, count)
    if arguments.keys is not None:
        return buckets_of_keys(find_project(arguments.project), arguments.keys, ways.forward.plan)
    return None


def _move(cutover: Cutover, arguments: argparse.Namespace, to: Side, named: frozenset[int] | None) -> BucketMove | None:
    ways, count = cutover.ways, cutover.ways.forward.plan.buckets
    restarts = share(cutover)
    both = (ways.forward, ways.backward)
    require_checks(cutover, [check for way in both for check in stream_checks(way, restarts=restarts)])
    owners = owners_at_home(cutover.home, ways.migration)
    done = move_to(cutover, to, choose_percent(arguments.percent, owners, count, to) if named is None else named)
    if sole_writer(cutover) == to:
        share_no_more(cutover)
    return done


def _require_fitting(cutover: Cutover, to: Side) -> None:
    """Raises Refused (SW8915) for an action that does not go with the state."""
    state, reason = cutover.state, None
    if state.shares and "source" in state.fences and to == "source":
        reason = "all buckets are at the shards, and the source is being closed: repeat `cutover --buckets all`"
    elif not state.shares and not state.at_rest:
        reason = f"a cutover is in progress (state {state.state}): repeat that command, or `cutover abort`"
    elif not state.shares and state.writes_to == "shards":
        reason = "all writes go to the shards: `cutover rollback` leads back as a whole"
    elif not state.shares and to == "source":
        reason = "all writes go to the source already"
    if reason:
        raise Refused("SW8915", f"cutover: {reason}")


def first_checks(cutover: Cutover, allowed: frozenset[str]) -> Iterator[Check]:
    """Before both sides take writes."""
    ways, generation = cutover.ways, cutover.state.generation
    yield from gates(ways, ways.forward, dry_run=False)
    yield from fence_checks(ways.forward, ways.backward, generation, allowed=allowed)
    yield from Proof().checks(ways.forward)


def require_checks(cutover: Cutover, found: Sequence[Check]) -> None:
    require(found)
    for check in found:
        if check.verdict is Verdict.WARNING:
            cutover.emit(CheckWarning(check.name, check.where, check.message))


def _sentence(work: BucketMove | None, cutover: Cutover) -> str:
    state = cutover.state
    ended = "" if state.shares else f"; all writes go to the {state.writes_to} (state {state.state})"
    if work is None:
        return f"these buckets are there already{ended}"
    moved = f"buckets {ranges_of(work.move.buckets)} are at the {work.move.to}"
    return f"{moved}; their writers waited for {work.pause:.2f} s{ended}"
