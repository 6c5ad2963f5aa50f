"""`verify`: the comparison as a command. Which lines does it print while it works, and which reports does it write?

Runs in the process of the command; reads source servers and shards, writes report files.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from shardwright.compiler.plan.summary import few
from shardwright.runtime.cli import next_commands
from shardwright.runtime.cli.comparing import compare, compare_recent, compare_since_verified
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.event_log import report_events
from shardwright.runtime.cli.next_commands import ComparisonFacts
from shardwright.runtime.cli.notifying import add_channels
from shardwright.runtime.cli.reporting import write_private_file
from shardwright.runtime.events.compare import TableCompared
from shardwright.runtime.events.event import Emit
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.runtime.ledger.left_out import count_left_out
from shardwright.runtime.mysql.estimates import estimate_rows
from shardwright.runtime.run.throttle.throttle import throttle_comparison
from shardwright.runtime.verify.last_report import LastReport, read_last_report
from shardwright.runtime.verify.mismatch_lines import mismatch_lines
from shardwright.runtime.verify.report import as_event, as_json, as_text, exit_code
from shardwright.runtime.verify.result import Mismatch, Verdict, VerifyResult
from shardwright.runtime.verify.sample import Sampling
from shardwright.runtime.verify.table_run import Manner, Progress
from shardwright.runtime.verify.verify import CompareRequest

_EVERY = 5.0
Found = Callable[[Sequence[Mismatch]], None]


class VerifyLines:
    """Emits an event every 5 seconds.

    `expected` gives the rows of each logical table, as the source estimates them. It is called when the first line is
    due.
    """

    def __init__(self, emit: Emit, *, now: Callable[[], float] = time.monotonic) -> None:
        self.expected: Callable[[], Mapping[str, int]] = dict
        self._emit = emit
        self._now = now
        self._said = now()

    def show(self, progress: Progress) -> None:
        if self._now() - self._said < _EVERY:
            return
        self._said = self._now()
        rate = progress.rows / progress.seconds if progress.seconds > 0 else None
        expected = self._estimates.get(progress.table, 0)
        left = None
        if expected > progress.rows and progress.rows:
            left = progress.seconds * (expected - progress.rows) / progress.rows
        self._emit(TableCompared(progress.table, progress.rows, progress.mismatches, rate, expected, left))

    @cached_property
    def _estimates(self) -> Mapping[str, int]:
        return self.expected()


def _json_text(result: VerifyResult, _deployed: Deployment, _last: LastReport | None) -> str:
    return json.dumps(as_json(result), indent=2, ensure_ascii=False) + "\n"


def _page(result: VerifyResult, deployed: Deployment, last: LastReport | None) -> str:
    from shardwright.runtime.verify.html_report import Circumstances, as_html

    servers = deployed.servers
    by_server: dict[str, list[str]] = defaultdict(list)
    for endpoint, database in zip(servers.shards, servers.targets, strict=True):
        by_server[str(endpoint)].append(database)
    named = (
        *(f"{name}: {endpoint}" for name, endpoint in servers.sources.items()),
        *(f"{few(databases)}: {endpoint}" for endpoint, databases in by_server.items()),
    )
    return as_html(result, where=Circumstances(deployed.environment.name, named, version("shardwright"), last))


_FORMS: dict[str, Callable[[VerifyResult, Deployment, LastReport | None], str]] = {"json": _json_text, "html": _page}
_AS_FOUND = "jsonl"
"""The form that is written while the comparison works."""


def parse_reports(reports: Sequence[str]) -> list[tuple[str, Path]]:
    """Form and file of each `FORM=PATH`. Raises RuntimeFailure (SW8007) before the comparison, which may take hours."""
    pairs = [(form, path) for form, _, path in (report.partition("=") for report in reports)]
    for (form, path), report in zip(pairs, reports, strict=True):
        known = (*_FORMS, _AS_FOUND)
        if form not in known or not path:
            raise RuntimeFailure(
                "SW8007", f"--report {report}: only {', '.join(f'{one}=PATH' for one in known)} are known"
            )
    return [(form, Path(path)) for form, path in pairs]


def write(
    result: VerifyResult, reports: Sequence[tuple[str, Path]], deployed: Deployment, last: LastReport | None
) -> None:
    """Writes the reports. Raises RuntimeFailure (SW8051) when a file cannot be written."""
    for form, path in reports:
        if form != _AS_FOUND:
            write_private_file(_FORMS[form](result, deployed, last), path)


def execute(arguments: argparse.Namespace) -> int:
    _require_fitting(arguments)
    reports = parse_reports(arguments.report)
    with report_events(arguments) as reporter, _as_found(reports) as found:
        forward = deployment(arguments)
        deployed = forward.in_force()
        add_channels(reporter, deployed.environment, deployed.servers, deployed.plan.migration)
        last = None if arguments.last is None else read_last_report(Path(arguments.last), deployed.plan.migration)
        compare_them = _compare_changes if _is_about_changes(arguments) else _all
        result = compare_them(arguments, deployed, found, reporter.emit)
        if result.verdict is Verdict.DIFFERENT:
            reporter.emit(as_event(result))
    with closing(deployed.servers.connect_shard(0)) as control:
        result = replace(result, left_out=count_left_out(control, deployed.plan.migration))
    if result.verdict is Verdict.DIFFERENT and arguments.causes:
        result = _explain(result, forward, arguments.causes)
    write(result, reports, deployed, last)
    facts = _facts(result, reports, arguments)
    if arguments.format == "json":
        data = {**as_json(result), "next": next_commands.as_json(facts, arguments)}
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        print("\n".join(filter(None, (as_text(result), next_commands.as_lines(facts, arguments)))))
    return exit_code(result)


def _explain(result: VerifyResult, forward: Deployment, at_most: int) -> VerifyResult:
    from shardwright.runtime.causes.cascades import name_cascades  # only where something differs
    from shardwright.runtime.causes.explain import explain_causes
    from shardwright.runtime.cli.legs import read_legs

    if not result.direction.reads_shards:
        result = name_cascades(result, forward.plan, forward.servers)
    return explain_causes(result, tuple(read_legs(forward)), at_most=at_most)


def _facts(result: VerifyResult, reports: Sequence[tuple[str, Path]], arguments: argparse.Namespace) -> ComparisonFacts:
    report = next((str(path) for form, path in reports if form == "json"), None)
    return ComparisonFacts(
        result.verdict.value,
        whole=_is_whole(arguments) and arguments.invariants == "also",
        report=report,
        reads_shards=result.direction.reads_shards,
    )


@contextmanager
def _as_found(reports: Sequence[tuple[str, Path]]) -> Iterator[Found | None]:
    """What gets mismatches as they are found; None where no report is written meanwhile."""
    with ExitStack() as opened:
        files = [opened.enter_context(mismatch_lines(path)) for form, path in reports if form == _AS_FOUND]

        def add(mismatches: Sequence[Mismatch]) -> None:
            for file in files:
                file.add(mismatches)

        yield add if files else None


def _require_fitting(arguments: argparse.Namespace) -> None:
    """Raises InputAtFault (SW8530) for options that do not go together."""
    reason = None
    if arguments.sample is not None and arguments.checkpoint:
        reason = "--checkpoint is of a comparison of all rows: leave it or --sample out"
    elif arguments.checkpoint and any(report.startswith(f"{_AS_FOUND}=") for report in arguments.report):
        reason = "--checkpoint may do a range twice: leave it or --report jsonl= out"
    elif arguments.recent and arguments.since_verified:
        reason = "--since-verified compares more than --recent: leave one of them out"
    elif _is_about_changes(arguments) and (
        arguments.sample is not None or arguments.checkpoint or arguments.at_position
    ):
        option = "--recent" if arguments.recent else "--since-verified"
        reason = f"{option} compares what was changed: leave out --sample, --checkpoint and --at-position"
    elif arguments.shard and (_is_about_changes(arguments) or arguments.checkpoint):
        reason = "--shard compares one database's rows: leave out --recent, --since-verified and --checkpoint"
    elif arguments.invariants == "only" and not _is_whole(arguments):
        reason = "--invariants only compares nothing but the invariants: leave out what chooses rows"
    elif arguments.every is not None and not arguments.recent:
        reason = "--every goes with --recent"
    elif arguments.last is not None and not any(report.startswith("html=") for report in arguments.report):
        reason = "--last goes with --report html=PATH"
    elif arguments.seed is not None and arguments.sample is None:
        reason = "--seed goes with --sample"
    if reason:
        raise InputAtFault("SW8530", reason)


def _is_about_changes(arguments: argparse.Namespace) -> bool:
    """Whether only rows that the stream has changed are compared."""
    return bool(arguments.recent or arguments.since_verified)


def _compare_changes(
    arguments: argparse.Namespace, deployed: Deployment, found: Found | None, emit: Emit
) -> VerifyResult:
    plan, servers, environment = deployed.plan, deployed.servers, deployed.environment
    with throttle_comparison(plan, servers, environment, environ=os.environ, emit=emit) as wait:
        manner = Manner(wait=wait, found=found)
        if arguments.since_verified:
            return compare_since_verified(
                deployed, tables=arguments.table, patience=arguments.timeout, manner=manner, emit=emit
            )
        return compare_recent(
            deployed,
            tables=arguments.table,
            patience=arguments.timeout,
            every=arguments.every,
            manner=manner,
            emit=emit,
        )


def _all(arguments: argparse.Namespace, deployed: Deployment, found: Found | None, emit: Emit) -> VerifyResult:
    plan, servers, environment = deployed.plan, deployed.servers, deployed.environment
    with throttle_comparison(plan, servers, environment, environ=os.environ, emit=emit) as wait:
        request = CompareRequest(
            tables=() if arguments.invariants == "only" else arguments.table,
            only_shard=arguments.shard,
            manner=replace(_manner(arguments), wait=wait, found=found),
            checkpoint=Path(arguments.checkpoint) if arguments.checkpoint else None,
        )
        return compare(
            deployed,
            request,
            on_progress=_lines(arguments, deployed, emit).show,
            at_position=arguments.at_position,
            patience=arguments.timeout,
            invariants=arguments.invariants != "no" and _is_whole(arguments),
            emit=emit,
        )


def _is_whole(arguments: argparse.Namespace) -> bool:
    """Whether all rows are compared. Invariants are asked of all rows, or not at all."""
    return not (arguments.table or arguments.shard or _is_about_changes(arguments) or arguments.sample is not None)


def _lines(arguments: argparse.Namespace, deployed: Deployment, emit: Emit) -> VerifyLines:
    lines = VerifyLines(emit)
    if arguments.sample is None:
        lines.expected = lambda: estimate_rows(deployed.plan, deployed.servers)
    return lines


def _manner(arguments: argparse.Namespace) -> Manner:
    sampling = None
    if arguments.sample is not None:
        seed = arguments.seed if arguments.seed is not None else secrets.randbelow(1_000_000)
        sampling = Sampling(arguments.sample / 100, seed)
    return Manner(arguments.workers, arguments.pause, sampling)
