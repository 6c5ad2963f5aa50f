"""How is a migration observed? Ledgers and servers are asked side by side, each with few statements, so that it can be
done every few seconds.

Runs in the process of the command, with threads of its own; reads only. Statements: about 25 of the first shard, two
of each other server of shards for 64 shards, eight of each source. While rows are copied, the sources are asked for
the sizes of all tables every ten minutes.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.ledger.chunks import ChunkCount, count_chunks
from shardwright.runtime.ledger.dead_letters import DeadLetterCount, DeadLetterState
from shardwright.runtime.ledger.many_shards import CopiedTotals, ShardProgress, read_copied_totals, read_progress
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.estimates import Estimate, estimate_sizes
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.run.progress.copy_rate import time_left
from shardwright.runtime.run.status.copy_status import TableStatus
from shardwright.runtime.run.status.status import ShardStatus, Status
from shardwright.runtime.run.throttle.replica_lag import ReplicaState, replica_states
from shardwright.runtime.run.throttle.throttle import throttle_settings
from shardwright.runtime.watch.ask import TROUBLE, AskingThreads, Questions
from shardwright.runtime.watch.copy_pace import CopyPace
from shardwright.runtime.watch.ledger import Home, Ledger, read_home, read_ledger
from shardwright.runtime.watch.migration import Migration
from shardwright.runtime.watch.observation import Observation, ShardObserved, SourceObserved
from shardwright.runtime.watch.purge_clock import ServerFiles, read_files
from shardwright.runtime.watch.sources import SourceWatch, log_servers
from shardwright.specs.direction import Direction

_AT_ONCE: Final = 8
_ESTIMATES_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class _CopyCount:
    """What is copied, by logical table and by database of the ledger. It does not change once all rows are."""

    direction: Direction
    chunks: Mapping[str, ChunkCount]
    shards: Mapping[str, CopiedTotals]


@dataclass(frozen=True, slots=True)
class _OtherDirection:
    """What the other direction's ledger and logs have said, while changes go in both."""

    way: Way
    ledger: Ledger
    files: Mapping[str, ServerFiles | None]


@dataclass(frozen=True, slots=True)
class _Answers:
    """What the servers of a direction have said."""

    way: Way
    ledger: Ledger
    files: Mapping[str, ServerFiles | None]
    progress: Mapping[str, ShardProgress]
    copied: _CopyCount
    replicas: tuple[ReplicaState, ...]
    beside: _OtherDirection | None


