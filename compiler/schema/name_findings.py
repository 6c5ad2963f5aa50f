"""Findings about names that the schema does not know, with the places that explain them."""

from __future__ import annotations

from collections.abc import Iterable

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.specs.findings.diagnostics import Findings, Note, Path, Span
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Spec


def check_names(
    spec: Spec,
    source: SourceTable,
    names: Iterable[tuple[Path, str]],
    *,
    findings: Findings,
    table: str | None = None,
    span: Span | None = None,
    hint: str | None = None,
) -> bool:
    """Whether every name, written at its path, is a column of `source`; `table` is how findings call it, `span` their
    place where it is not the path's, `hint` what they advise where no column has a similar name."""
    known = [column.name for column in source.columns]
    fine = True
    for path, name in names:
        if name not in known:
            message = f"column '{name}' is not in table '{table or source.name}'"
            advice = did_you_mean(name, known) or hint
            findings.error("SW2104", message, span or spec.span_of(path), hint=advice, notes=(table_note(source),))
            fine = False
    return fine


def indexed(path: Path, names: Iterable[str]) -> Iterable[tuple[Path, str]]:
    return (((*path, index), name) for index, name in enumerate(names))


def table_note(source: SourceTable) -> Note:
    return Note("columns come from", source.span)


def column_note(source: SourceTable, name: str) -> Note:
    return Note("the column stands at", source.column_spans.get(name, source.span))
