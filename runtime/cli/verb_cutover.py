"""`cutover`: applications' writes go from the source to the shards, and back. Which action is asked for?

Runs in the process of the command. Only what switches loads the checks and the comparisons: the others are given in an
outage.
"""

from __future__ import annotations

import argparse
from typing import Final

from shardwright.runtime.cutover.fences.outside_writers import ALLOWABLE
from shardwright.runtime.failures import InputAtFault
from shardwright.specs.direction import Side

_TO: Final[dict[str, Side]] = {"begin": "shards", "rollback": "source"}


def execute(arguments: argparse.Namespace) -> int:
    if arguments.action not in _TO and (arguments.dry_run or arguments.rehearse):
        raise InputAtFault("SW8007", "--dry-run and --rehearse go with `cutover` and `cutover rollback`")
    if arguments.no_rollback and arguments.action != "begin":
        raise InputAtFault("SW8007", "--no-rollback goes with `cutover`")
    allowed = _read_allowed(arguments)
    if arguments.dry_run and arguments.rehearse:
        raise InputAtFault("SW8007", "--dry-run changes nothing, --rehearse sets the fence: choose one")
    by_bucket = any(one is not None for one in (arguments.buckets, arguments.percent, arguments.keys))
    if by_bucket and (arguments.action not in _TO or arguments.dry_run or arguments.rehearse):
        raise InputAtFault("SW8007", "--buckets, --percent and --keys go with `cutover` and `cutover rollback` alone")
    if arguments.both and (arguments.action != "begin" or by_bucket or arguments.dry_run or arguments.rehearse):
        raise InputAtFault("SW8007", "--both goes with `cutover` alone")
    match arguments.action:
        case "begin" if arguments.both:
            from shardwright.runtime.cli.cutover_both import begin

            return begin(arguments, allowed)
        case "begin" | "rollback" as action if by_bucket:
            from shardwright.runtime.cli.cutover_buckets import move_buckets

            return move_buckets(arguments, _TO[action], allowed)
        case "begin" | "rollback" as action:
            from shardwright.runtime.cli.cutover_switch import switch

            return switch(arguments, _TO[action], allowed)
        case "status":
            from shardwright.runtime.cli.cutover_status import show_status

            return show_status(arguments)
        case _:
            from shardwright.runtime.cli.cutover_end import end

            return end(arguments)


def _read_allowed(arguments: argparse.Namespace) -> frozenset[str]:
    """Codes that the operator answers for. Raises InputAtFault for another one."""
    given = frozenset(item.strip().upper() for item in arguments.allow.split(",") if item.strip())
    if unknown := sorted(given - ALLOWABLE):
        raise InputAtFault("SW8007", f"--allow {unknown[0]}: {', '.join(sorted(ALLOWABLE))} can be allowed")
    if given and arguments.action not in _TO:
        raise InputAtFault("SW8007", "--allow goes with `cutover` and `cutover rollback`")
    return given
