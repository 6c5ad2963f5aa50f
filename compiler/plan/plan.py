"""The plan: what the compiler makes and the only thing the runtime reads. Frozen; made by `build_plan`, read back by
`read_plan`.

A plan is per logical table. Shards are data (`databases`, `suffixes`), not text: SQL names a physical table through the
placeholder `${suffix}` inside a quoted identifier, so a plan for 256,000 physical tables is as small as one for four.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from typing import Literal

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.invariant import Invariant
from shardwright.compiler.plan.next_ids import NextIds
from shardwright.compiler.plan.table_parts import (
    Deletes,
    LedgerTables,
    Origin,
    Placement,
    ReadColumn,
    RowKey,
    SourceName,
    SourceTables,
    Writes,
)
from shardwright.specs.direction import Direction
from shardwright.specs.spec.stream_format import StreamFormat

ExistingRows = Literal["refuse", "keep", "replace"]
SqlDialect = Literal["spark", "mysql"]
Reversibility = Literal["lossless", "lossy", "one-way"]
"""Whether the source's value follows from the target's: always, for some values, never."""
WayBackVerdict = Literal["kept", "refused", "needs a value", "lost"]
"""`kept`: the source's row keeps what it holds. `refused`: some rows may be, each by name. `needs a value`: rows that
are inserted on the shards cannot be inserted at the source without one. `lost`: the source would get another value than
it had."""


class StepName(StrEnum):
    """Every kind of SQL a plan holds, in the order a reviewer reads it. The value is the file's name."""

    CREATE_TABLE = "01-create-table"
    BOOKKEEPING = "02-bookkeeping"
    CHUNK_BOUND = "10-chunk-bound"
    CHUNK_READ = "11-chunk-read"
    SNAPSHOT_ROUTE = "12-snapshot-route"
    SNAPSHOT_INSERT = "13-snapshot-insert"
    DECODE = "20-decode"
    MERGE = "21-merge"
    ROUTE = "22-route"
    LOOKUP = "23-lookup"
    FILTER = "24-filter"
    COLLAPSE = "25-collapse"
    BATCH = "29-batch"
    DELETE = "30-delete"
    UPSERT = "31-upsert"
    VERIFY_SOURCE = "40-verify-source"
    VERIFY_TARGET = "41-verify-target"
    WRITERS = "50-writers"
    CONFLICT = "51-conflict"

    @property
    def dialect(self) -> SqlDialect:
        return "spark" if self in _SPARK_STEPS else "mysql"

    @property
    def file_name(self) -> str:
        return f"{self.value}.{self.dialect}.sql"


BARE = "bare"
INDEXES = "indexes"
"""Statements of CREATE_TABLE, of tables some of whose indexes are built after the copy: without them, and those
alone."""

_SPARK_STEPS = frozenset(
    {
        StepName.SNAPSHOT_ROUTE,
        StepName.DECODE,
        StepName.MERGE,
        StepName.ROUTE,
        StepName.FILTER,
        StepName.BATCH,
        StepName.CONFLICT,
    }
)

EVERY_TABLE = ""
"""Whose steps are the same for every table: BATCH, FILTER, and MERGE but for tables that have their own."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement of a step, with the name the runtime asks for it by and a sentence for reviewers."""

    name: str
    comment: str
    sql: str


@dataclass(frozen=True, slots=True)
class Step:
    table: str
    name: StepName
    statements: tuple[Statement, ...]
    parts: tuple[Statement, ...] = ()
    """What several of the statements share, once: a statement holds `${hash}` where the part of that name belongs."""

    @property
    def texts(self) -> tuple[Statement, ...]:
        """All that a reviewer reads of the step, in order."""
        return (*self.parts, *self.statements)

    def statement(self, name: str) -> str:
        """The SQL of the statement called `name`, with the parts in their places; KeyError when the step has none."""
        for statement in self.statements:
            if statement.name == name:
                return reduce(_insert_part, self.parts, statement.sql)
        raise KeyError(f"step {self.name} of {self.table} has no statement {name}")

    def has(self, name: str) -> bool:
        return any(statement.name == name for statement in self.statements)


def _insert_part(sql: str, part: Statement) -> str:
    return sql.replace(f"`${{{part.name}}}`", part.sql)


