"""DDL of the log that says only how a table is divided into partitions. Targets that are not divided need none of it.

Which statement may lose rows was tried on MariaDB 10.11 and MySQL 9.7: REORGANIZE of partitions by listed values drops
the rows whose values no new partition lists, and says nothing. All others here keep every row, or the server refuses.
The exception is a row that was put where no partition takes it (EXCHANGE ... WITHOUT VALIDATION, at which the stream
stops): REBUILD and REORGANIZE of all partitions drop it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.shape.rewrite import table_node
from shardwright.compiler.ddl.source.logged_change import CannotFollow, LoggedChange
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql.partitions import PartitionChange, PartitionReader
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.sql.word_reader import NotRead, plain_words

_MODIFIERS = ("ALGORITHM", "LOCK")
_UPKEEP = frozenset({"REBUILD PARTITION", "ANALYZE PARTITION", "CHECK PARTITION", "OPTIMIZE PARTITION"})
_DIVIDED_AGAIN = frozenset({"PARTITION BY", "REMOVE PARTITIONING"})


@dataclass(frozen=True, slots=True)
class PartitionStatement:
    """`table` has the session's database where the statement names none."""

    table: SourceName
    change: PartitionChange


def read_partition_statement(text: str, database: str) -> PartitionStatement | None:
    """None for any other statement, and for one that is not understood to its last word."""
    try:
        reader = PartitionReader(plain_words(text.rstrip().removesuffix(";")))
        reader.need("ALTER")
        reader.took("ONLINE")
        reader.need("TABLE")
        reader.took("IF", "EXISTS")
        table = SourceName(*reader.table(database))
        if reader.took("WAIT"):
            reader.number()
        else:
            reader.took("NOWAIT")
        while any(reader.took(word) for word in _MODIFIERS):
            reader.took("=")
            reader.word()
            reader.need(",")
        change = reader.change()
        reader.end()
    except NotRead:
        return None
    return PartitionStatement(table, change)


def partitions_changed(statement: PartitionStatement, source: str, plan: TablePlan) -> LoggedChange:
    """`source` is the followed table, `plan` its logical one. Raises CannotFollow where rows may be lost, and where
    targets that are divided like the source cannot be changed like it."""
    change = statement.change
    if change.words == "REORGANIZE PARTITION" and change.by_list:
        raise CannotFollow(
            "SW8542",
            f"{source} loses the rows whose values no new partition lists (REORGANIZE of partitions by listed values)",
            understood=True,
        )
    if plan.placement.partitions != "keep" or change.words in _UPKEEP:
        return _no_change(f"{source} is stored otherwise, with the same rows ({change.words})")
    if change.words in _DIVIDED_AGAIN or (change.defined and len(plan.sources) > 1):
        why = "and the targets are divided as it was"
        if change.defined:
            why = f"and {plan.logical} has {len(plan.sources)} source tables: which partitions its targets need is open"
        words = f"{source} is divided otherwise ({change.words})"
        known = LoggedChange(source, plan.logical, plan.source.columns, False, None, words)
        raise CannotFollow("SW8553", f"{words}, {why}", understood=True, change=known)
    if not change.defined:
        return _no_change(f"{source} has another number of partitions ({change.words}), the targets keep theirs")
    routed = to_sql(
        exp.Alter(this=table_node(plan.logical), kind="TABLE", actions=[exp.Var(this=change.text)]), "mysql"
    )
    words = f"{source} has other partitions ({change.words})"
    return LoggedChange(source, plan.logical, plan.source.columns, False, routed, words)


def _no_change(words: str) -> LoggedChange:
    """No target needs it, under any policy."""
    return LoggedChange("", "", (), False, None, words)
