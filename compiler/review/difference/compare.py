"""Two compiled versions of one migration -> what changed between them, dangerous things first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import EVERY_TABLE, Plan, StepName, TablePlan, WayBack
from shardwright.compiler.plan.steps import Steps, plan_record, steps_to
from shardwright.compiler.plan.summary import few, spread_words
from shardwright.compiler.review.difference.changes import (
    BucketsChanged,
    Change,
    DistributionChanged,
    FilterChanged,
    Risk,
    RowsMove,
    SettingChanged,
    TableAdded,
    TableRemoved,
    WayBackFound,
    WayBackLost,
)
from shardwright.compiler.review.difference.columns import column_changes
from shardwright.compiler.review.difference.moved_rows import estimate_moves, make_layout
from shardwright.compiler.review.difference.policies import (
    changes_of_deferred_indexes,
    changes_of_existing_rows,
    delete_changes,
)
from shardwright.compiler.review.difference.statements import ddl_changes, sql_changes
from shardwright.compiler.sql.key_expressions import rename_columns
from shardwright.compiler.steps.conflict import RESOLVE
from shardwright.compiler.steps.writers import bucket_texts

Sample = Callable[[TablePlan, frozenset[str]], Sequence[Mapping[str, object]] | None]
"""Rows to try for a table whose placing reads these columns; None for the made-up key space."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`before` and `after` are plan fingerprints, None where the migration does not exist in that version."""

    migration: str
    before: str | None
    after: str | None
    changes: tuple[Change, ...]
    steps: Steps | None = None
    """What leads a begun migration to the new plan; None where there is no other plan to go on with."""

    @property
    def replans(self) -> bool:
        """Whether the plan is another one, or is gone."""
        return self.before is not None and self.before != self.after

    @property
    def restarts(self) -> bool:
        """Whether a migration that has begun under the old plan refuses the new one."""
        return self.steps is not None and bool(self.steps.impossible)

    @property
    def reversible(self) -> bool:
        return all(change.reversible for change in self.changes)


def compare(
    before: CompiledPlan | None, after: CompiledPlan | None, *, sample: Sample = lambda table, columns: None
) -> Difference:
    """At least one of the two is given; both are of the same migration."""
    some = after or before
    assert some is not None
    changes = sorted(_changes(before, after, sample), key=lambda change: (_ORDER[change.risk], change.table or ""))
    return Difference(
        some.plan.migration,
        before.plan.fingerprint if before else None,
        after.plan.fingerprint if after else None,
        tuple(changes),
        _steps(before, after),
    )


def _steps(before: CompiledPlan | None, after: CompiledPlan | None) -> Steps | None:
    if before is None or after is None or before.plan.fingerprint == after.plan.fingerprint:
        return None
    return steps_to(plan_record(before.plan), after.plan)


_ORDER = {Risk.DANGER: 0, Risk.REVIEW: 1, Risk.NOTE: 2}


def _changes(before: CompiledPlan | None, after: CompiledPlan | None, sample: Sample) -> Iterator[Change]:
    old = {table.logical: table for table in before.plan.tables} if before else {}
    new = {table.logical: table for table in after.plan.tables} if after else {}
    if before and after:
        yield from _topology(before.plan, after.plan)
        yield from sql_changes(before.plan, after.plan, EVERY_TABLE)
    yield from ddl_changes(before.plan.ddl if before else (), after.plan.ddl if after else ())
    for logical in sorted(old.keys() | new.keys()):
        if after and logical not in old:
            table = new[logical]
            physical = len(after.plan.shards(table)) * len(after.plan.parts(table))
            yield TableAdded(logical, len(table.columns), physical)
            yield from column_changes(None, table)
            yield from _ways_back(None, table)
            yield from changes_of_existing_rows(None, after.plan, logical)
            yield from changes_of_deferred_indexes(None, after.plan, logical)
        elif logical not in new:
            yield TableRemoved(logical)
        elif before and after:
            yield from _table(before, after, logical, sample)


def _topology(old: Plan, new: Plan) -> Iterator[Change]:
    if old.dialect != new.dialect:
        yield SettingChanged(None, "source dialect", old.dialect, new.dialect)
    if old.databases != new.databases:
        yield SettingChanged(None, "target databases", few(old.databases), few(new.databases))
    if old.ledgers != new.ledgers:
        there, here = (few(plan.ledgers or ["the target databases"]) for plan in (old, new))
        yield SettingChanged(None, "databases of the ledgers", there, here)
    yield from _buckets(old, new)
    if old.both_write != new.both_write:
        there, here = ("both sides" if plan.both_write else "one side" for plan in (old, new))
        yield SettingChanged(None, "who may write a row", there, here)
    if old.flight_recorder != new.flight_recorder:
        there, here = (str(plan.flight_recorder or "none") for plan in (old, new))
        yield SettingChanged(None, "decisions kept about a key", there, here)


