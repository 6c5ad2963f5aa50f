"""The typed parts of a table's plan: where its rows come from, what tells them apart, where they are, how changes and
deletes are written, and which tables of ours go with it. Each part answers the questions about its own kind, so that
nobody asks which kind it is. Pure; made by the compiler and read by everything after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shardwright.compiler.plan.catalogue import ColumnType, PrefixKey, UniqueKey

WriteKind = Literal["rows", "changed"]
PartitionsKind = Literal["keep", "drop"]
DistributionKind = Literal["sharded", "broadcast", "single"]
IdentityKind = Literal["key", "all_columns"]


@dataclass(frozen=True, slots=True)
class SourceName:
    database: str
    table: str

    def __str__(self) -> str:
        return f"{self.database}.{self.table}"


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A column of the source table, in table order: what the binlog decoder goes by."""

    name: str
    type: ColumnType
    nullable: bool


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A source column that is read, because it is copied or because something is computed from it. `position` is its
    index (from 0) in the source table."""

    name: str
    type: ColumnType
    nullable: bool
    position: int


@dataclass(frozen=True, slots=True)
class SourceTables:
    """Where the rows come from. Every one of `databases` holds every one of `tables`."""

    databases: tuple[str, ...]
    tables: tuple[str, ...]
    columns: tuple[SourceColumn, ...]
    """Of each of the tables, in table order."""
    reads: tuple[ReadColumn, ...] = ()
    """The columns that are read, in the order of a chunk's row."""
    where: str | None = None
    """The row filter as written."""

    @property
    def names(self) -> tuple[SourceName, ...]:
        """In topology order: the databases one after the other, the tables of each in turn."""
        return tuple(SourceName(database, table) for database in self.databases for table in self.tables)


