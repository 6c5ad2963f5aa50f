"""What does each server answer to an invariant's query? Each physical table is asked by itself; its answer is rows of
texts.

`asker` runs in Spark tasks and reads the source or a shard; the rest runs in the driver and is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa

from shardwright.compiler.plan.invariant import Invariant
from shardwright.compiler.plan.plan import Plan, at_place
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.mysql.keys import source_sql
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.verify.sessions import End, Sessions, ask

_INTEGER_DIGITS, _FRACTION_DIGITS = 28, 10
"""The digits of the DECIMAL that values are added up as."""


@dataclass(frozen=True, slots=True)
class Question:
    """A statement and the server that gets it."""

    end: End
    sql: str
    where: str
    """Names what the statement reads."""


def of_sources(plan: Plan, invariant: Invariant) -> tuple[Question, ...]:
    sources = plan.table(invariant.tables[0]).sources
    if "${source_table}" not in invariant.source:
        return (Question(sources[0].database, invariant.source, "the source"),)
    return tuple(Question(name.database, source_sql(invariant.source, name), str(name)) for name in sources)


def of_shards(plan: Plan, invariant: Invariant) -> tuple[Question, ...]:
    """Of tables that every database has alike, only the first one is asked."""
    table = plan.table(invariant.tables[0])
    shards = plan.shards(table)
    return tuple(
        Question(
            shard,
            at_place(invariant.target, plan.databases[shard], suffix),
            f"{plan.databases[shard]}.{table.logical}{suffix}",
        )
        for shard in table.placement.count_once(shards)
        for suffix in plan.parts(table)
    )


def schema_of(invariant: Invariant) -> str:
    """Spark's schema of the answers. Every column is text."""
    return ", ".join(f"{quote(column.name)} string" for column in invariant.columns)


def asker(
    servers: Servers, invariant: Invariant, questions: Sequence[Question]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for mapInArrow over the numbers (from 0) of questions. Raises CouldNotCheck (SW8501, SW8502,
    SW8536)."""

    def answers(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        sessions = Sessions(servers.connect_source, servers.connect_shard)
        try:
            for batch in numbers:
                for number in batch.column(0).to_pylist():
                    yield _answer(sessions, questions[number], invariant)
        finally:
            sessions.close()

    return answers


def _answer(sessions: Sessions, question: Question, invariant: Invariant) -> pa.RecordBatch:
    with sessions.at(question.end) as connection:
        rows = ask(connection, question.sql, {}, where=question.where)
    texts = [[_text(value) for value in row] for row in rows]
    columns = [list(values) for values in zip(*texts, strict=True)] or [[] for _ in invariant.columns]
    for column, values in zip(invariant.columns, columns, strict=True):
        if column.role in ("sum", "least", "most"):
            _require_room(values, f"{invariant.name}: {column.name} of {question.where}")
    names = [column.name for column in invariant.columns]
    return pa.RecordBatch.from_arrays([pa.array(values, pa.string()) for values in columns], names=names)


def _text(value: object) -> str | None:
    return None if value is None else value.decode() if isinstance(value, bytes) else str(value)


def _require_room(values: Sequence[str | None], what: str) -> None:
    for value in values:
        if value is None:
            continue
        _, digits, exponent = Decimal(value).normalize().as_tuple()
        assert isinstance(exponent, int)
        if len(digits) + exponent > _INTEGER_DIGITS or -exponent > _FRACTION_DIGITS:
            raise CouldNotCheck(
                "SW8536",
                f"{what} is {value}: it has more than {_INTEGER_DIGITS} digits, or more than {_FRACTION_DIGITS} behind "
                "the point, and cannot be added up exactly",
            )