@dataclass(frozen=True, slots=True)
class CopiedColumn:
    """A column of the target. `source` is the name of the source column it comes from (empty: computed from others),
    `target` its name on the shards, `type` and `nullable` are the target's, `position` is the source column's index
    (from 0) in the source table (-1: computed).

    `mapping` says in words how the value comes about; `reversibility` whether the source's value can be had back from
    it.
    """

    source: str
    target: str
    type: ColumnType
    nullable: bool
    position: int
    mapping: str = "copied"
    reversibility: Reversibility = "lossless"

    @property
    def is_masked(self) -> bool:
        """Whether the spec masks it: its values are nobody's to read."""
        return self.mapping.startswith("masked")


@dataclass(frozen=True, slots=True)
class GeneratedColumn:
    """Column `target` of the target, which its server computes from others as the source's server computes `source`,
    by `expression` over the source's names. On the way back `source` is empty: nothing is asked of the shards."""

    source: str
    target: str
    expression: str


@dataclass(frozen=True, slots=True)
class WayBack:
    """What becomes of a source column (empty: whole rows) when rows go back from the shards to the source, and why.
    Columns without one come back as they are."""

    column: str
    verdict: WayBackVerdict
    why: str

    @property
    def closes(self) -> bool:
        """Whether there is no way back, for the whole migration."""
        return self.verdict in ("needs a value", "lost")


@dataclass(frozen=True, slots=True)
class OwnTables:
    """The target of a backward plan's table: the source's own tables, which are not made by us. They are in another
    database than the ledger, which SQL names as `${database}`."""

    stem: str
    """How the names of the physical tables begin; `${suffix}` follows."""
    born: Mapping[str, str]
    """Values that only rows get that are inserted: column -> canonical text."""
    keep_on_update: tuple[str, ...]
    """Columns that no row brings, and that ON UPDATE would change."""
    whole_row: tuple[str, ...]
    """All columns that can be written, in the table's order."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One logical table: what it is in seven typed parts (`table_parts`), its columns, and what of it comes back."""

    logical: str
    weight: int
    """Tables of a lower weight are copied and applied first."""
    source: SourceTables
    columns: tuple[CopiedColumn, ...]
    """Of the target, in the order of a routed row."""
    identity: RowKey
    placement: Placement
    ours: LedgerTables
    writes: Writes = field(default_factory=Writes)
    deletes: Deletes = field(default_factory=Deletes)
    generated: tuple[GeneratedColumn, ...] = ()
    """The target's columns beside `columns`, which its servers compute."""
    way_back: tuple[WayBack, ...] = ()
    """What does not come back to the source as it was."""
    own: OwnTables | None = None
    """In a backward plan only: the source's own tables."""

    @property
    def sources(self) -> tuple[SourceName, ...]:
        """Every source table, in topology order."""
        return self.source.names

    @property
    def key(self) -> tuple[str, ...]:
        return self.identity.columns

    @property
    def suffixes(self) -> tuple[str, ...]:
        return self.placement.suffixes

    @property
    def rows_may_move(self) -> bool:
        """Whether a row can go to another physical table and keep its key."""
        return not {*self.placement.shard_key} <= {column.source for column in self.key_columns}

    @property
    def shares_unique_values(self) -> bool:
        """Whether rows of two source tables may have one unique value, for which a physical table has one place."""
        return self.ours.owner is not None and bool(self.identity.every_unique_key)

    @property
    def physical(self) -> str:
        """The name of a physical table, with `${suffix}`."""
        return f"{self.logical if self.own is None else self.own.stem}${{suffix}}"

    @property
    def names_database(self) -> bool:
        """Whether SQL names the database of a physical table, as `${database}`: a session is in the ledger's."""
        return self.ours.apart or self.own is not None

    @property
    def via_columns(self) -> tuple[CopiedColumn, ...]:
        """The columns that hold the parent's key; none without a parent."""
        by_name = {column.target: column for column in self.columns}
        return tuple(by_name[name] for name in self.placement.parent.via) if self.placement.parent else ()

    @property
    def bookkeeping_tables(self) -> tuple[str, ...]:
        """The tables of ours that each shard keeps beside the rows."""
        owner = () if self.ours.owner is None else (self.ours.owner,)
        return (self.ours.stage,) if self.identity.counts_rows else (self.ours.stage, self.ours.tombstone, *owner)

    @property
    def asks_shards(self) -> bool:
        """Whether the look-up can change what is staged. Without a version column no row is skipped as stale, and a
        delete that finds no row deletes nothing: the guarded statements decide by themselves. Ceilings count deletes of
        rows that exist. On the way back the row's home decides whether an event counts."""
        return self.writes.version_column is not None or self.deletes.stop_above is not None or self.own is not None

    def sources_of(self, key: Sequence[str]) -> tuple[str, ...]:
        """The source tables that may have the row of that key: all of them where rows go from one to another, else the
        one that the key names, or the only one."""
        names = tuple(str(source) for source in self.sources)
        if self.ours.owner is not None:
            return names
        lacks = self.source_lacks
        return tuple(name for name in names if lacks is not None and lacks.of(name) == key[-1])[:1] or names[:1]

    @property
    def keeps_columns(self) -> bool:
        """Whether a row at the source has columns that no row of the shards brings. In a backward plan only."""
        written = {column.target for column in self.columns}
        return self.own is not None and not written.issuperset(self.own.whole_row)

    @property
    def travels_whole(self) -> bool:
        """Whether a chunk's rows reach the target as they were read, so that Spark looks at nothing but what places
        them."""
        as_read = tuple(column.name for column in self.source.reads) == tuple(column.source for column in self.columns)
        return as_read and self.placement.parent is None and all(column.mapping == "copied" for column in self.columns)

    @property
    def spark_columns(self) -> tuple[ReadColumn, ...]:
        """What Spark looks at of a chunk's row."""
        if not self.travels_whole:
            return self.source.reads
        return tuple(column for column in self.source.reads if column.name in self.placement.shard_key)

    @property
    def key_columns(self) -> tuple[CopiedColumn, ...]:
        return tuple(next(column for column in self.columns if column.target == name) for name in self.key)

    @property
    def source_lacks(self) -> Origin | None:
        """The column of the target that the tables which rows come from do not have."""
        return self.identity.origin if self.own is None else None

    @property
    def target_lacks(self) -> Origin | None:
        """The column of the key that the tables which rows go to do not have."""
        return self.identity.origin if self.own is not None else None

    @property
    def physical_columns(self) -> tuple[CopiedColumn, ...]:
        """The columns that a physical table has."""
        lacks = self.target_lacks
        return tuple(column for column in self.columns if lacks is None or column.target != lacks.column)

    @property
    def source_record(self) -> Origin | None:
        """Of a lookup table that has a row for each source table with the parent: its column with their names
        (`FROM`)."""
        return (
            self.identity.origin if self.identity.origin is not None and self.identity.origin.column == FROM else None
        )

    @property
    def lookup_columns(self) -> tuple[CopiedColumn, ...]:
        """Of a lookup table: the columns by which it is asked. Those of the key, but for the source table's name."""
        return self.key_columns if self.source_record is None else self.key_columns[:-1]

    @property
    def source_key_columns(self) -> tuple[CopiedColumn, ...]:
        """Those of the key that the tables which rows come from have."""
        return tuple(column for column in self.key_columns if column.source)

    @property
    def readable_columns(self) -> frozenset[str]:
        """The source columns whose values a shard gets unmasked: what people may read of an image of the source."""
        return frozenset(column.source for column in self.columns if not column.is_masked)

    @property
    def byte_columns(self) -> frozenset[str]:
        """Target columns whose values travel as hexadecimal text."""
        return frozenset(column.target for column in self.columns if column.type.is_bytes)


