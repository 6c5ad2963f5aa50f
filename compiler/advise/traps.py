"""What goes wrong with a design, before anybody builds it? Each trap names a table, a column or a statement. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shardwright.compiler.advise.assess import Assessment
from shardwright.compiler.advise.design import Design
from shardwright.compiler.advise.design_traps import RULES_OF_DESIGNS
from shardwright.compiler.advise.key_traps import RULES_OF_KEYS
from shardwright.compiler.advise.references import Reference
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.trap import Kind, Look, Trap


def find_traps(assessment: Assessment, source: SourceDatabase, references: Sequence[Reference]) -> tuple[Trap, ...]:
    """By kind; of one kind those with most calls first."""
    look = Look(assessment.proposal.design, source, references, assessment.shards, assessment.judged)
    return _in_order(trap for rule in (*RULES_OF_KEYS, *RULES_OF_DESIGNS) for trap in rule(look))


def find_key_traps(
    design: Design, source: SourceDatabase, references: Sequence[Reference], *, shards: int
) -> tuple[Trap, ...]:
    """Those of the key itself, of a design that was not compiled."""
    look = Look(design, source, references, shards, ())
    return _in_order(trap for rule in RULES_OF_KEYS for trap in rule(look))


def _in_order(traps: Iterable[Trap]) -> tuple[Trap, ...]:
    order = list(Kind)
    return tuple(sorted(traps, key=lambda trap: (order.index(trap.kind), -trap.calls, trap.table, trap.column)))
