"""Where are the rows of each table, as far as statements are concerned? The compiled plan, seen from the application's
side: by the names that its statements have. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.catalogue import ColumnType, SourceTable, UniqueKey
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.schema.table_names import TableNames, make_table_names
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sql.sql_text import to_sql

Kind = tuple[str, ...]
"""What two columns have to agree in so that values that are equal for the server are equal all along: ("int",), or
("text", character set, collation)."""


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """`name` is the source's, in small letters. `kind` is None for values that are compared in several ways. `fault`
    says why the shards have another value, or none."""

    name: str
    kind: Kind | None
    nullable: bool
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """Rows with equal values in these columns are on one shard. Rows of two tables whose keys have one `group` are,
    too. `routes` is whether the place follows from the values alone."""

    group: str
    columns: tuple[str, ...]
    routes: bool = False
    is_unique: bool = False
    """Whether no two rows of the table have equal values there."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table of the plan."""

    logical: str
    columns: Mapping[str, ColumnLayout]
    """By name in small letters: the source's, and the shards' where it is another one. In the source's order."""
    order: tuple[str, ...]
    """Every column of the source."""
    keys: tuple[Key, ...]
    is_broadcast: bool
    database: int | None
    """The only database that has the table."""
    members: frozenset[str]
    """The names of the source's tables where several become this one."""
    counted: str | None
    """The column that the source numbers and the shards do not."""
    loose_keys: tuple[UniqueKey, ...]
    """The unique keys that hold on each shard by itself, where nobody has said that this is fine."""
    loose_columns: frozenset[str]
    place_columns: frozenset[str]
    """The columns of which a change moves a row to another shard."""
    no_route: str = ""
    """Why its shard key does not say where a row is that the server finds by it."""
    fault: str = ""
    """Why the shards have other rows than the source."""

    @property
    def is_sharded(self) -> bool:
        return not self.is_broadcast and self.database is None

    @property
    def route_columns(self) -> tuple[str, ...]:
        return next((key.columns for key in self.keys if key.routes), ())


@dataclass(frozen=True, slots=True)
class Layout:
    """`tables` by every name that a statement may have for them, as the keys of `names`."""

    tables: Mapping[str, TableLayout]
    names: TableNames
    databases: tuple[str, ...]
    source_databases: frozenset[str]

    def find(self, database: str, name: str) -> TableLayout | None:
        if database and database.lower() not in self.source_databases:
            return None
        return self.tables.get(self.names.key_of(name))


def make_layout(
    compiled: CompiledPlan, schema: Mapping[str, SourceTable], *, unique_elsewhere: Collection[str] = ()
) -> Layout:
    """`schema` has the tables of the schema file. `unique_elsewhere` are logical tables whose author has said that
    their values are unique although the shards cannot check it."""
    plan = compiled.plan
    names = make_table_names((*schema, *(table.logical for table in plan.tables)))
    named: dict[str, TableLayout] = {}
    for table in plan.tables:
        layout = _layout_of(table, compiled, schema, accepted=table.logical in unique_elsewhere)
        for name in (*table.source.tables, table.logical):
            named[names.key_of(name)] = layout
    databases = {name.lower() for table in plan.tables for name in table.source.databases}
    return Layout(named, names, plan.databases, frozenset(databases) | {name.lower() for name in plan.databases})


def _layout_of(
    table: TablePlan, compiled: CompiledPlan, schema: Mapping[str, SourceTable], *, accepted: bool
) -> TableLayout:
    source = schema.get(table.source.tables[0])
    columns = dict(_columns(table, source))
    function = compiled.functions.get(table.logical)
    keys, no_route = _keys(table, compiled.plan, function, columns, accepted=accepted)
    route = next((set(key.columns) for key in keys if key.routes), set())
    loose = [] if accepted or not _is_sharded(table) else list(_loose_keys(table, route or set(_place_columns(table))))
    return TableLayout(
        table.logical,
        columns,
        tuple(column.name.lower() for column in table.source.columns),
        keys if _is_sharded(table) else (),
        table.placement.has_copies,
        table.placement.only_database,
        frozenset(name.lower() for name in table.source.tables) if len(table.source.tables) > 1 else frozenset(),
        _number_column(table, compiled.plan, source),
        tuple(key for key, _ in loose),
        frozenset(name for _, names in loose for name in names),
        frozenset(_place_columns(table)),
        no_route,
        "" if table.source.where is None else f"the spec's `where` leaves rows of {table.logical} out",
    )


def _is_sharded(table: TablePlan) -> bool:
    return not table.placement.has_copies and table.placement.only_database is None


def _place_columns(table: TablePlan) -> Iterator[str]:
    yield from (name.lower() for name in table.placement.shard_key)
    yield from (column.source.lower() for column in table.via_columns)