DdlClass = Literal["instant", "in_place", "blocking", "copying"]
"""How heavy a change is, light to heavy: instant touches no rows; in_place leaves the table open to writers; blocking
keeps writers waiting; copying copies the table, and keeps writers waiting but on MariaDB from 11.2 on."""


@dataclass(frozen=True, slots=True)
class DdlForm:
    """What one kind of server gets: `statement`, with `${suffix}`, asks for the algorithm and lock that `ddl_class`
    promises, so that the server refuses anything heavier."""

    ddl_class: DdlClass
    statement: str


@dataclass(frozen=True, slots=True)
class DdlChange:
    """One statement of a numbered DDL file: it changes one logical table. `template` holds `${suffix}` wherever the
    physical table's suffix belongs; it is what the file says, and by it a change is known again. Without `mysql` and
    `mariadb` (a change that the stream brought) servers get the template itself. `catches_up`: it brings tables that
    exist already to what the plan's CREATE TABLE says; one that was made by that does not need it. `own`: `logical` is
    a table of the shards' own, which no spec names: it exists once in each database."""

    file: str
    ordinal: int
    logical: str
    template: str
    destructive: bool
    mysql: DdlForm | None = None
    mariadb: DdlForm | None = None
    catches_up: bool = False
    own: bool = False

    def form(self, *, mariadb: bool) -> DdlForm | None:
        return self.mariadb if mariadb else self.mysql