@dataclass
class Observer:
    """Observes one migration again and again. Only one thread may use it at a time."""

    migration: Migration
    _direction: Direction = field(init=False, default=Direction.FORWARD)
    """The one that was last seen in force."""
    _sources: SourceWatch = field(init=False, default_factory=SourceWatch)
    _pace: CopyPace = field(init=False, default_factory=CopyPace)
    _whole: _CopyCount | None = field(init=False, default=None)
    """The copy, once it is complete."""
    _estimates: Mapping[str, Estimate] = field(init=False, default_factory=dict)
    _estimated_at: float = field(init=False, default=float("-inf"))

    def observe(self) -> Observation:
        """A server that does not answer makes its part unknown; nothing of that is raised."""
        at, started, questions = time.time(), time.monotonic(), Questions()
        home = questions.ask(self.migration.forward.servers.shards[0], "ledger", self._read_home)
        self._direction = self._direction if home is None else home.direction or self._direction
        threads = AskingThreads(_AT_ONCE)
        begun, answers = self._ask(threads, questions, home)
        found = None if answers is None else self._describe(threads, answers)
        status, sources = found or (None, ())
        return Observation(
            migration=self.migration.name,
            at=at,
            seconds=time.monotonic() - started,
            begun=begun,
            finished=None if home is None else home.direction is None,
            servers=questions.answers,
            direction=None if home is None else home.direction,
            beside=None if home is None else self._other(home),
            status=status,
            sources=sources,
            shards=() if answers is None else _shards(answers),
            run=None if answers is None else answers.ledger.run,
            dead_letters=() if answers is None else _dead_letters(answers),
            cutover=None if home is None else home.cutover,
            verified=None if answers is None else answers.ledger.verified,
        )

    def _read_home(self) -> Home:
        with closing(self.migration.forward.control()) as connection:
            return read_home(connection, self.migration.name)

    def _other(self, home: Home) -> Direction | None:
        """The direction that is in force beside this one."""
        return next((one for one in home.directions if one is not self._direction), None)

    def _ask(
        self, threads: AskingThreads, questions: Questions, home: Home | None
    ) -> tuple[bool | None, _Answers | None]:
        """Whether the migration has begun, and the answers if it has."""
        if home is not None and home.direction is None:
            return True, None
        way = self.migration.way(self._direction)
        files = _ask_for_files(threads, questions, way)
        other = None if home is None else self._other(home)
        beside = None if other is None else self._ask_other(threads, questions, self.migration.way(other))
        replicas = threads.submit(_replicas, way)
        # Without the first shard it is not known which direction is in force, and whose ledger counts.
        read = home and questions.ask(way.servers.shards[0], "ledger", lambda: self._read_ledger(way))
        ledger, chunks = read or (None, None)
        if chunks is not None:
            self._whole = None
        by_server: dict[Endpoint, list[str]] = defaultdict(list)
        for endpoint, database in zip(way.servers.shards, way.servers.databases, strict=True):
            by_server[endpoint].append(database)
        asked = [
            threads.submit(questions.ask, endpoint, "shard", partial(_read_shards, endpoint, way, databases, chunks))
            for endpoint, databases in by_server.items()
        ]
        progress: dict[str, ShardProgress] = {}
        totals: dict[str, CopiedTotals] = {}
        for task in asked:
            some_progress, some_totals = task.result() or ({}, {})
            progress.update(some_progress)
            totals.update(some_totals)
        looked = {name: task.result() for name, task in files.items()}
        if ledger is None:
            return (False if read else None), None
        copied = self._whole or _CopyCount(self._direction, chunks or {}, totals)
        if ledger.state.snapshot_end is not None and len(copied.shards) == len(way.servers.databases):
            self._whole = copied
        return True, _Answers(way, ledger, looked, progress, copied, replicas.result(), beside)

    def _ask_other(self, threads: AskingThreads, questions: Questions, way: Way) -> _OtherDirection | None:
        files = _ask_for_files(threads, questions, way)

        def read() -> Ledger | None:
            with closing(way.control()) as connection:
                return read_ledger(connection, self.migration.name)

        ledger = questions.ask(way.servers.shards[0], "ledger", read)
        looked = {name: task.result() for name, task in files.items()}
        return None if ledger is None else _OtherDirection(way, ledger, looked)

    def _read_ledger(self, way: Way) -> tuple[Ledger | None, Mapping[str, ChunkCount] | None]:
        """Chunks are counted while rows are copied, and once afterwards."""
        with closing(way.control()) as connection:
            ledger = read_ledger(connection, self.migration.name)
            if ledger is None:
                return None, None
            is_known = self._whole is not None and self._whole.direction is self._direction
            if is_known and ledger.state.snapshot_end is not None:
                return ledger, None
            return ledger, count_chunks(connection, self.migration.name)

    def _describe(self, threads: AskingThreads, answers: _Answers) -> tuple[Status, tuple[SourceObserved, ...]]:
        way, ledger, state = answers.way, answers.ledger, answers.ledger.state
        logs: dict[
            str, _Answers | _OtherDirection
        ] = {}  # a name means one log: a metric with two values would be refused
        for one in (answers.beside, answers):
            if one is not None:
                logs.update(dict.fromkeys(one.ledger.state.position.parts, one))
        described = [
            threads.submit(self._sources.describe, one.way, name, one.ledger.state, one.files.get(name))
            for name, one in logs.items()
        ]
        tables = self._tables(answers)
        sources = [task.result() for task in described]
        opened = ledger.open_batch
        is_open = opened is not None or (answers.beside is not None and answers.beside.ledger.open_batch is not None)
        at_end = not is_open and state.snapshot_end is not None
        status = Status(
            migration=self.migration.name,
            fingerprint=state.fingerprint,
            snapshot_complete=not state.is_copying(()),
            caught_up=at_end and all(one.lag_bytes == 0 for one, _ in sources),
            position=str(state.position),
            batch=state.batch,
            open_batch=f"{opened.batch} ({opened.state}): {opened.start} to {opened.end}" if opened else None,
            sources=tuple(one for one, _ in sources),
            shards=tuple(_shard_statuses(answers)),
            tables=tables,
            direction=way.plan.direction,
            rows_held=sum(count.rows for count in _dead_letters(answers) if count.state != "answered"),
            left_out=ledger.left_out,
            replicas=answers.replicas,
            left=self._pace.time_for(_rows_left(tables), now=time.monotonic()) if _is_estimated(tables) else None,
            audit=ledger.audit,
            order=ledger.order,
        )
        return status, tuple(one for _, one in sources)

    def _tables(self, answers: _Answers) -> tuple[TableStatus, ...]:
        plan, chunks = answers.way.plan, answers.copied.chunks
        is_copying = answers.ledger.state.snapshot_end is None
        now = time.monotonic()
        if is_copying:
            self._pace.note({table.logical: _of(chunks, table).rows for table in plan.in_chunks}, now=now)
            self._estimate(answers.way, now)
        return tuple(self._table(table, _of(chunks, table), is_copying, now) for table in plan.in_chunks)

    def _table(self, table: TablePlan, count: ChunkCount, is_copying: bool, now: float) -> TableStatus:
        expected = self._estimates.get(table.logical) if is_copying else None
        if is_copying and count.ends == len(table.sources) and count.done == count.planned:
            expected = Estimate(count.rows, 0 if expected is None else expected.bytes)
        elif expected is not None and expected.rows == 0:
            expected = None  # the account sees no table of the source, or the table is still new
        rate = self._pace.rate([table.logical], now=now) if is_copying else None
        rows_left = None if expected is None else max(0, expected.rows - count.rows)
        return TableStatus(
            table.logical,
            chunks_done=count.done,
            chunks_planned=count.planned,
            rows_copied=count.rows,
            tombstones=None,
            rows_expected=None if expected is None else max(expected.rows, count.rows),
            bytes_expected=None if expected is None else expected.bytes,
            rows_per_second=None if rate is None else round(rate.mean, 1),
            left=None if rows_left is None else time_left(rows_left, rate),
        )

    def _estimate(self, way: Way, now: float) -> None:
        """A source that cannot be asked keeps its last estimates."""
        if now - self._estimated_at >= _ESTIMATES_SECONDS:
            self._estimated_at = now
            with suppress(*TROUBLE):
                self._estimates = estimate_sizes(way.plan, way.servers)


