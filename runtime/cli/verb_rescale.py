"""`rescale`: what is the spec of the next migration, whose source are the shards of this one, and which rows move?

Runs in the process of the command, offline; writes a spec and its schema file, both new.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from shardwright.compiler.project.checking import CheckedSpec, compile_specs, conclude
from shardwright.compiler.project.project import Project, find_project
from shardwright.compiler.rescale.document import silence
from shardwright.compiler.rescale.moves_text import as_json, as_text, groups
from shardwright.compiler.rescale.next_spec import Order, next_spec
from shardwright.compiler.review.report.result import FailOn
from shardwright.runtime.cli import next_commands
from shardwright.runtime.cli.next_commands import SpecFacts
from shardwright.runtime.cli.project_output import write_project_files
from shardwright.runtime.cli.reporting import deliver
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.spec.model import Spec
from shardwright.specs.yaml.topology import TopologyFault, expand


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    databases = _names("--databases", arguments.databases)
    suffixes = _names("--suffix", arguments.suffix, may_be_empty=True)
    before = _compile(project, Path(arguments.spec))
    assert before.spec is not None and before.compiled is not None
    migration = arguments.migration or f"{before.spec.migration}-{len(databases)}x{len(suffixes)}"
    output = Path(arguments.output) if arguments.output else project.root / "specs" / f"{migration}.yaml"
    schema = f"schema/{migration}.sql"
    order = Order(migration, databases, suffixes, schema, dict(map(_rule, arguments.rule)))
    made = next_spec(before.spec, before.compiled.plan, order)
    files = {output: made.spec, project.root / schema: made.schema}
    _require_new(files)
    write_project_files(project, files)
    after = _silence(project, before, files)
    result = conclude("rescale", (after,), project=project)
    status = deliver(result, arguments)
    for path in files:
        print(f"written {project.display_path(path)}", file=sys.stderr)
    if after.compiled is not None:
        plan, moved = after.compiled.plan, groups(after.compiled)
        if arguments.format == "text":
            print(as_text(plan, moved), end="")
        else:
            advice = next_commands.as_json(SpecFacts((), has_plans=False), arguments)
            print(json.dumps({"migration": migration, "moves": as_json(plan, moved), "next": advice}, indent=2))
    return status


def _names(option: str, text: str, *, may_be_empty: bool = False) -> tuple[str, ...]:
    try:
        return expand(text.split(","), may_be_empty=may_be_empty)
    except TopologyFault as fault:
        raise InputAtFault("SW8007", f"{option}: {fault.message}") from None


def _rule(text: str) -> tuple[str, Mapping[str, object]]:
    name, sign, written = text.partition("=")
    try:
        rule = yaml.safe_load(written)
    except yaml.YAMLError:
        rule = None
    if not sign or not isinstance(rule, dict):
        example = "--rule 'by_user={database: crc32(user_id) % 4, table: (crc32(user_id) div 4) % 4}'"
        raise InputAtFault("SW8007", f"--rule {text}: a rule's name and a mapping in YAML are needed: {example}")
    return name, rule


def _compile(project: Project, file: Path) -> CheckedSpec:
    (checked,) = compile_specs(project, (file,))
    if checked.compiled is None:
        raise SpecError(list(checked.findings))
    return checked


def _require_new(files: Iterable[Path]) -> None:
    there = [str(path) for path in files if os.path.lexists(path)]
    if there:
        raise RuntimeFailure("SW8052", f"nothing was written: {', '.join(there)} exists already")


def _silence(project: Project, before: CheckedSpec, files: Mapping[Path, str]) -> CheckedSpec:
    """The new spec, compiled, after the old one's silences were written into it wherever its findings come again."""
    output = next(iter(files))
    (after,) = compile_specs(project, (output,))
    found = conclude("rescale", (after,), project=project)
    if found.fails(FailOn.ERROR):
        return after
    old = conclude("rescale", (before,), project=project).findings
    reasons = {(item.code, _table_at(before.draft, item)): item.suppressed for item in old if item.suppressed}
    changed = {}
    for path, text in files.items():
        here = [item for item in found.visible_findings if item.span.file == project.display_path(path)]
        named = [(item, reasons.get((item.code, _table_at(after.draft, item)))) for item in here]
        added = [(item.span.line, item.code, reason) for item, reason in named if reason]
        if added:
            changed[path] = silence(text, added, sign="#" if path == output else "--")
    if not changed:
        return after
    write_project_files(project, changed)
    return compile_specs(project, (output,))[0]


def _table_at(spec: Spec | None, item: Diagnostic) -> str:
    """The logical table whose entry a finding is about; empty when it is in another file."""
    if spec is None or spec.file != item.span.file:
        return ""
    above = [entry for entry in spec.tables if spec.span_of((*entry.path, "table")).line <= item.span.line]
    return (above[-1].to or above[-1].table) if above else ""
