"""The tables every shard keeps for one logical table: the stage and, while the snapshot runs, the tombstones.

The stage holds a batch's decisions, durably, before the first of them takes effect (contract C1). Its columns have the
target's types, so a value that does not fit fails there, before any damage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import TAIL, share
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.groups import CHANGED, EVENTS_TABLE
from shardwright.compiler.steps.owners import tombstone_key

STAGE_COLUMNS = (
    "sw_batch",
    "sw_part",
    "sw_action",
    "sw_line",
    "sw_file",
    "sw_offset",
    "sw_row",
    "sw_source",
    "sw_version_before",
)
"""`sw_line` counts the rows of one load, from 0: a stage has a primary key, which some servers demand, and which is
cheaper to load and to read than an index beside the rows."""

_STAGE = """
CREATE TABLE IF NOT EXISTS hole_name (
  sw_batch BIGINT NOT NULL,
  sw_part INT NOT NULL,
  sw_action VARCHAR(8) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,
  sw_line INT NOT NULL,
  sw_file BIGINT NOT NULL,
  sw_offset BIGINT NOT NULL,
  sw_row INT NOT NULL,
  sw_source INT NOT NULL,
  hole_columns,
  PRIMARY KEY (sw_batch, sw_part, sw_action, sw_line)
) ENGINE=InnoDB
"""

_TOMBSTONE = """
CREATE TABLE IF NOT EXISTS hole_name (
  sw_part INT NOT NULL,
  hole_columns,
  sw_file BIGINT NOT NULL,
  sw_offset BIGINT NOT NULL,
  sw_row INT NOT NULL,
  PRIMARY KEY (sw_part, hole_key)
) ENGINE=InnoDB
"""

_OWNER = """
CREATE TABLE IF NOT EXISTS hole_name (
  sw_part INT NOT NULL,
  hole_columns,
  sw_source INT NOT NULL,
  PRIMARY KEY (sw_part, hole_key)
) ENGINE=InnoDB
"""


def bookkeeping(table: TablePlan, *, kinds: Mapping[str, exp.DataType], computed: Sequence[exp.ColumnDef] = ()) -> Step:
    """`kinds` are the sqlglot types of the target columns, from the schema file; `computed` the generated columns of
    the stage."""
    if table.identity.counts_rows:  # nothing is remembered of a row that went: every event counts
        return Step(table.logical, StepName.BOOKKEEPING, (stage(table, kinds=kinds, computed=computed),))
    types = {column.target: column.type for column in table.columns}
    keys = [column_definition(name, kinds[name], types[name], nullable=False) for name in table.key]
    tombstone = fill(
        _TOMBSTONE,
        "mysql",
        name=sql.table(table.ours.tombstone),
        columns=keys if table.ours.owner is None else [*keys, _source()],
        key=[sql.identifier(name) for name in tombstone_key(table)],
    )
    statements: tuple[Statement, ...] = (
        stage(table, kinds=kinds, computed=computed),
        Statement(
            "tombstone",
            "Deletes that a snapshot chunk may still try to undo; dropped when the snapshot is complete.",
            sql.to_sql(tombstone, "mysql"),
        ),
    )
    if table.ours.owner is not None:
        owner = fill(
            _OWNER,
            "mysql",
            name=sql.table(table.ours.owner),
            columns=keys,
            key=[sql.identifier(name) for name in table.key],
        )
        comment = "Which source table each row came from, by its number in the plan, counting from 0."
        statements = (*statements, Statement("owner", comment, sql.to_sql(owner, "mysql")))
    if table.ours.events is not None:
        events = fill(EVENTS_TABLE, "mysql", name=sql.table(table.ours.events), columns=keys)
        comment = "Events of field groups, for the consumer that reads and deletes them."
        statements = (*statements, Statement("events", comment, sql.to_sql(events, "mysql")))
    return Step(table.logical, StepName.BOOKKEEPING, statements)


def stage(table: TablePlan, *, kinds: Mapping[str, exp.DataType], computed: Sequence[exp.ColumnDef] = ()) -> Statement:
    types = {column.target: column.type for column in table.columns}
    version = table.writes.version_column
    staged = [_version_before(kinds[version], types[version]) if version else _plain_version()]
    staged += [column_definition(name, kinds[name], types[name], nullable=True) for name in types]
    if table.writes.marks_columns:
        staged.append(_marks())
    staged += computed
    tree = fill(_STAGE, "mysql", name=sql.table(table.ours.stage), columns=staged)
    comment = "A batch's decisions for this table, written before any takes effect."
    return Statement("stage", comment, sql.to_sql(tree, "mysql"))


def _version_before(kind: exp.DataType, declared: ColumnType) -> exp.ColumnDef:
    return column_definition("sw_version_before", kind, declared, nullable=True)


@cache
def _plain_version() -> exp.ColumnDef:
    return _version_before(exp.DataType.build("BIGINT"), ColumnType("bigint"))


@cache
def _source() -> exp.ColumnDef:
    return column_definition("sw_source", exp.DataType.build("INT"), ColumnType("int"), nullable=False)


@cache
def _marks() -> exp.ColumnDef:
    kind = ColumnType("varchar", charset="latin1", collation="latin1_bin")
    return column_definition(CHANGED, exp.DataType.build("VARCHAR(4096)"), kind, nullable=True)


@lru_cache(maxsize=4096)
def column_definition(name: str, kind: exp.DataType, declared: ColumnType, *, nullable: bool) -> exp.ColumnDef:
    column = exp.ColumnDef(this=sql.identifier(name), kind=kind, constraints=list(_constraints(declared, nullable)))
    column._meta = {TAIL: "stage"}
    return share(column)


@cache
def _constraints(declared: ColumnType, nullable: bool) -> tuple[exp.ColumnConstraint, ...]:
    # An explicit NULL: a bare TIMESTAMP column is NOT NULL with a default on older settings.
    null = exp.ColumnConstraint(kind=exp.NotNullColumnConstraint(allow_null=nullable))
    return (*text_constraints(declared), null)


def text_constraints(declared: ColumnType) -> tuple[exp.ColumnConstraint, ...]:
    """A text's own character set and collation: our tables have no default of their own."""
    constraints = []
    if declared.charset:
        constraints.append(
            exp.ColumnConstraint(kind=exp.CharacterSetColumnConstraint(this=exp.Var(this=declared.charset)))
        )
    if declared.collation:
        constraints.append(exp.ColumnConstraint(kind=exp.CollateColumnConstraint(this=sql.column(declared.collation))))
    return tuple(constraints)