@dataclass(frozen=True, slots=True)
class StreamDdl:
    """What a change of a followed table's definition in the stream does: `policy` is stop or apply, `ignored` are
    patterns of statements that pass. `meant` are the patterns of source tables that the spec has, each with its logical
    table: a new table may match one. No part of the fingerprint: it may change while a migration runs."""

    policy: str = "stop"
    ignored: tuple[str, ...] = ()
    meant: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """`fingerprint` covers everything that decides about data (not the DDL changes, which may grow while a migration
    runs); it is the first 16 hexadecimal digits of a SHA-256. `aspects` are the digests it is made of
    (`compiler/plan/digests.py`), of tables and lookup tables by logical name.

    `lookup_tables` are tables of ours on the first shard that a batch advances like any other table: for each parent
    where its rows are (or which rows of its own parent they follow), for each child which rows no chunk may bring back.
    Both have the steps of a table. `stream` is the form of the change events, `unavailable_source` (isolate, stop) what
    the others do when one source cannot be read; they decide about no row and are not part of the fingerprint. Neither
    are `existing_rows`, by logical name where they are not refused: they are looked at before a migration begins; nor
    `deferred_indexes`, by logical name the indexes that are built after the copy; nor `invariants`, which only `verify`
    asks; nor `ids`, the counters of the target that a cutover sets; nor `drops_triggers` (in a backward plan), the
    logical tables whose triggers at the source a cutover drops; nor `stays`, names and patterns of the source tables
    that are known to stay where they are; nor `flight_recorder`, how many decisions about a key are kept; nor
    `buckets`, how many virtual buckets a cutover may move one by one (0: none), with their steps WRITERS; nor
    `both_write`, whether both sides may write all rows at the same time, with its steps CONFLICT; nor
    `ignore_marks`, other migrations whose own writes in the source's log are no changes, and `ignore_marks_in`, further
    databases of their ledgers; nor `shard_ledgers` (in a backward plan), by shard the database of the forward plan's
    ledger where it is not beside the rows; nor `moves`, lines of the summary about a source that is spread by known
    rules, which a plan that was read has not.

    `ledgers` are the databases of the shards' ledgers, one for each of `databases`; empty where each ledger is beside
    the rows.

    `direction` backward: the sources are the shards' physical tables, `databases` the source's, and the ledger of each
    is in a database beside it; `turns_round` is the fingerprint of its forward plan then. A forward plan that was just
    compiled has its `backward` plan with it, unless something does not come back (`TablePlan.way_back`); one that was
    read has not.
    """

    migration: str
    dialect: str
    tool_version: str
    sqlglot_version: str
    databases: tuple[str, ...]
    tables: tuple[TablePlan, ...]
    steps: tuple[Step, ...]
    ddl: tuple[DdlChange, ...]
    fingerprint: str
    lookup_tables: tuple[TablePlan, ...] = ()
    aspects: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    stream_ddl: StreamDdl = StreamDdl()
    stream: StreamFormat = field(default_factory=StreamFormat)
    unavailable_source: str = "isolate"
    quarantine: Mapping[str, int] = field(default_factory=dict)
    existing_rows: Mapping[str, ExistingRows] = field(default_factory=dict)
    deferred_indexes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    invariants: tuple[Invariant, ...] = ()
    ids: tuple[NextIds, ...] = ()
    drops_triggers: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    ignore_marks: tuple[str, ...] = ()
    ignore_marks_in: tuple[str, ...] = ()
    ledgers: tuple[str, ...] = ()
    flight_recorder: int = 0
    buckets: int = 0
    both_write: bool = False
    shard_ledgers: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = field(default=(), repr=False, compare=False)
    direction: Direction = Direction.FORWARD
    turns_round: str = ""
    backward: Plan | None = field(default=None, repr=False, compare=False)
    _tables: Mapping[str, TablePlan] = field(init=False, repr=False, compare=False)
    _steps: Mapping[tuple[str, StepName], Step] = field(init=False, repr=False, compare=False)
    """Both are asked for several times for each physical table of a batch."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tables", {table.logical: table for table in reversed(self.target_tables)})
        object.__setattr__(self, "_steps", {(step.table, step.name): step for step in reversed(self.steps)})

    def table(self, logical: str) -> TablePlan:
        """The table, or lookup table, of that name; KeyError when the plan has none."""
        return self._tables[logical]

    @property
    def target_tables(self) -> tuple[TablePlan, ...]:
        """What a batch may change: the tables and the lookup tables."""
        return (*self.tables, *self.lookup_tables)

    @property
    def tables_to_verify(self) -> tuple[TablePlan, ...]:
        """What a comparison reads: the tables, and the lookup tables that say where parents are."""
        places = (one for one in self.lookup_tables if (one.logical, StepName.VERIFY_SOURCE) in self._steps)
        return (*self.tables, *places)

    @property
    def in_chunks(self) -> tuple[TablePlan, ...]:
        """The tables that are copied in chunks, beside the stream."""
        return tuple(table for table in self.tables if not table.identity.counts_rows)

    @property
    def keyless_tables(self) -> tuple[TablePlan, ...]:
        """The tables without a key, which are copied before the stream begins."""
        return tuple(table for table in self.tables if table.identity.counts_rows)

    @property
    def children(self) -> tuple[TablePlan, ...]:
        """The tables that are placed through a parent."""
        return tuple(table for table in self.tables if table.placement.parent is not None)

    @property
    def parents(self) -> Mapping[str, str]:
        """The tables through which others are placed, each with the lookup table of its rows' places."""
        return {
            child.placement.parent.parent: child.placement.parent.places
            for child in self.children
            if child.placement.parent
        }

    def step(self, logical: str, name: StepName) -> Step:
        """That step of that table, or what all tables share of it; KeyError when the plan has none."""
        found = self._steps.get((logical, name)) or self._steps.get((EVERY_TABLE, name))
        if found is None:
            raise KeyError(f"the plan has no step {name} for {logical}")
        return found

    def parts(self, table: TablePlan) -> tuple[str, ...]:
        """The suffixes of the table's physical tables in each database that holds it (part number = index)."""
        return table.suffixes

    def shards(self, table: TablePlan) -> range:
        """The indexes of the databases that hold the table."""
        return table.placement.shards(len(self.databases))

    def physical_tables(self, table: TablePlan) -> Iterator[tuple[int, int, str]]:
        """(database index, part number, physical table name) of every physical table, streamed."""
        for shard in self.shards(table):
            for part, suffix in enumerate(self.parts(table)):
                yield shard, part, with_suffix(table.physical, suffix)

    def physical_name(self, table: TablePlan, shard: int, part: int) -> str:
        """The full name of a physical table, for people."""
        return f"{self.databases_of(table)[shard]}.{with_suffix(table.physical, self.parts(table)[part])}"

    def databases_of(self, table: TablePlan) -> Sequence[str]:
        """By shard, the database that has the table: that of the rows, or for a lookup table that of the ledger."""
        return self.databases if table.names_database or not self.ledgers else self.ledgers

    def places_of(self, change: DdlChange) -> Iterator[tuple[int, str, str]]:
        """(database index, suffix, physical table name) of every table that a DDL change has to reach, streamed."""
        if change.own:
            yield from ((shard, "", change.logical) for shard in range(len(self.databases)))
            return
        table = self.table(change.logical)
        parts = self.parts(table)
        yield from ((shard, parts[part], name) for shard, part, name in self.physical_tables(table))


