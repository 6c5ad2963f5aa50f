"""`diff`: what differs between two versions of a project, and how many rows would move, by keys from a file?

Runs in the process of the command, offline; reads the older version from git.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.refusals import ProjectRefused
from shardwright.compiler.project.base_version import project_at
from shardwright.compiler.project.checking import compile_specs, conclude
from shardwright.compiler.project.project import Project, find_project
from shardwright.compiler.review.difference.compare import Difference, compare
from shardwright.compiler.review.difference.render_json import render_json
from shardwright.compiler.review.difference.render_markdown import render_markdown
from shardwright.compiler.review.difference.render_text import render_text
from shardwright.compiler.review.report.result import FailOn
from shardwright.compiler.sharding.csv_text import Cell, CsvFault, read_csv
from shardwright.compiler.sharding.key_values import NotOfType, key_value
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.failures import RuntimeFailure
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Span, SpecError


class KeyFile:
    """Keys from a CSV file, whose first line names columns.

    Raises RuntimeFailure (SW8811) with the line that cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            lines = list(read_csv(path.read_text("utf-8-sig"), file=str(path)))
        except (OSError, UnicodeDecodeError) as error:
            raise RuntimeFailure("SW8811", f"cannot read {path}: {error}") from None
        except CsvFault as fault:
            raise RuntimeFailure("SW8811", f"{fault.span}: {fault.message}") from None
        if len(lines) < 2:
            raise RuntimeFailure("SW8811", f"{path}: a line with column names and at least one key are needed")
        self._names, self._lines = [cell.text.strip() for cell in lines[0]], lines[1:]

    def rows(self, table: TablePlan, columns: frozenset[str]) -> Sequence[Mapping[str, object]] | None:
        """Every line as a row of these columns; None when the file lacks one of them."""
        known = [Column(c.name, c.type, c.nullable) for c in table.source.columns if c.name in columns]
        names = {column.name for column in known}
        if names != columns or not names <= set(self._names):
            return None
        places = [(column, self._names.index(column.name)) for column in known]
        return [{column.name: self._value(line, place, column) for column, place in places} for line in self._lines]

    def _value(self, line: Sequence[Cell], place: int, column: Column) -> object:
        try:
            return key_value(line[place].text, column)
        except (NotOfType, IndexError):
            shown = line[place].text if place < len(line) else "nothing"
            kind = column.type.name
            message = f"'{shown}' is no {kind} value (bytes are written as hexadecimal)"
            raise RuntimeFailure("SW8811", f"{self._path}:{line[0].span.line}: {message}") from None


def execute(arguments: argparse.Namespace) -> int:
    project, base = find_project(arguments.project), arguments.base
    now = _compile(project)
    with project_at(project, base) as then:
        before = _base(then, base)
    sample = KeyFile(Path(arguments.sample)).rows if arguments.sample else (lambda table, columns: None)
    names = sorted(before.keys() | now.keys())
    differences = tuple(compare(before.get(name), now.get(name), sample=sample) for name in names)
    print(_renderer(arguments)(differences, base), end="")
    changed = any(difference.changes or difference.replans for difference in differences)
    return Exit.CHANGES_PRESENT if changed and arguments.detailed_exitcode else Exit.DONE


def _renderer(arguments: argparse.Namespace) -> Callable[[Sequence[Difference], str], str]:
    match arguments.format:
        case "json":
            return lambda found, base: render_json(found, base=base)
        case "markdown":
            return lambda found, base: render_markdown(found, base=base)
        case _:
            return lambda found, base: render_text(found, base=base, with_sql=arguments.sql)


def _compile(project: Project) -> Mapping[str, CompiledPlan]:
    """The compiled specs by migration. Raises SpecError with the findings of all specs, when one is an error."""
    checked = compile_specs(project, project.spec_files())
    findings = conclude("diff", checked, project=project)
    if findings.fails(FailOn.ERROR):
        raise SpecError(findings.visible_findings)
    return {each.compiled.plan.migration: each.compiled for each in checked if each.compiled is not None}


def _base(then: Project, ref: str) -> Mapping[str, CompiledPlan]:
    """The older version's plans. Findings in them are reported as places at that commit."""
    try:
        return _compile(then)
    except SpecError as error:
        findings = [_at(diagnostic, then, ref) for diagnostic in error.diagnostics]
        for finding in findings:
            if finding.code == "SW1013":
                raise _leads_outside(ref, f"{finding.span}: {finding.message}") from None
        raise SpecError(findings) from None
    except ProjectRefused as failure:
        if failure.code == "SW8013":
            raise _leads_outside(ref, failure.message.replace(f"{then.display_path(then.root)}/", "")) from None
        if failure.code == "SW8005":  # no specs yet: everything is new
            return {}
        raise


def _leads_outside(ref: str, said: str) -> ProjectRefused:
    return ProjectRefused("SW8810", f"cannot read the specs at '{ref}' (name a --base without such a link): {said}")


def _at(diagnostic: Diagnostic, then: Project, ref: str) -> Diagnostic:
    def place_at(span: Span) -> Span:
        return replace(span, file=f"{ref}:{_inside(then, span.file)}")

    notes = tuple(Note(note.text, place_at(note.span) if note.span else None) for note in diagnostic.notes)
    return replace(diagnostic, span=place_at(diagnostic.span), notes=notes)


def _inside(then: Project, file: str) -> str:
    path = Path(file).resolve()
    root = then.root.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file
