"""A spec that compiles, for a design. The compiler judges each draft: what it refuses stays at the source, and the spec
says why. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shardwright.compiler.advise.design import Design, Way
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.spec_text import Draft, Target, entry_lines, spec_text
from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.specs.findings.diagnostics import Diagnostic, Severity, SpecError
from shardwright.specs.spec.read import parse_spec

FILE: Final = "specs/proposed.yaml"
_DRAFTS: Final = 8
"""So many drafts are made. A schema that needs more is refused with what was found last."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """`design` is what the spec says now: a table may have lost its place. `draft` has what stays at the source."""

    design: Design
    draft: Draft
    compiled: CompiledPlan

    @property
    def tables_left_out(self) -> Mapping[str, str]:
        """Tables that stay at the source, each with the reason."""
        return self.draft.left_out

    def text(self, source: SourceDatabase, notes: Mapping[str, Sequence[str]]) -> str:
        """The spec, with comments on the entries of tables."""
        known = self.draft.notes
        every = {table: (*known.get(table, ()), *notes.get(table, ())) for table in {**known, **notes}}
        return spec_text(self.design, source, replace(self.draft, notes=every, has_groups=True))


def propose_spec(design: Design, source: SourceDatabase, target: Target) -> Proposal:
    """Raises SpecError with what leaving a table out does not help."""
    draft = Draft(target, _unreadable(source), has_groups=False)
    for _ in range(_DRAFTS):
        text = spec_text(design, source, draft)
        try:
            compiled = build_plan(parse_spec(text, FILE), schema=source.schema, ddl={})
        except SpecError as error:
            last = error
            blamed = _blame(error.diagnostics, text, source)
            if not blamed:
                raise
            design, draft = _revise(design, draft, blamed)
            continue
        return Proposal(design, draft, compiled)
    raise last


def _unreadable(source: SourceDatabase) -> dict[str, str]:
    """Tables that no server would copy as they are."""
    return {name: f"it has {table.refused[0]}" for name, table in source.tables.items() if table.refused}


def _blame(found: Iterable[Diagnostic], text: str, source: SourceDatabase) -> Mapping[str, Diagnostic]:
    """The first error about each table."""
    lines = entry_lines(text)
    starts = sorted((table.span.line, name) for name, table in source.tables.items())
    blamed: dict[str, Diagnostic] = {}
    for one in found:
        if one.severity is not Severity.ERROR:
            continue
        if one.span.file == source.file:
            name = next((name for line, name in reversed(starts) if line <= one.span.line), None)
        else:
            written = lines.get(one.span.line)
            name = None if written is None else source.names.key_of(written)
        if name is not None:
            blamed.setdefault(name, one)
    return blamed


def _revise(design: Design, draft: Draft, blamed: Mapping[str, Diagnostic]) -> tuple[Design, Draft]:
    """A table that cannot be placed as the design says is copied whole; one that cannot be copied stays."""
    placements = dict(design.placements)
    left_out = dict(draft.left_out)
    notes = {table: list(found) for table, found in draft.notes.items()}
    for table, one in blamed.items():
        placement = placements.get(table)
        if placement is None:
            continue
        if placement.way not in (Way.SINGLE, Way.BROADCAST) and table not in notes:
            why = f"{one.code}: {one.message}"
            placements[table] = replace(placement, way=Way.SINGLE, columns=(), parent=None, reason=why)
            notes[table] = [f"Not {placement.way}: {why}"]
        else:
            left_out[table] = f"{one.code}: {one.message}"
    for table, placement in list(placements.items()):
        parent = placement.parent
        if parent is not None and (parent in left_out or not placements[parent].is_in_family):
            why = f"its parent {parent} has no place by the key"
            placements[table] = replace(placement, way=Way.SINGLE, columns=(), parent=None, reason=why)
    return Design(design.key, placements), replace(draft, left_out=left_out, notes=notes)
