"""The typed, frozen form of a migration spec. Made by `read`, read by the compiler.

Every part keeps the `path` of its YAML node, so that a later finding can point at the line: `spec.span_of(part.path)`.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from shardwright.specs.findings.diagnostics import NO_FAULTS, Faults, Path, Places, Span
from shardwright.specs.spec.stream_format import StreamFormat

Dialect = Literal["mysql", "mariadb"]
MaskMethod = Literal["hash", "keep_last", "redact"]
ErrorPolicyName = Literal["stop", "quarantine"]
DdlPolicy = Literal["stop", "apply"]
UnavailableSource = Literal["isolate", "stop"]
DeletePolicyName = Literal["immediate", "until_snapshot", "delay", "ignore"]
TriggerPolicy = Literal["refuse", "drop"]
"""What becomes of a source table's triggers while the shards take the writes."""


TARGET_DATABASE: Final = "{database}"
"""Stands for a target database in the pattern of its ledger's."""


def is_pattern(name: str) -> bool:
    """Whether a table's name in a spec is a pattern of names (shell wildcards)."""
    return any(mark in name for mark in "*?[")


@dataclass(frozen=True, slots=True)
class Source:
    """`databases` and `tables_suffix` are expanded; `schema` is a path relative to the project folder. `ddl` says what
    a change of a followed table in the stream does; statements that one of the patterns `ignored_ddl` matches pass.
    `unavailable_source` says what the other source servers do when one cannot be read. `sharding` are the rules by
    which the source spreads its own rows: the way back needs them. `ignore_marks` are other migrations whose own writes
    at the source are no changes; `ignore_marks_in` has databases of their ledgers that are not the source's, nor beside
    it."""

    dialect: Dialect
    databases: tuple[str, ...]
    tables_suffix: tuple[str, ...]
    schema: str
    stream: StreamFormat
    path: Path
    ddl: DdlPolicy = "stop"
    ignored_ddl: tuple[str, ...] = ()
    unavailable_source: UnavailableSource = "isolate"
    sharding: Mapping[str, ShardingRule] = field(default_factory=dict)
    ignore_marks: tuple[str, ...] = ()
    ignore_marks_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """The grid: every database holds one physical table per suffix (`("",)` when tables are not split)."""

    databases: tuple[str, ...]
    tables_suffix: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class ShardingRule:
    """Either `database` and `table` are SQL expressions (`table` may be None when tables are not split), or
    `algorithm` names one, with its `options` as written. `vectors` is a CSV file, relative to the project folder.
    `buckets` are virtual buckets of the shard key: their number, or a SQL expression."""

    name: str
    shard_key: tuple[str, ...]
    database: str | None
    table: str | None
    algorithm: str | None
    options: Mapping[str, object]
    tables_suffix: tuple[str, ...] | None
    path: Path
    vectors: str | None = None
    buckets: int | str | None = None

    @property
    def lookup_file(self) -> str | None:
        """The CSV file of algorithm `lookup`, relative to the project folder."""
        file = self.options.get("file")
        return file if isinstance(file, str) else None


@dataclass(frozen=True, slots=True)
class ParentKey:
    """The shard key comes from the parent's row, found through the child's columns `via`."""

    parent: str
    via: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sharded:
    """Rows spread by a rule; `shard_key` overrides the rule's columns, `parent` takes the key from another table."""

    rule: str
    shard_key: tuple[str, ...] | None = None
    parent: ParentKey | None = None


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A full copy in every shard; `source` names the source database when there are several."""

    source: str | None = None


@dataclass(frozen=True, slots=True)
class Single:
    """The whole table in one named shard; `source` names the source database when only one of several is meant."""

    database: str
    source: str | None = None


Distribution = Sharded | Broadcast | Single


@dataclass(frozen=True, slots=True)
class DerivedColumn:
    """A target column computed from source columns: a SQL expression and a MySQL type."""

    name: str
    expression: str
    type: str
    path: Path


@dataclass(frozen=True, slots=True)
class CastColumn:
    """Another type for source column `name`. `accepts_loss`: the spec acknowledges a lossy verdict, for `reason`."""

    name: str
    type: str
    accepts_loss: bool
    reason: str | None
    path: Path


@dataclass(frozen=True, slots=True)
class ColumnDefault:
    """The SQL literal that the target gets where source column `name` is NULL."""

    name: str
    literal: str
    path: Path


@dataclass(frozen=True, slots=True)
class MaskedColumn:
    """How source column `name` is hidden. `keep_last` is the number of characters for method keep_last, else None;
    `salted` a hash with a salt."""

    name: str
    method: MaskMethod
    keep_last: int | None
    salted: bool
    path: Path


@dataclass(frozen=True, slots=True)
class ColumnChoices:
    """`include` None means every column. `rename` maps source name to target name."""

    include: tuple[str, ...] | None
    exclude: tuple[str, ...]
    rename: Mapping[str, str]
    derive: tuple[DerivedColumn, ...]
    cast: tuple[CastColumn, ...] = ()
    default: tuple[ColumnDefault, ...] = ()
    mask: tuple[MaskedColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Columns that change as one. `on_change` says what a change of any of them triggers."""

    name: str
    columns: tuple[str, ...]
    path: Path
    on_change: str | None = None


