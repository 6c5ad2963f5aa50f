"""`verify`: compare source and shards; exit 0 equal, 1 different, 2 could not check."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from shardwright.runtime.cli import verify_reports
from shardwright.runtime.cli.comparing import compare, compare_recent
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.verify_lines import VerifyLines
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.mysql.estimates import expected_rows
from shardwright.runtime.verify.report import as_text, exit_code
from shardwright.runtime.verify.result import VerifyResult
from shardwright.runtime.verify.sample import Sampling
from shardwright.runtime.verify.table_run import Manner


def execute(arguments: argparse.Namespace) -> int:
    _require_fitting(arguments)
    reports = verify_reports.asked_for(arguments.report)
    deployed = deployment(arguments)
    result = _recent(arguments, deployed) if arguments.recent else _all(arguments, deployed)
    verify_reports.write(result, reports)
    if arguments.format == "json":
        print(verify_reports.json_text(result), end="")
    else:
        print(as_text(result))
    return exit_code(result)


def _require_fitting(arguments: argparse.Namespace) -> None:
    """Raises InputAtFault (SW8530)."""
    reason = None
    if arguments.sample is not None and arguments.state:
        reason = "--state keeps how far a comparison of all rows has come: leave it or --sample out"
    elif arguments.recent and (arguments.sample is not None or arguments.state or arguments.at_position):
        reason = "--recent compares what was just changed: leave out --sample, --state and --at-position"
    elif arguments.shard and (arguments.recent or arguments.state):
        reason = "--shard compares one database's rows: leave out --recent and --state"
    elif arguments.invariants == "only" and not _is_whole(arguments):
        reason = "--invariants only asks nothing but the invariants: leave out what chooses rows"
    elif arguments.every is not None and not arguments.recent:
        reason = "--every goes with --recent"
    elif arguments.seed is not None and arguments.sample is None:
        reason = "--seed goes with --sample"
    if reason:
        raise InputAtFault("SW8530", reason)


def _recent(arguments: argparse.Namespace, deployed: Deployment) -> VerifyResult:
    return compare_recent(
        deployed,
        tables=arguments.table,
        patience=arguments.patience,
        every=arguments.every,
        say=_said(arguments),
    )


def _all(arguments: argparse.Namespace, deployed: Deployment) -> VerifyResult:
    return compare(
        deployed,
        tables=() if arguments.invariants == "only" else arguments.table,
        on_progress=_lines(arguments, deployed).show,
        at_position=arguments.at_position,
        patience=arguments.patience,
        manner=_manner(arguments),
        state_file=Path(arguments.state) if arguments.state else None,
        only_shard=arguments.shard,
        invariants=arguments.invariants != "no" and _is_whole(arguments),
    )


def _is_whole(arguments: argparse.Namespace) -> bool:
    """Invariants are asked of all rows, or not at all."""
    return not (arguments.table or arguments.shard or arguments.recent or arguments.sample is not None)


def _lines(arguments: argparse.Namespace, deployed: Deployment) -> VerifyLines:
    told = VerifyLines(_said(arguments))
    if arguments.sample is None:
        told.expected = lambda: expected_rows(deployed.plan, deployed.servers)
    return told


def _said(arguments: argparse.Namespace) -> Callable[[str], None]:
    return (lambda _line: None) if arguments.quiet else (lambda line: print(line, file=sys.stderr, flush=True))


def _manner(arguments: argparse.Namespace) -> Manner:
    sampling = None
    if arguments.sample is not None:
        seed = arguments.seed if arguments.seed is not None else secrets.randbelow(1_000_000)
        sampling = Sampling(arguments.sample / 100, seed)
    return Manner(arguments.workers, arguments.pause, sampling)
