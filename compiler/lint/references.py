"""Where the row that a foreign key refers to stands, seen from the row that refers to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from shardwright.compiler.lint.facts import ForeignKey
from shardwright.compiler.lint.rule import LintContext, LintTable
from shardwright.specs.spec.model import Broadcast, Sharded, Single


class Distance(StrEnum):
    """TOGETHER: in the same database, always. UNPROVED: placed by the same columns, which the foreign key does not compare.
    APART: possibly on another shard. UNMOVED: the parent's table is not part of the migration."""

    TOGETHER = "together"
    UNPROVED = "unproved"
    APART = "apart"
    UNMOVED = "unmoved"


@dataclass(frozen=True, slots=True)
class Reference:
    """`parent` is None when it is not moved, or could not be resolved."""

    child: LintTable
    foreign_key: ForeignKey
    parent: LintTable | None
    distance: Distance

    @property
    def is_identifying(self) -> bool:
        """Whether the child is a detail of the parent: its primary key begins with the foreign key and goes on."""
        own = [name.lower() for name in self.child.source.primary_key]
        columns = {name.lower() for name in self.foreign_key.columns}
        return len(own) > len(columns) and set(own[: len(columns)]) == columns


def references(context: LintContext) -> Iterator[Reference]:
    """Every foreign key of a moved table, once for all the source tables of one pattern."""
    for child in context.tables:
        seen: set[tuple[str, ...]] = set()
        for facts in child.facts:
            for foreign_key in facts.foreign_keys:
                parent = _parent(context, foreign_key)
                key = (parent.logical if parent else foreign_key.parent, *foreign_key.columns)
                if key in seen or (parent is None and context.is_meant(foreign_key.parent)):
                    continue
                seen.add(key)
                yield Reference(child, foreign_key, parent, _distance(child, foreign_key, parent))


def _parent(context: LintContext, foreign_key: ForeignKey) -> LintTable | None:
    if foreign_key.parent_database and foreign_key.parent_database not in context.spec.source.databases:
        return None
    return context.moved(foreign_key.parent)


def _distance(child: LintTable, foreign_key: ForeignKey, parent: LintTable | None) -> Distance:
    if parent is None:
        return Distance.UNMOVED
    match child.entry.distribution, parent.entry.distribution:
        case _, Broadcast():
            return Distance.TOGETHER
        case Single(database=one), Single(database=other) if one == other:
            return Distance.TOGETHER
        case Sharded() as one, Sharded() as other:
            return _between_sharded(child, foreign_key, parent) if one.rule == other.rule else Distance.APART
        case _:
            return Distance.TOGETHER if child.physical_count == parent.physical_count == 1 else Distance.APART


def _between_sharded(child: LintTable, foreign_key: ForeignKey, parent: LintTable) -> Distance:
    if child.physical_count == 1:
        return Distance.TOGETHER
    pairs = {(a.lower(), b.lower()) for a, b in zip(foreign_key.columns, foreign_key.parent_columns, strict=False)}
    if _is_placed_through(child, pairs, parent):
        return Distance.TOGETHER
    placed_by = [(a.lower(), b.lower()) for a, b in zip(child.shard_key, parent.shard_key, strict=False)]
    if placed_by and all(pair in pairs for pair in placed_by):
        return Distance.TOGETHER
    if placed_by and all(a == b for a, b in placed_by):
        return Distance.UNPROVED
    return Distance.APART


def _is_placed_through(child: LintTable, pairs: set[tuple[str, str]], parent: LintTable) -> bool:
    """Whether the child's rows are on the shard of just that row of the parent which the foreign key names."""
    distribution = child.entry.distribution
    if not isinstance(distribution, Sharded) or distribution.parent is None:
        return False
    if distribution.parent.parent != parent.logical:
        return False
    source_names = {column.target: column.source for column in parent.columns}
    via = zip(distribution.parent.via, parent.resolved.key, strict=False)
    return all((own.lower(), source_names[key].lower()) in pairs for own, key in via)