ConflictPolicy = Literal["source", "shards", "latest", "hold"]
"""Whose row counts where both sides have changed it: a side's, that of the later commit, or none until an operator
decides."""
DeletedRow = Literal["keep", "delete", "hold"]
"""What becomes of a row that one side has deleted and the other one changed."""


@dataclass(frozen=True, slots=True)
class TableConflicts:
    """What a table says of conflicts between two sides that write. `policy` None: as `TwoWay` says. Of the columns
    `greatest` the greater value counts, whichever side it is from; to `counters` both sides add what they have
    added. `rule`: an expression that names the side, instead of a policy."""

    path: Path
    policy: ConflictPolicy | None = None
    deletes: DeletedRow = "keep"
    greatest: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class TwoWay:
    """Both sides may write. `writers`: each the rows of its own buckets, or both all rows. `conflicts` is None where
    the spec names no policy."""

    path: Path
    writers: Literal["by_bucket", "both"]
    conflicts: ConflictPolicy | None = None


WriteKind = Literal["rows", "changed"]
"""What an update writes on the target: the whole row, or the columns that changed."""


PartitionsKind = Literal["keep", "drop"]
"""What becomes of the PARTITION BY of a source table."""


ExistingRows = Literal["refuse", "keep", "replace"]
"""What becomes of rows that stand in the target tables when the migration begins."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How many deletes a batch may hold: a number of rows, or per cent of what the table holds."""

    amount: int
    unit: Literal["rows", "percent"]

    def __str__(self) -> str:
        return f"{self.amount}%" if self.unit == "percent" else str(self.amount)


@dataclass(frozen=True, slots=True)
class DeletePolicy:
    """`delay_seconds` is set for policy `delay` only. A batch with more deletes than `stop_above` stops the run."""

    policy: DeletePolicyName
    delay_seconds: int | None = None
    stop_above: Ceiling | None = None


@dataclass(frozen=True, slots=True)
class ErrorPolicy:
    """`at_most` rows of a table may be held by policy `quarantine`."""

    policy: ErrorPolicyName = "stop"
    at_most: int = 100


@dataclass(frozen=True, slots=True)
class Backward:
    """What the way back to the source needs to know about one table. `rule` names one of `source.sharding`; `values`
    are literals for source columns that are not copied, in rows that are born on the shards; `one_way` are source
    columns that do not get back what the shards have, and `because` says why that is acceptable. `every_copy`: every
    source database has a copy of a broadcast table, and all of them get its rows."""

    path: Path
    rule: str | None = None
    values: tuple[ColumnDefault, ...] = ()
    triggers: TriggerPolicy = "refuse"
    one_way: tuple[str, ...] = ()
    because: str | None = None
    every_copy: bool = False


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One entry of `tables`, over the spec's `defaults`. `table` may be a glob, of whose matches `excepted` (names or
    globs) are left out; `to` names the logical table (default: the exact table name). `is_group`: the tables that the
    glob matches stay apart, each with these settings. `defer_indexes`: those that are
    not unique are built after the copy. `by_all_columns`: the table has no key, and equal rows are counted.
    `origin_column`: the target's column that says which source table a row is from."""

    table: str
    excepted: tuple[str, ...]
    expect: int | None
    to: str | None
    key: tuple[str, ...] | None
    distribution: Distribution
    weight: int
    version_column: str | None
    write: WriteKind
    columns: ColumnChoices
    where: str | None
    groups: tuple[FieldGroup, ...]
    deletes: DeletePolicy
    on_key_collision: str
    path: Path
    origin_column: str | None = None
    errors: ErrorPolicy = ErrorPolicy()
    existing_rows: ExistingRows = "refuse"
    defer_indexes: bool = False
    partitions: PartitionsKind = "drop"
    backward: Backward = Backward(())
    by_all_columns: bool = False
    is_group: bool = False
    conflicts: TableConflicts = TableConflicts(())

    @property
    def is_pattern(self) -> bool:
        return is_pattern(self.table)

    def takes(self, name: str) -> bool:
        """Whether it means the source table of that name."""
        left_out = any(fnmatch.fnmatchcase(name, item) for item in self.excepted)
        return fnmatch.fnmatchcase(name, self.table) and not left_out

    def may_be(self, logical: str) -> bool:
        """Whether it may make the logical table of that name. Which tables a group has, the schema file says."""
        if self.is_group:
            return fnmatch.fnmatchcase(logical, self.table)
        return logical == (self.to or self.table)


