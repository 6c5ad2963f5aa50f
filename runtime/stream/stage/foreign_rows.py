"""While buckets move one by one: which staged rows were written by the side that may not write them?

Triggers keep such writers out. What they do not see (a foreign key's cascade, a replica's rows, a trigger that somebody
dropped) must not replace what the owner of the bucket has written.

Runs in a Spark task, in the transaction that stages; reads the shard's stage, tables and buckets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, at_place
from shardwright.compiler.steps.writers import FOREIGN_NEW, FOREIGN_THERE
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.mysql.rejected_rows import describe_refused_row, key_of
from shardwright.runtime.mysql.transactions import query, set_variables
from shardwright.specs.direction import Direction

NOT_OWNED: Final = "SW8935"
"""A change of a bucket by the side that may not write it."""


class ForeignRowsFound(Exception):
    """Rolls the stage back."""

    def __init__(self, rows: list[str]) -> None:
        super().__init__(f"{len(rows)} rows")
        self.rows = rows
        """In the form of a shard's answer."""


@dataclass(frozen=True, slots=True)
class BucketGuard:
    """Small and picklable. `statements`: by logical table, by new values and by the rows that are there."""

    migration: str
    direction: Direction
    statements: Mapping[str, tuple[str, str]]
    suffixes: Mapping[str, tuple[str, ...]]

    def require_owned(
        self, connection: Connection[Any], tables: Mapping[str, TablePlan], batch: int, database: str, staged: Summary
    ) -> None:
        """Raises ForeignRowsFound. `staged`: what the shard of `database` has to do. Once a bucket is said to be the
        written side's, all changes that the other side was allowed are there: a move drains them first."""
        read, written = self.direction.read_side, self.direction.write_side
        set_variables(connection, sw_batch=batch, sw_migration=self.migration, sw_side=written)
        found: dict[str, None] = {}
        for logical in sorted(staged.keys() & self.statements.keys()):
            kinds = [column.type for column in tables[logical].key_columns]
            for sql in self._statements(connection, logical, database, staged[logical]):
                for *key, bucket in query(connection, sql):
                    why = f"written on the {read} side, and bucket {bucket} is the {written} side's to write"
                    found[describe_refused_row(logical, key_of(tuple(key), kinds), why, NOT_OWNED)] = None
        if found:
            raise ForeignRowsFound([*found])

    def _statements(
        self, connection: Connection[Any], logical: str, database: str, actions: Mapping[str, Mapping[str, int]]
    ) -> Iterator[str]:
        new, there = self.statements[logical]
        yield new
        for part in sorted({int(part) for parts in actions.values() for part in parts}):
            set_variables(connection, sw_part=part)
            yield at_place(there, database, self.suffixes[logical][part])


def bucket_guard(plan: Plan) -> BucketGuard:
    """`plan`: of the direction that stages."""
    statements = {}
    for step in plan.steps:
        if step.name is StepName.WRITERS and step.has(FOREIGN_NEW):
            statements[step.table] = (step.statement(FOREIGN_NEW), step.statement(FOREIGN_THERE))
    suffixes = {logical: plan.parts(plan.table(logical)) for logical in statements}
    return BucketGuard(plan.migration, plan.direction, statements, suffixes)