def _read_shards(
    endpoint: Endpoint, way: Way, databases: list[str], chunks: Mapping[str, ChunkCount] | None
) -> tuple[Mapping[str, ShardProgress], Mapping[str, CopiedTotals]]:
    migration = way.plan.migration
    with closing(connect(endpoint)) as connection:
        progress = read_progress(connection, migration, databases)
        return progress, {} if chunks is None else read_copied_totals(connection, migration, databases)


def _ask_for_files(threads: AskingThreads, questions: Questions, way: Way) -> Mapping[str, Future[ServerFiles | None]]:
    return {
        name: threads.submit(questions.ask, endpoint, "source", partial(read_files, endpoint))
        for name, endpoint in log_servers(way).items()
    }


def _dead_letters(answers: _Answers) -> tuple[DeadLetterCount, ...]:
    """Those of both directions, where changes go in both."""
    if answers.beside is None:
        return answers.ledger.dead_letters
    rows: Counter[tuple[str, DeadLetterState, str]] = Counter()
    for one in (*answers.ledger.dead_letters, *answers.beside.ledger.dead_letters):
        rows[one.logical, one.state, one.code] += one.rows
    return tuple(DeadLetterCount(*kind, count) for kind, count in rows.items())


def _replicas(way: Way) -> tuple[ReplicaState, ...]:
    with suppress(*TROUBLE):
        return tuple(replica_states(way.environment, throttle_settings(way.environment, way.plan), os.environ))
    return ()


def _of(chunks: Mapping[str, ChunkCount], table: TablePlan) -> ChunkCount:
    return chunks.get(table.logical, ChunkCount())


def _is_estimated(tables: tuple[TableStatus, ...]) -> bool:
    return bool(tables) and all(table.rows_expected is not None for table in tables)


def _rows_left(tables: tuple[TableStatus, ...]) -> Mapping[str, int]:
    return {table.table: max(0, (table.rows_expected or 0) - table.rows_copied) for table in tables}


def _names(answers: _Answers) -> Mapping[str, str]:
    """Database of the ledger -> what the shard is called."""
    servers = answers.way.servers
    called = servers.targets if answers.way.plan.direction.writes_shards else servers.databases
    return dict(zip(servers.databases, called, strict=True))


def _shard_statuses(answers: _Answers) -> list[ShardStatus]:
    state, members, found = answers.ledger.state, answers.ledger.members, []
    for database, name in _names(answers).items():
        progress = answers.progress.get(database)
        if progress is None:
            continue
        owed = members[database].batch if database in members else 0
        copied = answers.copied.shards.get(database, CopiedTotals(0, 0))
        last = state.position if progress.batch == owed else progress.position
        lacks = owed if progress.batch < owed else None
        found.append(ShardStatus(name, progress.batch, str(last), copied.chunks, copied.rows, lacks))
    return found


def _shards(answers: _Answers) -> tuple[ShardObserved, ...]:
    return tuple(
        ShardObserved(name, answers.progress[database].applied_seconds)
        for database, name in _names(answers).items()
        if database in answers.progress
    )