@dataclass(frozen=True, slots=True)
class InvariantSpec:
    """A query over the targets' tables, as written. `must_be_empty`: it finds nothing on either side; otherwise it
    gives the same on both."""

    name: str
    query: str
    must_be_empty: bool
    path: Path

    @property
    def query_path(self) -> Path:
        return (*self.path, "none" if self.must_be_empty else "sql")


@dataclass(frozen=True, slots=True)
class Segment:
    """A row of an application's table that says which number a new row gets next. `database` is one of its side's."""

    table: str
    database: str
    name: str
    name_column: str
    next_id_column: str
    path: Path


Counter = Segment | Literal["auto_increment"]
"""Where the numbers of new rows come from."""


@dataclass(frozen=True, slots=True)
class IdsSpec:
    """A column whose numbers the application takes from a counter on the side that it writes to. `table` and `column`
    are names on the shards. `source` is None where the spec does not say. `margin` numbers are left out: applications
    may have taken them already."""

    table: str
    column: str
    shards: Counter
    source: Counter | None
    margin: int
    path: Path


@dataclass(frozen=True, slots=True)
class Spec(Places):
    """A whole migration spec. `file` is its path as given; `ddl` is a folder relative to the project folder.

    `ignore_tables` are names or globs of source tables that stay where they are; `ignore` are codes of findings that
    are silenced in all of the spec's files, with the reasons. `spans` are the places of values, `key_spans` those of
    the keys that lead to them; a table's setting that is in `defaults` has its place there. `faults` are empty in a
    spec that plans are made of; in one with errors, values there are those of a spec without them. `ledger` names the
    databases of the ledgers, a pattern with TARGET_DATABASE. `flight_recorder`: how many decisions of a key are kept.
    `two_way`: what the spec says of two sides that write.
    """

    file: str
    version: int
    migration: str
    owner: str | None
    source: Source
    target: Target
    sharding: Mapping[str, ShardingRule]
    tables: tuple[TableSpec, ...]
    ignore_tables: tuple[str, ...]
    ddl: str | None
    spans: Mapping[Path, Span]
    key_spans: Mapping[Path, Span] = field(default_factory=dict)
    faults: Faults = NO_FAULTS
    invariants: tuple[InvariantSpec, ...] = ()
    ids: tuple[IdsSpec, ...] = ()
    ignore: Mapping[str, str] = field(default_factory=dict)
    ledger: str | None = None
    flight_recorder: int = 0
    two_way: TwoWay | None = None

    @property
    def both_write(self) -> bool:
        """Whether both sides may write all rows at the same time."""
        return self.two_way is not None and self.two_way.writers == "both"

    @property
    def ledgers(self) -> tuple[str, ...]:
        """The database of the ledger of each target database; none where the ledgers are beside the rows."""
        return () if self.ledger is None else tuple(map(self.ledger_of, self.target.databases))

    def ledger_of(self, database: str) -> str:
        """The database of the ledger of that target database."""
        return database if self.ledger is None else self.ledger.replace(TARGET_DATABASE, database)

    def suffixes_of(self, rule: ShardingRule) -> tuple[str, ...]:
        """The suffixes of the physical tables under a rule: its own, or else the target's."""
        return self.target.tables_suffix if rule.tables_suffix is None else rule.tables_suffix

    def rule_files(self) -> tuple[tuple[Path, str], ...]:
        """The CSV files that sharding rules name, each with the place of the name."""
        named: list[tuple[Path, str | None]] = []
        for rule in (*self.sharding.values(), *self.source.sharding.values()):
            named += [((*rule.path, "options", "file"), rule.lookup_file), ((*rule.path, "vectors"), rule.vectors)]
        return tuple((path, file) for path, file in named if file is not None)
