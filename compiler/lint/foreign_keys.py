"""Lint rules about foreign keys: whether both rows of one are in one database, and changes that no log shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from shardwright.compiler.lint.facts import ForeignKey
from shardwright.compiler.lint.rule import LintContext, LintTable, Rule, as_words
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity
from shardwright.specs.spec.model import Broadcast, Sharded, Single


class Distance(StrEnum):
    """TOGETHER: in the same database, always. UNPROVED: placed by the same columns, which the foreign key does not
    compare.
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
    return context.find_by_source(foreign_key.parent)


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
    if _is_located_by(child, pairs, parent):
        return Distance.TOGETHER
    placed_by = [(a.lower(), b.lower()) for a, b in zip(child.shard_key, parent.shard_key, strict=False)]
    if placed_by and all(pair in pairs for pair in placed_by):
        return Distance.TOGETHER
    if placed_by and all(a == b for a, b in placed_by):
        return Distance.UNPROVED
    return Distance.APART


def _is_located_by(child: LintTable, pairs: set[tuple[str, str]], parent: LintTable) -> bool:
    """Whether the child's rows are on the shard of just that row of the parent which the foreign key names."""
    distribution = child.entry.distribution
    if not isinstance(distribution, Sharded) or distribution.parent is None:
        return False
    if distribution.parent.parent != parent.logical:
        return False
    source_names = {column.target: column.source for column in parent.columns}
    via = zip(distribution.parent.via, parent.resolved.key, strict=False)
    return all((own.lower(), source_names[key].lower()) in pairs for own, key in via)


def check_foreign_key_across_shards(context: LintContext) -> Iterator[Diagnostic]:
    """A foreign key whose two rows may be in different databases."""
    for reference in references(context):
        parent = reference.parent
        if parent is None or reference.distance not in (Distance.APART, Distance.UNPROVED):
            continue
        child = reference.child.logical
        name = reference.foreign_key.title
        if reference.distance is Distance.UNPROVED:
            columns = ", ".join(reference.child.shard_key)
            message = (
                f"foreign key {name} of '{child}': both tables are placed by ({columns}), which the foreign key does "
                f"not compare: a row that differs in it from its row of '{parent.logical}' is on another shard"
            )
            hint = f"make ({columns}) part of the foreign key on the source, or look for rows that differ"
        else:
            message = (
                f"foreign key {name} of '{child}': its row of '{parent.logical}' "
                f"({_location_words(reference, of_parent=True)}) may be on another shard than its own "
                f"({_location_words(reference, of_parent=False)}): nothing checks it there, "
                "and joins miss rows"
            )
            hint = f"place both by the same column, or make '{parent.logical}' broadcast"
        yield FOREIGN_KEY_ACROSS_SHARDS.finding(
            message, context.reference_place(reference.foreign_key, reference.child), hint=hint
        )


def _location_words(reference: Reference, *, of_parent: bool) -> str:
    table = reference.parent if of_parent else reference.child
    assert table is not None
    match table.entry.distribution:
        case Sharded():
            return f"placed by {', '.join(table.shard_key) or 'its shard key'}"
        case Broadcast():
            return "in every database"
        case Single(database=database):
            return f"in {database}"


FOREIGN_KEY_ACROSS_SHARDS = Rule(
    "SW4303",
    "foreign-key-across-shards",
    Severity.WARNING,
    "a foreign key whose two rows may be on different shards",
    check_foreign_key_across_shards,
)


def check_foreign_key_to_unmoved_table(context: LintContext) -> Iterator[Diagnostic]:
    """A foreign key to a table that the migration does not move."""
    for reference in references(context):
        if reference.distance is not Distance.UNMOVED:
            continue
        foreign_key = reference.foreign_key
        message = (
            f"foreign key {foreign_key.title} of '{reference.child.logical}' refers to '{foreign_key.parent}', which "
            "is not moved: on the shards its rows point at nothing"
        )
        hint = f"add '{foreign_key.parent}' to the spec's tables, or continue to read it where it is"
        yield FOREIGN_KEY_TO_UNMOVED_TABLE.finding(
            message, context.reference_place(reference.foreign_key, reference.child), hint=hint
        )


FOREIGN_KEY_TO_UNMOVED_TABLE = Rule(
    "SW4304",
    "foreign-key-to-unmoved-table",
    Severity.WARNING,
    "a foreign key to a table that is not moved",
    check_foreign_key_to_unmoved_table,
)


def check_foreign_key_left_out(context: LintContext) -> Iterator[Diagnostic]:
    """Foreign keys whose rows stay together are left out of the target too (hazard G5); this says so, once a table."""
    together: dict[str, list[Reference]] = {}
    for reference in references(context):
        if reference.distance is Distance.TOGETHER:
            together.setdefault(reference.child.logical, []).append(reference)
    for child, found in together.items():
        parents = as_words(sorted({each.parent.logical for each in found if each.parent is not None}))
        keys = "a foreign key" if len(found) == 1 else f"{len(found)} foreign keys"
        message = f"'{child}' has {keys} to {parents}, left out of the target: there only the application enforces them"
        hint = (
            "let the application check them; after the migration has ended they can be added by hand on every shard, "
            "not by a DDL file (SW4209)"
        )
        yield FOREIGN_KEY_LEFT_OUT.finding(
            message, context.reference_place(found[0].foreign_key, found[0].child), hint=hint
        )


FOREIGN_KEY_LEFT_OUT = Rule(
    "SW4305",
    "foreign-key-left-out",
    Severity.WARNING,
    "foreign keys whose rows stay together: the target's tables have none all the same",
    check_foreign_key_left_out,
)


def check_cascade(context: LintContext) -> Iterator[Diagnostic]:
    """What a foreign key changes by itself is not in the binlog (hazard E22)."""
    for table in context.tables:
        for facts in table.facts:
            following = [each for each in facts.foreign_keys if each.child_actions]
            if not following:
                continue
            first = following[0]
            message = (
                f"the storage engine changes rows of '{facts.source.name}' by {_cite(first)}: servers before MySQL 9.6 "
                "do not log that, so the shards keep the old rows"
            )
            notes = tuple(
                Note(f"and by {_cite(each)}", context.node_place(each.node, facts.source.span))
                for each in following[1:]
            )
            hint = (
                "change such rows by statements of the application while the migration runs; `verify` finds those "
                "missed"
            )
            yield CASCADE.finding(message, context.node_place(first.node, facts.source.span), hint=hint, notes=notes)
            break


def _cite(foreign_key: ForeignKey) -> str:
    return f"{' and '.join(foreign_key.child_actions)} of foreign key {foreign_key.title}"


CASCADE = Rule(
    "SW4306",
    "cascade",
    Severity.WARNING,
    "ON UPDATE or ON DELETE with CASCADE, SET NULL or SET DEFAULT: changes that no log shows",
    check_cascade,
)