def _columns(table: TablePlan, source: SourceTable | None) -> Iterator[tuple[str, ColumnLayout]]:
    copied = {column.source: column for column in table.columns if column.source}
    generated = {column.source for column in table.generated}
    for column in table.source.columns:
        known = copied.get(column.name)
        fault = ""
        if known is None and column.name not in generated:
            fault = f"the shards have no column {table.logical}.{column.name}"
        elif known is not None and not known.mapping.startswith(("copied", "renamed")):
            fault = f"the shards have another value in {table.logical}.{known.target}: {known.mapping}"
        layout = ColumnLayout(column.name.lower(), None if fault else _kind(column.type), column.nullable, fault)
        yield column.name.lower(), layout
        if known is not None and known.target.lower() != column.name.lower():
            yield known.target.lower(), layout
    for target in table.columns:
        if not target.source:
            yield target.target.lower(), ColumnLayout(target.target.lower(), None, target.nullable, "")


def _kind(kind: ColumnType) -> Kind | None:
    if kind.is_integer:
        return ("int",)
    if kind.name in ("char", "varchar"):
        return ("text", kind.charset or "", kind.collation or "")
    return (kind.name,) if kind.name in ("varbinary", "date") else None


def _is_exact(kind: Kind | None) -> bool:
    """Whether values that the server calls equal have one place."""
    return kind is not None and (kind[0] != "text" or kind[2].endswith(("_bin", "_0900_bin")) or kind[2] == "binary")


def _keys(
    table: TablePlan,
    plan: Plan,
    function: ShardFunction | None,
    columns: Mapping[str, ColumnLayout],
    *,
    accepted: bool,
) -> tuple[tuple[Key, ...], str]:
    made: list[Key] = []
    no_route = ""
    names = tuple(name.lower() for name in table.placement.shard_key)
    if function is not None and names:
        unsafe = next((name for name in names if not _is_exact(columns[name].kind)), None)
        if unsafe is None:
            kinds = "/".join(" ".join(columns[name].kind or ()) for name in names)
            made.append(Key(f"rule {_text_of(function, names)} of {kinds}", names, routes=True))
        else:
            no_route = (
                f"values of {table.logical}.{unsafe} that the server calls equal may be on several shards, because it "
                "compares them without case or as numbers"
            )
    if table.placement.parent is not None:
        parent = plan.table(table.placement.parent.parent)
        via = tuple(column.source.lower() for column in table.via_columns)
        if len(parent.sources) == 1 and all(columns[name].kind for name in via):
            made.append(Key(_row_group(parent.logical, via, columns), via))
    own = tuple(column.source.lower() for column in table.key_columns) if table.identity.target_key else ()
    if own and len(table.sources) == 1 and all(name and columns[name].kind for name in own):
        made.append(Key(_row_group(table.logical, own, columns), own, is_unique=True))
    for unique in table.identity.unique_keys if accepted and len(table.sources) == 1 else ():
        sources = {column.target: column.source.lower() for column in table.columns}
        names = tuple(sources.get(name, "") for name in unique.columns)
        if all(name in columns and columns[name].kind and not columns[name].nullable for name in names):
            made.append(Key(f"row of {table.logical} by {unique.name}", names, is_unique=True))
    return tuple(made), no_route


def _row_group(logical: str, names: tuple[str, ...], columns: Mapping[str, ColumnLayout]) -> str:
    return f"row of {logical} by {'/'.join(' '.join(columns[name].kind or ()) for name in names)}"


def _text_of(function: ShardFunction, names: tuple[str, ...]) -> str:
    """The function with its columns number_name: tables that share it have the same text."""
    places = {name: f"k{number}" for number, name in enumerate(names)}

    def number_name(name: str) -> exp.Expr:
        return exp.column(places.get(name.lower(), name))

    return "; ".join(to_sql(part.spark(number_name), "spark") for part in (function.database, function.table))


def _number_column(table: TablePlan, plan: Plan, source: SourceTable | None) -> str | None:
    kept = {(entry.table, entry.column) for entry in plan.ids if entry.kind == "auto_increment"}
    targets = {column.source: column.target for column in table.columns}
    for column in source.columns if source is not None else ():
        if column.auto_increment and (table.logical, targets.get(column.name)) not in kept:
            return column.name.lower()
    return None


def _loose_keys(table: TablePlan, placing: set[str]) -> Iterator[tuple[UniqueKey, frozenset[str]]]:
    """The unique keys that do not have all columns of `placing`, each with the source's names of its columns."""
    sources = {column.target: column.source.lower() for column in table.columns}
    own = (UniqueKey("PRIMARY", table.identity.target_key),) if table.identity.target_key else ()
    for key in (*own, *table.identity.every_unique_key):
        whole = {sources.get(name, name.lower()) for name in key.whole}
        if not placing <= whole:
            names = frozenset(sources.get(name, name.lower()) for name in key.columns)
            yield key, names
