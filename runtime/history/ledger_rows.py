"""What do our own tables have of one key: its chunk, tombstones, staged decisions, the batches that changed it, dead
letters, and lines of the audit?

Runs in the process of the command; reads the ledgers of all shards.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.transport import key_variable
from shardwright.compiler.steps.keys import as_one, bounds, key_types
from shardwright.runtime.history.facts import Chunk, ChunkOnShard, DecisionOnRecord, HeldBack, KeptOnShard, Moment
from shardwright.runtime.ledger.audit import lines_about
from shardwright.runtime.ledger.chunks import ChunkRecord, read_chunk_records
from shardwright.runtime.ledger.chunks_done import read_chunk_time
from shardwright.runtime.ledger.dead_letters import QuarantinedKey, read_dead_letters
from shardwright.runtime.ledger.decisions import read_decisions
from shardwright.runtime.ledger.recent_keys import recent_keys
from shardwright.runtime.ledger.steps import read_step_times
from shardwright.runtime.mysql.keys import Key, with_keys
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query_if_there
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.verify.sessions import Sessions, ask


def utc(at: datetime | float | None) -> str | None:
    """A time of a server in UTC, or seconds since 1970, as text."""
    if at is None:
        return None
    if isinstance(at, datetime):
        return at.isoformat(sep=" ", timespec="microseconds")
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat(sep=" ")


@dataclass(frozen=True, slots=True)
class ChangedOnShard:
    """A batch that has changed the key in one physical table, as the shard remembers."""

    batch: int
    place: str


@dataclass(frozen=True, slots=True)
class StepOnShard:
    """A sub-step of a batch that a shard has applied."""

    shard: str
    batch: int
    step: str
    at: str


@dataclass(frozen=True, slots=True)
class KeyLedger:
    """The ledgers of one direction. `keys`: the key in each of its spellings."""

    plan: Plan
    table: TablePlan
    servers: Servers
    keys: tuple[Key, ...]

    def chunks(self, sources: Sequence[str], sessions: Sessions) -> Iterator[tuple[Chunk, StreamPosition | None]]:
        """The chunk of each source table that has the key, with the position behind its read."""
        for source in sources:
            with closing(self.servers.connect_shard(0)) as control:
                records = read_chunk_records(control, self.plan.migration, self.table.logical, source)
            found = self._find(records, source, sessions)
            if found is None:
                yield Chunk(source, None, None, None, "not planned", None, None, ()), None
                continue
            place = None if found.high_position is None else str(found.high_position)
            written = tuple(self._find_written(source, found.number))
            yield (
                Chunk(source, found.number, found.low, found.high, found.state, place, found.rows, written),
                found.high_position,
            )

    def _find(self, records: Sequence[ChunkRecord], source: str, sessions: Sessions) -> ChunkRecord | None:
        """The first one that does not end before the key. The source's server compares keys: only it knows their
        order."""
        if not records:
            return None
        database = source.partition(".")[0]
        statement = _within(self.table)

        def ends_before(record: ChunkRecord) -> bool:
            if record.high is None:
                return False
            variables = {
                f"sw_{name}_{index}": part
                for name, key in (("key", self.keys[0]), ("high", json.loads(record.high)))
                for index, part in enumerate(key, start=1)
            }
            with sessions.at(database) as connection:
                return not ask(connection, statement, variables, where=source)

        low, high = 0, len(records)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if ends_before(records[middle]) else (low, middle)
        return records[low] if low < len(records) else None

    def _find_written(self, source: str, number: int) -> Iterator[ChunkOnShard]:
        for shard, connection in self.servers.each_shard():
            found = read_chunk_time(connection, (self.plan.migration, self.table.logical, source, number))
            if found is not None:
                yield ChunkOnShard(self.plan.databases[shard], str(utc(found[0])), found[1])

    def tombstones(self) -> Iterator[KeptOnShard]:
        for shard, connection in self.servers.each_shard():
            for part, *place in self._select(connection, self.table.ours.tombstone, ("sw_part",), ""):
                yield KeptOnShard(self._name(shard, int(part)), position_text(*place), "delete")

    def read_staged(self, batch: int) -> Iterator[KeptOnShard]:
        """Decisions of the batch."""
        for shard, connection in self.servers.each_shard():
            rows = self._select(connection, self.table.ours.stage, ("sw_part", "sw_action"), "sw_batch", batch)
            for part, action, *place in rows:
                yield KeptOnShard(self._name(shard, int(part)), position_text(*place), str(action))

    def owners(self) -> Iterator[str]:
        """The source tables that the shards name as the row's owner."""
        if self.table.ours.owner is not None:
            for _, connection in self.servers.each_shard():
                for (number,) in self._select(connection, self.table.ours.owner, ("sw_source",), "", place=False):
                    yield str(self.table.sources[int(number)])

    def _select(
        self,
        connection: Connection[Any],
        name: str,
        columns: tuple[str, ...],
        batch_column: str,
        batch: int = 0,
        *,
        place: bool = True,
    ) -> Sequence[tuple[Any, ...]]:
        names = (*columns, *(("sw_file", "sw_offset", "sw_row") if place else ()))
        key = as_one([sql.column(column) for column in self.table.key])
        condition: exp.Expr = exp.In(this=key, expressions=[sql.column("${keys}")])
        if batch_column:
            condition = sql.all_of([sql.column(batch_column).eq(sql.number(batch)), condition])
        tree = exp.select(*(sql.column(column) for column in names)).from_(sql.table(name)).where(condition)
        kinds = [column.type for column in self.table.key_columns]
        return query_if_there(connection, with_keys(tree.sql("mysql"), connection, kinds, self.keys))

    def read_changed(self) -> Iterator[ChangedOnShard]:
        """The batches that have changed the key, as far as the shards remember, from the oldest on."""
        import pyarrow.compute as pc

        for shard, connection in self.servers.each_shard():
            for batch, logical, keys in recent_keys(connection, self.plan.migration, 0):
                if logical != self.table.logical:
                    continue
                near = keys.filter(pc.is_in(pc.list_element(keys.column("key"), 0), _first_parts(self.keys)))
                for key, part in zip(near.column("key").to_pylist(), near.column("part").to_pylist(), strict=True):
                    if tuple(key) in self.keys:
                        yield ChangedOnShard(batch, self._name(shard, int(part)))

    def read_recorded(self) -> Iterator[DecisionOnRecord]:
        """What the flight recorder has, shard by shard, from the oldest on."""
        for shard, connection in self.servers.each_shard():
            for one in read_decisions(connection, self.plan.migration, self.table.logical, self.keys):
                place = position_text(one.file, one.offset, one.row)
                yield DecisionOnRecord(
                    one.batch,
                    self._name(shard, one.part),
                    one.source_table,
                    place,
                    one.decision if one.action != "move_out" else "move_out",
                    one.why,
                    str(utc(one.at)),
                )

    def steps(self, batches: Collection[int]) -> tuple[StepOnShard, ...]:
        return tuple(
            StepOnShard(self.plan.databases[shard], batch, step, str(utc(at)))
            for shard, connection in self.servers.each_shard()
            for batch, step, at in read_step_times(connection, self.plan.migration, batches)
        )

    def dead_letters(self) -> Iterator[HeldBack]:
        with closing(self.servers.connect_shard(0)) as control:
            letters = read_dead_letters(control, self.plan.migration)
        for letter in letters:
            if letter.held.logical == self.table.logical and letter.held.key in self.keys:
                seen = str(utc(letter.first_seen)), str(utc(letter.last_seen))
                yield HeldBack(letter.held.source_table, letter.state, letter.code, letter.reason, letter.events, *seen)

    def moments(self) -> Iterator[Moment]:
        """Orders about the row, and the steps of cutovers."""
        row = QuarantinedKey(self.table.logical, "", self.keys[0])
        with closing(self.servers.connect_shard(0)) as control:
            for line in lines_about(control, self.plan.migration, detail=str(row), what="cutover "):
                yield Moment(utc(line.at), line.what, line.detail)

    def _name(self, shard: int, part: int) -> str:
        return self.plan.physical_name(self.table, shard, part)


def _first_parts(keys: Sequence[Key]) -> Any:
    import pyarrow as pa

    return pa.array([key[0] for key in keys], pa.string())


def _within(table: TablePlan) -> str:
    """MySQL: a row where @sw_key is not behind @sw_high."""
    names, kinds = tuple(f"k{index}" for index in range(1, len(table.key) + 1)), key_types(table)
    key = exp.select(
        *(
            sql.alias(key_variable(f"sw_key_{index}", kind), name)
            for index, (name, kind) in enumerate(zip(names, kinds, strict=True), start=1)
        )
    )
    _, up_to = bounds(names, kinds)
    return exp.select("1").from_(key.subquery("key_row")).where(up_to).sql("mysql", identify=True)


def position_text(file: object, offset: object, row: object) -> str:
    """A change's position as our tables have it: the number of the log file, its offset there, and its row."""
    return f"{file}:{offset}:{row}"