OriginPart = Literal["database", "table", "both"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Column `column` of the shards says which source table a row is from, and is the last column of every unique key.
    Its value is a part of the source table's full name. The source's own tables have no such column."""

    column: str
    part: OriginPart

    def of(self, source: str) -> str:
        """The value for rows of that source table ("database.table")."""
        database, _, table = source.partition(".")
        return {"database": database, "table": table, "both": source}[self.part]

    def values(self, databases: Sequence[str], tables: Sequence[str]) -> tuple[str, ...]:
        """For every source table of that name in each of the databases, in topology order."""
        return tuple(dict.fromkeys(self.of(f"{database}.{table}") for database in databases for table in tables))


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKey:
    """Rows are distinguished by a key. Each field names columns of the target."""

    columns: tuple[str, ...]
    unique_keys: tuple[UniqueKey, ...] = ()
    """Beside it, those over whole columns."""
    prefix_keys: tuple[PrefixKey, ...] = ()
    """Beside it, those over how values begin or over expressions."""
    origin: Origin | None = None
    """Equal keys of several of the source's own tables are several rows on the shards, which this column distinguishes,
    in either direction."""
    kind: IdentityKind = "key"

    @property
    def every_unique_key(self) -> tuple[UniqueKey, ...]:
        return (*self.unique_keys, *self.prefix_keys)

    @property
    def counts_rows(self) -> bool:
        return False

    @property
    def target_key(self) -> tuple[str, ...]:
        """The key that the target's tables have; empty where they have none."""
        return self.columns

    @property
    def words(self) -> str:
        return f"row key ({', '.join(self.columns)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class AllColumns(RowKey):
    """The table has no key: rows are compared by all columns, and equal rows are counted. It is copied before the
    stream begins, and its shards hold as many equal rows as the source."""

    kind: IdentityKind = "all_columns"

    @property
    def counts_rows(self) -> bool:
        return True

    @property
    def target_key(self) -> tuple[str, ...]:
        return ()

    @property
    def words(self) -> str:
        return "no row key: equal rows are counted"


IDENTITIES: Mapping[str, type[RowKey]] = {"key": RowKey, "all_columns": AllColumns}


@dataclass(frozen=True, slots=True)
class ParentLink:
    """Rows of the table are where their parent's row is. `via` are the table's target columns that hold the
    parent's key, in its order. `places` and `excluded` are the logical names of the lookup tables that go with it (see
    `Plan.lookup_tables`). A lookup table of parents that have a parent has such a link, too, without `excluded`."""

    parent: str
    via: tuple[str, ...]
    places: str
    excluded: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Which physical table has a row: one of all databases' tables, by a sharding rule or by the row of a parent."""

    suffixes: tuple[str, ...]
    """Of the physical tables in each target database (part number = index); `("",)` when the table is not split."""
    shard_key: tuple[str, ...] = ()
    """Source columns that the rule reads. A table with a parent has none of its own."""
    no_mysql: str | None = None
    """What of the sharding rule MySQL cannot compute, so that `verify` does not look for misplaced rows."""
    is_read: bool = False
    """The statements that read a chunk compute where each row belongs, and its rows do not pass through Java."""
    parent: ParentLink | None = None
    partitions: PartitionsKind | None = None
    """What becomes of the source's PARTITION BY; None where it has none."""
    kind: DistributionKind = "sharded"

    @property
    def has_copies(self) -> bool:
        """Whether every database has a copy of each row."""
        return False

    @property
    def only_database(self) -> int | None:
        """The index of the database that has the whole table, where one has."""
        return None

    @property
    def can_differ_by_shard(self) -> bool:
        """Whether each database has rows of its own, so that one can be compared by itself."""
        return True

    def shards(self, databases: int) -> range:
        """The indexes of the databases that hold the table."""
        return range(databases)

    def groups(self, shards: Sequence[int]) -> Sequence[Sequence[int]]:
        """Those of the shards that together should equal the source."""
        return [shards]

    def count_once(self, shards: Sequence[int]) -> Sequence[int]:
        """Those of the shards among which each row is found once."""
        return [shard for group in self.groups(shards)[:1] for shard in group]

    def share_of(self, shard: int, by_rule: Sequence[float]) -> float:
        """The part (0 to 1) of the table's bytes that a database gets. `by_rule`: by shard, where rows follow one."""
        return by_rule[shard]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyEverywhere(Placement):
    """Every database has a copy of the whole table."""

    kind: DistributionKind = "broadcast"

    @property
    def has_copies(self) -> bool:
        return True

    @property
    def can_differ_by_shard(self) -> bool:
        return False

    def groups(self, shards: Sequence[int]) -> Sequence[Sequence[int]]:
        return [(shard,) for shard in shards]

    def share_of(self, shard: int, by_rule: Sequence[float]) -> float:
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OneDatabase(Placement):
    """One database has the whole table."""

    database: int
    """Its index."""
    kind: DistributionKind = "single"

    @property
    def only_database(self) -> int | None:
        return self.database

    @property
    def can_differ_by_shard(self) -> bool:
        return False

    def shards(self, databases: int) -> range:
        return range(self.database, self.database + 1)

    def share_of(self, shard: int, by_rule: Sequence[float]) -> float:
        return 1.0 if shard == self.database else 0.0


PLACEMENTS: Mapping[str, type[Placement]] = {
    "sharded": Placement,
    "broadcast": CopyEverywhere,
    "single": OneDatabase,
}


@dataclass(frozen=True, slots=True)
class EventGroup:
    """A field group whose changes make events. `columns` are names on the target."""

    name: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Writes:
    """What an update writes: the whole row, or the columns that `steps.changed` marks."""

    kind: WriteKind = "rows"
    version_column: str | None = None
    """Of two versions of a row the one with the greater value counts."""
    event_groups: tuple[EventGroup, ...] = ()

    @property
    def marks_columns(self) -> bool:
        """Whether a staged row says which of its columns changed."""
        return self.kind == "changed"


@dataclass(frozen=True, slots=True)
class Deletes:
    """What a delete of the source does on the shards."""

    policy: str = "immediate"
    delay: int | None = None
    """Seconds (policy delay) that deletes are remembered after the last chunk."""
    stop_above: str | None = None
    """A batch with more deletes ("100", "5%") stops the run."""

    @property
    def are_remembered(self) -> bool:
        """Whether a delete leaves a tombstone while rows are copied. Policy `ignore` keeps the deletes of moved rows
        and changed keys, which are as exact as any."""
        return self.policy in ("until_snapshot", "delay", "ignore")

    @property
    def are_ignored(self) -> bool:
        """Whether rows stay that the source has deleted."""
        return self.policy == "ignore"

    @property
    def words(self) -> str:
        return self.policy if self.delay is None else f"{self.policy} {self.delay} s"

    @property
    def asks_rows(self) -> bool:
        """Whether the ceiling is a share of the table's rows."""
        return self.stop_above is not None and self.stop_above.endswith("%")

    def exceeds(self, deletes: int, rows: int) -> bool:
        """Whether a batch has too many deletes for a table of that many rows."""
        if self.stop_above is None:
            return False
        return deletes * 100 > rows * int(self.stop_above[:-1]) if self.asks_rows else deletes > int(self.stop_above)


@dataclass(frozen=True, slots=True)
class LedgerTables:
    """The tables of ours on every shard that go with the table."""

    stage: str
    tombstone: str = ""
    stash: str = ""
    """While a batch is applied: rows whose unique values change hands."""
    owner: str | None = None
    """Which of several source tables each row came from, where their keys must differ."""
    events: str | None = None
    """Takes the events of the event groups."""
    apart: bool = False
    """They are in another database than the rows (`Plan.ledgers`)."""
