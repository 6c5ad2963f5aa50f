"""Which physical tables still lack the indexes that are built after the copy?

Runs in the driver; reads the records of DDL on the shards. For each table that we made, the record holds the digest of
the CREATE TABLE that the table is like: with all indexes, or bare. It says that a table has its indexes only after they
were seen in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.alter.effects import effects_of
from shardwright.compiler.plan.plan import BARE, INDEXES, Plan, StepName, TablePlan, with_suffix
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.ddl_record import CREATED, ChangeRecord, Place, read_record, sha256
from shardwright.runtime.mysql.servers import Servers


@dataclass(frozen=True, slots=True)
class Forms:
    """The CREATE TABLE statements that a physical table of ours may be like, as templates."""

    whole: str
    """With all indexes."""
    bare: str
    """While its indexes are to be built; the same as `whole` where none are."""
    deferred: tuple[str, ...] = ()
    """Names of the indexes that are built after the copy."""

    def digests(self, suffix: str) -> frozenset[str]:
        return frozenset({sha256(with_suffix(self.whole, suffix)), sha256(with_suffix(self.bare, suffix))})


@dataclass(frozen=True, slots=True)
class TableWithoutIndexes:
    """A physical table without its deferred indexes."""

    shard: int
    """Number of the shard."""
    logical: str
    """The logical table."""
    name: str
    """The physical table."""
    suffix: str
    """What the physical table's name has after the logical one."""
    names: tuple[str, ...]
    """The indexes that it lacks."""
    add: str
    """The statement that builds them."""
    whole: str
    """The template of the CREATE TABLE that the table is like then."""

    @property
    def digest(self) -> str:
        """In the record once the indexes exist."""
        return sha256(with_suffix(self.whole, self.suffix))


def forms_of(plan: Plan, table: TablePlan) -> Forms:
    step = plan.step(table.logical, StepName.CREATE_TABLE)
    whole = step.statements[0].sql
    if not step.has(BARE):
        return Forms(whole, whole)
    return Forms(whole, step.statement(BARE), plan.deferred_indexes[table.logical])


def find_lacking_on(plan: Plan, shard: int, record: Mapping[Place, ChangeRecord]) -> Iterator[TableWithoutIndexes]:
    """The tables of one shard, by its record. Tables that were not made yet are not among them."""
    for table in plan.tables:
        if table.logical not in plan.deferred_indexes or shard not in plan.shards(table):
            continue
        names, step = plan.deferred_indexes[table.logical], plan.step(table.logical, StepName.CREATE_TABLE)
        for suffix in plan.parts(table):
            add = with_suffix(step.statement(INDEXES), suffix)
            item = TableWithoutIndexes(
                shard, table.logical, table.logical + suffix, suffix, names, add, step.statements[0].sql
            )
            recorded = record.get((CREATED, 0, item.name))
            if recorded is not None and (recorded.state != "done" or recorded.sha256 != item.digest):
                yield item


def find_lacking(plan: Plan, servers: Servers) -> tuple[TableWithoutIndexes, ...]:
    """The tables of all shards. No shard is asked where the plan defers nothing."""
    if not plan.deferred_indexes:
        return ()
    return tuple(
        item
        for shard, connection in servers.each_shard()
        for item in find_lacking_on(plan, shard, read_record(connection, plan.migration))
    )


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The deferred indexes of one logical table."""

    table: str
    names: tuple[str, ...]
    """The indexes that are built once all rows are copied."""
    without: int
    """How many physical tables lack them."""
    physical: int
    """How many physical tables there are."""


def index_status(plan: Plan, servers: Servers) -> tuple[IndexStatus, ...]:
    """The tables of which some physical tables lack indexes."""
    without = Counter(item.logical for item in find_lacking(plan, servers))
    return tuple(
        IndexStatus(
            logical, plan.deferred_indexes[logical], count, sum(1 for _ in plan.physical_tables(plan.table(logical)))
        )
        for logical, count in sorted(without.items())
    )


def refuse_before_indexes(plan: Plan, records: Mapping[str, Mapping[Place, ChangeRecord]]) -> None:
    """Raises Refused when a change that is to be routed might meet an index that is not built yet: it would drop
    nothing, or take the name of one that comes later. `records` by database."""
    for change in plan.ddl:
        names = plan.deferred_indexes.get(change.logical)
        if names is None or only_adds_others(change.template, names):
            continue
        for database, record in records.items():
            for item in find_lacking_on(plan, plan.databases.index(database), record):
                done = record.get((change.file, change.ordinal, item.name))
                if item.logical == change.logical and (done is None or done.state != "done"):
                    raise Refused(
                        "SW8413",
                        f"{database}.{item.name} still lacks {', '.join(names)}, which are built once all rows are "
                        f"copied: statement {change.ordinal} of {change.file} can be routed after that (`shardwright "
                        "status` shows when)",
                    )


def only_adds_others(template: str, names: tuple[str, ...]) -> bool:
    """Whether a change adds columns and keys of other names, and does nothing else."""
    actions = parse_sql(template).args.get("actions") or []
    taken = {name.lower() for name in names}
    return (
        bool(actions)
        and all(_adds(action) for action in actions)
        and not any(effect.kind == "index" and effect.name.lower() in taken for effect in effects_of(template))
    )


def _adds(action: exp.Expr) -> bool:
    if isinstance(action, exp.ColumnDef):  # a key of the column's own is named by the server
        return action.find(exp.UniqueColumnConstraint, exp.PrimaryKeyColumnConstraint) is None
    return isinstance(action, exp.AddConstraint)