def _buckets(old: Plan, new: Plan) -> Iterator[Change]:
    was, now = bucket_texts(old), bucket_texts(new)
    if was and (old.buckets != new.buckets or any(now.get(name, text) != text for name, text in was.items())):
        yield BucketsChanged(None, old.buckets, new.buckets)
    elif not old.buckets and new.buckets:
        yield SettingChanged(None, "virtual buckets", "none", str(new.buckets))


def _conflicts(plan: Plan, logical: str) -> str:
    return plan.step(logical, StepName.CONFLICT).statement(RESOLVE) if plan.both_write else ""


def _table(before: CompiledPlan, after: CompiledPlan, logical: str, sample: Sample) -> Iterator[Change]:
    old, new = before.plan.table(logical), after.plan.table(logical)
    yield from _location_changes(before, after, old, new, sample)
    yield from column_changes(old, new)
    yield from _ways_back(old, new)
    if _conflicts(before.plan, logical) != _conflicts(after.plan, logical) and before.plan.both_write:
        yield SettingChanged(logical, "what counts in a conflict", "51-conflict of before", "another 51-conflict")
    yield from delete_changes(old, new)
    if old.source.where != new.source.where:
        yield FilterChanged(logical, old.source.where, new.source.where)
    yield from changes_of_existing_rows(before.plan, after.plan, logical)
    yield from changes_of_deferred_indexes(before.plan, after.plan, logical)
    for setting, was, now in _settings(old, new):
        if was != now:
            yield SettingChanged(logical, setting, was, now)
    yield from sql_changes(before.plan, after.plan, logical)


def _ways_back(old: TablePlan | None, new: TablePlan) -> Iterator[Change]:
    """A new table that has no way back is named, since it closes that of the whole migration."""
    before = _one_way_columns(old) if old is not None else {}
    after = _one_way_columns(new)
    for column, way in after.items():
        if column not in before:
            yield WayBackLost(new.logical, column, way.verdict, way.why)
    yield from (WayBackFound(new.logical, column) for column in before if column not in after)


def _one_way_columns(table: TablePlan) -> Mapping[str, WayBack]:
    return {way.column: way for way in table.way_back if way.closes}


def _location_changes(
    before: CompiledPlan, after: CompiledPlan, old: TablePlan, new: TablePlan, sample: Sample
) -> Iterator[Change]:
    was, now = spread_words(before.plan, old), spread_words(after.plan, new)
    functions = before.functions.get(old.logical), after.functions.get(new.logical)
    if None in functions or old.placement.kind != new.placement.kind:
        if was != now:
            yield DistributionChanged(new.logical, was, now)
        return
    first, second = functions
    assert first is not None and second is not None
    here, there = make_layout(before.plan, old, first), make_layout(after.plan, new, second)
    if here == there:
        return
    columns = {c.name: Column(c.name, c.type, c.nullable) for c in (*old.source.columns, *new.source.columns)}
    used = first.columns() | second.columns()
    moved: RowsMove | None = estimate_moves(new.logical, here, there, columns=columns, sample=sample(new, used))
    if moved is not None:
        yield moved
    elif was != now:
        yield DistributionChanged(new.logical, was, f"{now} (every key tried keeps its place)")


def _settings(old: TablePlan, new: TablePlan) -> Iterator[tuple[str, str, str]]:
    yield "source tables", few(str(s) for s in old.sources), few(str(s) for s in new.sources)
    yield "table suffixes", few(old.suffixes), few(new.suffixes)
    yield "row key", _key(old), _key(new)
    yield "unique keys", _unique(old), _unique(new)
    yield "weight", str(old.weight), str(new.weight)
    yield "events of groups", _events(old), _events(new)
    yield "what an update writes", old.writes.kind, new.writes.kind
    yield "partitions", _partitions(old), _partitions(new)
    yield "version column", old.writes.version_column or "none", new.writes.version_column or "none"


def _key(table: TablePlan) -> str:
    return ", ".join(column.source for column in table.key_columns)


def _unique(table: TablePlan) -> str:
    """By the source's names: a renamed column is shown as one."""
    sources = {column.target: column.source for column in table.columns}
    sources |= {column.target: column.source for column in table.generated}
    at_source = (rename_columns(key, sources) for key in table.identity.every_unique_key)
    keys = (f"{key.name} ({key.words})" for key in at_source)
    return "; ".join(keys) or "none"


def _partitions(table: TablePlan) -> str:
    words = {None: "none at the source", "keep": "as at the source", "drop": "none on the target"}
    return words[table.placement.partitions]


def _events(table: TablePlan) -> str:
    return "; ".join(f"{group.name} ({', '.join(group.columns)})" for group in table.writes.event_groups) or "none"