def with_suffix(sql: str, suffix: str) -> str:
    """The statement for one physical table. Suffixes are checked by the compiler: they cannot close an identifier."""
    return sql.replace("${suffix}", suffix)


def at_place(sql: str, database: str, suffix: str) -> str:
    """The same for SQL that names the database, too (see `TablePlan.names_database`)."""
    return with_suffix(sql, suffix).replace("${database}", database)


READ_AGAIN = "R"
"""The operation of a routed change whose row was read again from the shards; it is decided as it is."""


MAX_BOOKKEEPING_NAME = 56  # leaves room for a suffix within MySQL's 64


BUCKET_OWNERS = "_shardwright_bucket"
"""The ledger's table that says which side may write a bucket: `migration`, `bucket`, `writer`."""


OUR_PREFIXES = ("_sw_", "_shardwright")


def is_ours(table: str) -> bool:
    """Whether a table of that name is one of ours: a ledger, a stage, or what else a migration keeps beside its rows.
    The source has such tables where it is the shards of an earlier migration."""
    return table.lower().startswith(OUR_PREFIXES)


def bookkeeping_name(prefix: str, logical: str) -> str:
    name = prefix + logical
    if len(name) <= MAX_BOOKKEEPING_NAME:
        return name
    return name[: MAX_BOOKKEEPING_NAME - 9] + "_" + hashlib.sha256(logical.encode()).hexdigest()[:8]


def lookup_stage_name(lookup_table: str) -> str:
    return bookkeeping_name("_sw_stage", lookup_table)


SHARD, PART = "sw_at_shard", "sw_at_part"
"""The place's columns of the lookup table of parent placements."""

FROM = "sw_from"
"""The column of such a lookup table that says which of the parent's source tables a row is from."""

ORPHANS = (0, 0)
"""Shard and part of a row without a parent: the first table of the first database, beside the lookup tables, so that
one server can tell orphans from misplaced rows."""
