"""Advice about a database that is not sharded yet: designs in the order of what they cost, with their traps. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shardwright.compiler.advise.assess import Assessment, assess
from shardwright.compiler.advise.candidates import find_candidates
from shardwright.compiler.advise.design import Candidate, make_design
from shardwright.compiler.advise.proposal import propose_spec
from shardwright.compiler.advise.references import Reference, find_references
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.spec_text import Target
from shardwright.compiler.advise.suggestion import suggest_statements
from shardwright.compiler.advise.trap import Kind, Trap
from shardwright.compiler.advise.traps import find_key_traps, find_traps
from shardwright.compiler.workload.statement import WorkloadStatement
from shardwright.specs.findings.diagnostics import Severity, SpecError

MOST: Final = 6
"""So many keys are looked at closely: each is compiled."""
_MOST_OTHERS: Final = 40
"""So many more are looked at without that."""


@dataclass(frozen=True, slots=True)
class JudgedDesign:
    """A design that compiles."""

    assessment: Assessment
    traps: tuple[Trap, ...]

    @property
    def key(self) -> Candidate:
        return self.assessment.proposal.design.key

    def spec_text(self, source: SourceDatabase) -> str:
        """The design as a spec that compiles. Comments name the traps of each table."""
        notes: dict[str, list[str]] = {}
        for trap in self.traps:
            says_nothing = trap.kind is Kind.NUMBERS or (trap.kind is Kind.NO_KEY and not trap.calls)
            if trap.table and not trap.statement and not says_nothing:
                column = f" {trap.column}" if trap.column else ""
                notes.setdefault(source.names.key_of(trap.table), []).append(f"{trap.kind}{column}: {trap.text}")
        return self.assessment.proposal.text(source, notes)


@dataclass(frozen=True, slots=True)
class OtherKey:
    """A key that was not looked at closely: it would place few of the calls, or (`reason`) nothing compiles by it."""

    key: Candidate
    reason: str
    traps: tuple[Trap, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """`designs` are ranked, the best first; `others` are keys that are worse. `is_suggested`: no workload was given,
    and the statements are those that the schema suggests, as often as the server has counted rows where it counts."""

    source: SourceDatabase
    references: tuple[Reference, ...]
    designs: tuple[JudgedDesign, ...]
    others: tuple[OtherKey, ...]
    shards: int
    is_suggested: bool

    def find(self, key: str) -> JudgedDesign | None:
        """The design by its key's name, such as users.id."""
        return next((one for one in self.designs if one.key.name in (key, key.lower())), None)


def advise(source: SourceDatabase, target: Target, *, most: int = MOST) -> Advice:
    """`target` says how many shards. At most so many keys are looked at closely."""
    references = find_references(source)
    is_suggested = not source.statements
    statements = source.statements or suggest_statements(source, references)
    if is_suggested and source.has_row_counts:
        source = source.with_statements(statements)
    keys = find_candidates(source, references)
    designs: list[JudgedDesign] = []
    others: list[OtherKey] = []
    for key in keys[:most]:
        try:
            designs.append(_judge(key, source, references, target, statements))
        except SpecError as error:
            others.append(_other(key, _first_error(error), source, references, target))
    for key in keys[most : most + _MOST_OTHERS]:
        others.append(_other(key, "few statements name it", source, references, target))
    ranked = sorted(designs, key=lambda one: (round(one.assessment.cost, 4), one.key.table is None, one.key.name))
    return Advice(
        source,
        references,
        tuple(_distinct(ranked)),
        tuple(others),
        len(target.names),
        is_suggested=is_suggested,
    )


def _other(
    key: Candidate, reason: str, source: SourceDatabase, references: tuple[Reference, ...], target: Target
) -> OtherKey:
    design = make_design(key, source, references, only_key=True)
    return OtherKey(key, reason, find_key_traps(design, source, references, shards=len(target.names)))


def _judge(
    key: Candidate,
    source: SourceDatabase,
    references: tuple[Reference, ...],
    target: Target,
    statements: Sequence[WorkloadStatement],
) -> JudgedDesign:
    proposal = propose_spec(make_design(key, source, references), source, target)
    found = assess(proposal, source, statements, len(target.names))
    return JudgedDesign(found, find_traps(found, source, references))


def _first_error(error: SpecError) -> str:
    found = [one for one in error.diagnostics if one.severity is Severity.ERROR]
    return f"{found[0].code}: {found[0].message}" if found else str(error)


def _distinct(ranked: Sequence[JudgedDesign]) -> Iterator[JudgedDesign]:
    """Two keys that place every table by the same columns are one."""
    seen: set[frozenset[object]] = set()
    for one in ranked:
        placed = frozenset(
            (placement.table, placement.way, placement.columns)
            for placement in one.assessment.proposal.design.placements.values()
        )
        if placed not in seen:
            seen.add(placed)
            yield one
