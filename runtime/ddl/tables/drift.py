"""Where does the live definition of a physical table differ from what it should be by now: the plan's CREATE TABLE and
the routed changes that its record says are done, those of the stream included?

Runs in the driver; reads the shards: the tables by SHOW CREATE TABLE and nothing else, and the record of DDL.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pymysql
from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler.ddl.alter.after_changes import after_changes
from shardwright.compiler.ddl.logged.read_logged import read_logged
from shardwright.compiler.ddl.shape.rewrite import SUFFIX
from shardwright.compiler.ddl.shape.shape_difference import Difference, alter_statement_for, differences
from shardwright.compiler.ddl.shape.table_edit import NotCalculable
from shardwright.compiler.ddl.shape.table_shape import Shape, read_create, shape_of
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.plan.plan import DdlChange, Plan, TablePlan, with_suffix
from shardwright.compiler.sql.sql_text import quote, to_sql
from shardwright.runtime.ddl.session import Connect, explain
from shardwright.runtime.ddl.tables.deferred_indexes import Forms, forms_of
from shardwright.runtime.ddl.tables.definition import default_collations
from shardwright.runtime.ledger.ddl_record import CREATED, ChangeRecord, Place, of_stream, read_record, sha256
from shardwright.runtime.ledger.stream_ddl import RecordedDdl, read_applied_changes
from shardwright.runtime.mysql.rows_database import among_rows
from shardwright.runtime.mysql.transactions import query_if_there

_MISSING: Final = "the table is missing"
_NOT_READ: Final = "it is no table, or its definition is not understood"


@dataclass(frozen=True, slots=True)
class DriftedTable:
    """A physical table that is not what it should be."""

    database: str
    table: str
    statement: str
    """Leads back to what it should be; '' where no statement does (a table that is gone has lost its rows, too)."""


@dataclass(frozen=True, slots=True)
class DriftGroup:
    """Physical tables that differ in exactly the same way."""

    differences: tuple[str, ...]
    """In words."""
    tables: tuple[DriftedTable, ...]
    found: tuple[Difference, ...] = field(default=(), compare=False)
    """The differences themselves; empty for tables that are gone or that cannot be read."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One logical table."""

    logical: str
    identical: int
    """How many physical tables are what they should be."""
    groups: tuple[DriftGroup, ...]
    by_majority: bool = False
    """What some tables should be could not be computed, so they were compared with the most frequent form."""


_Groups = dict[tuple[str, ...], tuple[tuple[Difference, ...], list[DriftedTable]]]
"""By the differences in words."""


def find_drift(plan: Plan, *, connect: Connect) -> tuple[Drift, ...]:
    """By logical table, in the plan's order. Raises RuntimeFailure."""
    live = _read(plan, connect)
    return tuple(_of_table(plan, table, live) for table in plan.tables)


@dataclass(frozen=True, slots=True)
class _Database:
    record: Mapping[Place, ChangeRecord]
    defaults: Mapping[str, str]
    shown: Mapping[str, str]
    """Physical table -> what SHOW CREATE TABLE says; those that exist."""


@dataclass(frozen=True, slots=True)
class _Live:
    databases: Mapping[str, _Database]
    streamed: tuple[DdlChange, ...]
    """Statements of the source that the stream has brought to the tables, in order, as far as they are understood."""


def _read(plan: Plan, connect: Connect) -> _Live:
    names: dict[str, list[str]] = defaultdict(list)
    for table in plan.tables:
        for shard, _, name in plan.physical_tables(table):
            names[plan.databases[shard]].append(name)
    found: dict[str, _Database] = {}
    recorded: tuple[RecordedDdl, ...] = ()
    for database in plan.databases:
        connection = connect(database)
        try:
            shown = {name: text for name in names[database] if (text := _show(connection, name)) is not None}
            recorded = recorded or read_applied_changes(connection, plan.migration)  # the first shard has them
            found[database] = _Database(read_record(connection, plan.migration), default_collations(connection), shown)
        except pymysql.err.MySQLError as error:
            raise explain(error, database, "*") from error
        finally:
            connection.close()
    return _Live(found, tuple(change for ddl in recorded if (change := _stream_change(plan, ddl)) is not None))


def _stream_change(plan: Plan, ddl: RecordedDdl) -> DdlChange | None:
    """What the stream has sent to the tables; None where it sent nothing, or where the plan has it already."""
    try:
        change = read_logged(ddl.statement, ddl.source.partition(".")[0], plan, None)
    except CannotFollow:
        return None
    if change.routed is None:
        return None
    return DdlChange(of_stream(ddl.place), 1, change.logical, change.routed, destructive=False)


def _show(connection: Connection[Any], table: str) -> str | None:
    name = to_sql(exp.Table(this=exp.to_identifier(table, quoted=True)), "mysql")
    with among_rows(connection):
        rows = query_if_there(connection, f"SHOW CREATE TABLE {name}")
    return str(rows[0][1]) if rows else None


