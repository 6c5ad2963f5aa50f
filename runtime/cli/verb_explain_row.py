"""`explain-row`: where does a row belong, what do both sides have of it, which changes had it, and where was it lost?

Runs in the process of the command, beside a run; reads the source, all shards, their logs and ledgers, and writes
nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from shardwright.compiler.project.checking import compile_specs
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.legs import read_legs
from shardwright.runtime.cli.reporting import write_private_file
from shardwright.runtime.cli.signals import end_on_signals
from shardwright.runtime.history.asked_key import parse_key, table_of
from shardwright.runtime.history.entries import describe_change
from shardwright.runtime.history.facts import RowFacts
from shardwright.runtime.history.forms import as_json, as_text, verdict_text
from shardwright.runtime.history.gather import Question, RowExplainer
from shardwright.runtime.history.verdict import judge
from shardwright.runtime.rehearsal.route.subject import Subject

_LOOK_EVERY: Final = 1.0


def execute(arguments: argparse.Namespace) -> int:
    end_on_signals()
    deployed = deployment(arguments)
    explainer = RowExplainer(_question(deployed, arguments))
    try:
        facts = explainer.read()
        _print(facts, arguments)
        if arguments.html:
            _write_page(facts, arguments)
        if arguments.follow:
            _follow(explainer, facts, arguments)
    finally:
        explainer.close()
    return 0


def _question(deployed: Deployment, arguments: argparse.Namespace) -> Question:
    table = table_of(deployed.plan, arguments.table)
    key = parse_key(table, arguments.key)
    functions = _compile_rules(deployed) if table.placement.shard_key else {}
    subject = Subject(deployed.plan, table, functions.get(table.logical))
    return Question(tuple(read_legs(deployed)), subject, key, reads_logs=not arguments.without_logs)


def _compile_rules(deployed: Deployment) -> Mapping[str, ShardFunction]:
    """The Python form of the plan's rules, by logical table: a plan that was read has none. Empty where the specs say
    something else by now."""
    checked = compile_specs(deployed.project, deployed.project.spec_files())
    for item in checked:
        if item.compiled is not None and item.compiled.plan.fingerprint == deployed.plan.fingerprint:
            return item.compiled.functions
    return {}


def _print(facts: RowFacts, arguments: argparse.Namespace) -> None:
    verdict = judge(facts)
    if arguments.format == "json":
        print(as_json(facts, verdict, indent=None if arguments.follow else 2), flush=True)
    else:
        print(as_text(facts, verdict), flush=True)


def _write_page(facts: RowFacts, arguments: argparse.Namespace) -> None:
    from shardwright.runtime.history.html_page import as_html

    write_private_file(as_html(facts, judge(facts), environment=arguments.env), Path(arguments.html))


def _follow(explainer: RowExplainer, facts: RowFacts, arguments: argparse.Namespace) -> None:
    """Until it is interrupted."""
    while True:
        time.sleep(_LOOK_EVERY)
        now = explainer.read()
        if now == facts or _same(facts, now):
            continue
        if arguments.format == "json":
            _print(now, arguments)
        else:
            print("\n".join(_news(facts, now)), flush=True)
        facts = now


def _same(facts: RowFacts, now: RowFacts) -> bool:
    """Whether only the stream's position differs."""
    return (facts.changes, facts.read_side, facts.write_side, judge(facts)) == (
        now.changes,
        now.read_side,
        now.write_side,
        judge(now),
    )


def _news(facts: RowFacts, now: RowFacts) -> Iterator[str]:
    known = {(change.log, change.position, change.row): change for change in facts.changes}
    for change in now.changes:
        if known.get((change.log, change.position, change.row)) != change:
            yield from describe_change(change).text_lines()
    yield verdict_text(judge(now))