@dataclass(slots=True)
class _ExpectedTables:
    """What physical tables should be, by their form and the changes they have. None: could not be computed."""

    _trees: dict[tuple[str, tuple[str, ...]], exp.Create | None] = field(default_factory=dict)
    _shapes: dict[tuple[str, str, tuple[str, ...]], Shape | None] = field(default_factory=dict)

    def shape(self, form: str, changes: tuple[str, ...], *, database: str, there: _Database) -> Shape | None:
        """`there`: what is known of `database`, where the table is."""
        key = (database, form, changes)
        if key not in self._shapes:
            tree = self._tree(form, changes)
            self._shapes[key] = None if tree is None else shape_of(tree, suffix=SUFFIX, defaults=there.defaults)
        return self._shapes[key]

    def _tree(self, form: str, changes: tuple[str, ...]) -> exp.Create | None:
        key = (form, changes)
        if key not in self._trees:
            create = read_create(form)
            try:
                self._trees[key] = after_changes(create, changes) if create else None
            except NotCalculable:
                self._trees[key] = None
        return self._trees[key]


@dataclass(slots=True)
class _Shapes:
    """The shapes of one table's physical tables. Nearly all have one text, apart from the table's name."""

    _known: dict[tuple[str, str, str], Shape | None] = field(default_factory=dict)

    def of(self, drifted: DriftedTable, suffix: str, there: _Database) -> Shape | None:
        """None for a statement that cannot be read."""
        name, text = drifted.table, there.shown[drifted.table]
        alike = text.replace(quote(name), "", 1)  # the first name is the table's own
        key = (drifted.database, alike, suffix if suffix in alike else "")
        if key not in self._known:
            create = read_create(text)
            self._known[key] = None if create is None else shape_of(create, suffix=suffix, defaults=there.defaults)
        return self._known[key]


def _of_table(plan: Plan, table: TablePlan, live: _Live) -> Drift:
    forms, parts, expected, shapes_of = forms_of(plan, table), plan.parts(table), _ExpectedTables(), _Shapes()
    identical = 0
    groups: _Groups = {}
    unreckoned: list[tuple[str, str, str, Shape]] = []
    for shard, part, name in plan.physical_tables(table):
        database, suffix = plan.databases[shard], parts[part]
        there = live.databases[database]
        drifted = DriftedTable(database, name, "")
        found = shapes_of.of(drifted, suffix, there) if name in there.shown else None
        if found is None:
            said = _NOT_READ if name in there.shown else _MISSING
            groups.setdefault((said,), ((), []))[1].append(drifted)
            continue
        form, candidates = _candidates(plan, table, forms, there.record, name, suffix, streamed=live.streamed)
        computed = (expected.shape(form, changes, database=database, there=there) for changes in candidates)
        shapes = [shape for shape in computed if shape is not None]
        if not shapes:
            unreckoned.append((database, name, suffix, found))
            continue
        identical += _place(shapes, found, drifted, suffix, groups)
    if unreckoned:
        kinds = Counter(_digest(item[3]) for item in unreckoned)
        most = kinds.most_common(1)[0][0]
        usual = next(shape for _, _, _, shape in unreckoned if _digest(shape) == most)
        for database, name, suffix, found in unreckoned:
            identical += _place([usual], found, DriftedTable(database, name, ""), suffix, groups)
    said_groups = tuple(DriftGroup(said, tuple(tables), kinds) for said, (kinds, tables) in groups.items())
    return Drift(table.logical, identical, said_groups, by_majority=bool(unreckoned))


def _place(shapes: list[Shape], found: Shape, drifted: DriftedTable, suffix: str, groups: _Groups) -> bool:
    """Whether it is like one of `shapes`; else it goes to its group, by how it differs from the nearest one."""
    nearest = min((differences(shape, found) for shape in shapes), key=len)
    if not nearest:
        return True
    statement = alter_statement_for(nearest, database=drifted.database, table=drifted.table, suffix=suffix)
    said = tuple(map(str, nearest))
    groups.setdefault(said, (nearest, []))[1].append(DriftedTable(drifted.database, drifted.table, statement))
    return False


def _candidates(
    plan: Plan,
    table: TablePlan,
    forms: Forms,
    record: Mapping[Place, ChangeRecord],
    name: str,
    suffix: str,
    *,
    streamed: tuple[DdlChange, ...],
) -> tuple[str, list[tuple[str, ...]]]:
    """The CREATE TABLE, and the changes that the table has. A change in which an apply stopped may be in the table or
    not. The first ones that the stream has brought may be in the schema file already."""
    created = record.get((CREATED, 0, name))
    bare = created is not None and created.sha256 == sha256(with_suffix(forms.bare, suffix))
    done: list[str] = []
    begun: list[str] = []
    for change in plan.ddl:
        recorded = record.get((change.file, change.ordinal, name))
        if change.logical == table.logical and recorded is not None and not change.catches_up:
            (done if recorded.state == "done" else begun).append(change.template)
    with_begun = [(*done, *begun)] if begun else []
    ours = [change.template for change in streamed if _has(record, change, table, name, suffix=suffix)]
    routed = [tuple(done), *with_begun]
    behind = [(*changes, *ours[first:]) for first in range(len(ours)) for changes in routed]
    return (forms.bare if bare else forms.whole), routed + behind


def _has(record: Mapping[Place, ChangeRecord], change: DdlChange, table: TablePlan, name: str, *, suffix: str) -> bool:
    """Whether the record says that this very statement was sent to the physical table."""
    recorded = record.get((change.file, change.ordinal, name))
    sent = recorded is not None and recorded.sha256 == sha256(with_suffix(change.template, suffix))
    return sent and change.logical == table.logical


def _digest(shape: Shape) -> frozenset[tuple[object, str]]:
    return frozenset((key, piece.means) for key, piece in shape.items())
