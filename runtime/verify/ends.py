"""Asking both ends about one logical table: sums, keys and rows of the source's tables and of the physical tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan import Plan, SourceName, StepName, TablePlan, with_suffix
from shardwright.runtime.verify.key_range import Key, KeyRange, key_variables
from shardwright.runtime.verify.sessions import End, Sessions, ask


@dataclass(frozen=True, slots=True)
class Sum:
    rows: int = 0
    hash: int = 0
    misplaced: int = 0

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.rows + other.rows, self.hash + other.hash, self.misplaced + other.misplaced)


@dataclass(frozen=True, slots=True)
class Held:
    """One table holds a row: `place` is its full name, `end` the connection that reaches it."""

    hash: int
    place: str
    end: End
    sql: str
    misplaced: bool = False


class SourceEnd:
    """All source tables that feed one logical table."""

    def __init__(self, plan: Plan, table: TablePlan, sessions: Sessions) -> None:
        self._step = plan.step(table.logical, StepName.VERIFY_SOURCE)
        self._tables = table.sources
        self._width = len(table.key)
        self._sessions = sessions

    def sums(self, over: KeyRange) -> Mapping[SourceName, Sum]:
        found = {}
        for name in self._tables:
            sql = _of_source(self._step.statement("sum"), name)
            with self._sessions.at(name.database) as connection:
                [(rows, total)] = ask(connection, sql, over.variables(self._width), where=str(name))
            found[name] = Sum(int(rows), int(total))
        return found

    def count(self) -> int:
        rows = 0
        for name in self._tables:
            sql = _of_source(self._step.statement("count"), name)
            with self._sessions.at(name.database) as connection:
                rows += int(ask(connection, sql, {}, where=str(name))[0][0])
        return rows

    def boundary(self, name: SourceName, over: KeyRange, *, statement: str) -> Key | None:
        """Where the next rows of the range end; None when fewer are left. See `split` and `split_small` of the step."""
        sql = _of_source(self._step.statement(statement), name)
        with self._sessions.at(name.database) as connection:
            rows = ask(connection, sql, over.variables(self._width), where=str(name))
        return tuple(rows[0]) if rows else None

    def has(self, name: SourceName, key: Key) -> bool:
        """Whether the table holds the key, found as ranges find it: through the user variables."""
        sql = _of_source(self._step.statement("row"), name)
        with self._sessions.at(name.database) as connection:
            return bool(ask(connection, sql, key_variables(key), where=str(name)))

    def keys(self, over: KeyRange) -> Mapping[Key, tuple[Held, ...]]:
        found: dict[Key, tuple[Held, ...]] = defaultdict(tuple)
        for name in self._tables:
            sql, row = (_of_source(self._step.statement(it), name) for it in ("keys", "row"))
            with self._sessions.at(name.database) as connection:
                for *key, value in ask(connection, sql, over.variables(self._width), where=str(name)):
                    found[tuple(key)] += (Held(int(value), str(name), name.database, row),)
        return found

    def row(self, key: Key) -> tuple[Held, ...]:
        """Every table that holds the key."""
        found: tuple[Held, ...] = ()
        for name in self._tables:
            sql, row = (_of_source(self._step.statement(it), name) for it in ("key", "row"))
            with self._sessions.at(name.database) as connection:
                for (value,) in ask(connection, sql, key_variables(key), where=str(name)):
                    found += (Held(int(value), str(name), name.database, row),)
        return found

    def largest(self) -> SourceName:
        """The table with the most rows by the server's own estimate: its keys make the boundaries."""
        if len(self._tables) == 1:
            return self._tables[0]
        sql = (
            "SELECT COALESCE(table_rows, 0) FROM information_schema.tables "
            "WHERE table_schema = @sw_schema AND table_name = @sw_table"
        )
        estimates = []
        for name in self._tables:
            names = {"sw_schema": name.database, "sw_table": name.table}
            with self._sessions.at(name.database) as connection:
                rows = ask(connection, sql, names, where=str(name))
            estimates.append((int(rows[0][0]) if rows else 0, name))
        return max(estimates, key=lambda pair: pair[0])[1]


class ShardEnd:
    """The physical tables of one logical table on some shards, which together should equal the source."""

    def __init__(self, plan: Plan, table: TablePlan, sessions: Sessions, *, shards: Sequence[int]) -> None:
        self._step = plan.step(table.logical, StepName.VERIFY_TARGET)
        self._logical = table.logical
        self._places_are_asked = table.no_mysql_place is None
        self._databases = plan.databases
        self._suffixes = plan.parts(table)
        self._width = len(table.key)
        self._sessions = sessions
        self.shards = tuple(shards)

    @property
    def only_place(self) -> str | None:
        """The full name of the physical table when there is just one."""
        if len(self.shards) > 1 or len(self._suffixes) > 1:
            return None
        return self._place(self.shards[0], self._suffixes[0])

    def sums(self, over: KeyRange) -> Mapping[int, Sum]:
        return {shard: self._sum(shard, over) for shard in self.shards}

    def count(self) -> int:
        rows = 0
        for shard in self.shards:
            with self._sessions.at(shard) as connection:
                for suffix in self._suffixes:
                    sql = with_suffix(self._step.statement("count"), suffix)
                    rows += int(ask(connection, sql, {}, where=self._place(shard, suffix))[0][0])
        return rows

    def keys(self, over: KeyRange) -> Mapping[Key, tuple[Held, ...]]:
        found: dict[Key, tuple[Held, ...]] = defaultdict(tuple)
        for shard in self.shards:
            with self._sessions.at(shard) as connection:
                for part, suffix in enumerate(self._suffixes):
                    place = self._place(shard, suffix)
                    sql, row = (with_suffix(self._step.statement(it), suffix) for it in ("keys", "row"))
                    variables = {**over.variables(self._width), "sw_shard": shard, "sw_part": part}
                    for *key, value, misplaced in ask(connection, sql, variables, where=place):
                        found[tuple(key)] += (Held(int(value), place, shard, row, bool(self._misplaced(misplaced))),)
        return found

    def row(self, key: Key) -> tuple[Held, ...]:
        """Every physical table that holds the key: all are asked, since it may stand where it does not belong."""
        found: tuple[Held, ...] = ()
        for shard in self.shards:
            with self._sessions.at(shard) as connection:
                for part, suffix in enumerate(self._suffixes):
                    place = self._place(shard, suffix)
                    sql, row = (with_suffix(self._step.statement(it), suffix) for it in ("key", "row"))
                    variables = {**key_variables(key), "sw_shard": shard, "sw_part": part}
                    for value, misplaced in ask(connection, sql, variables, where=place):
                        found += (Held(int(value), place, shard, row, bool(self._misplaced(misplaced))),)
        return found

    def _sum(self, shard: int, over: KeyRange) -> Sum:
        total = Sum()
        with self._sessions.at(shard) as connection:
            for part, suffix in enumerate(self._suffixes):
                sql = with_suffix(self._step.statement("sum"), suffix)
                variables = {**over.variables(self._width), "sw_shard": shard, "sw_part": part}
                [(rows, value, misplaced)] = ask(connection, sql, variables, where=self._place(shard, suffix))
                total += Sum(int(rows), int(value), self._misplaced(misplaced))
        return total

    def _misplaced(self, answer: int | None) -> int:
        """The statement answers NULL where MySQL cannot compute the place; that it did not look is reported (see
        `TableResult.not_looked_for`). From a statement that looks, NULL would be a fault, and is none to be passed over."""
        if not self._places_are_asked:
            return 0
        assert answer is not None, f"{self._logical}: the server did not say how many rows are misplaced"
        return int(answer)

    def _place(self, shard: int, suffix: str) -> str:
        return f"{self._databases[shard]}.{self._logical}{suffix}"


def shard_ends(plan: Plan, table: TablePlan, sessions: Sessions) -> Iterator[ShardEnd]:
    """The groups of shards that each should equal the source: all together, or every one by itself."""
    shards = plan.shards(table)
    if table.distribution == "broadcast":
        for shard in shards:
            yield ShardEnd(plan, table, sessions, shards=(shard,))
    else:
        yield ShardEnd(plan, table, sessions, shards=shards)


def _of_source(sql: str, name: SourceName) -> str:
    """The statement for one source table. The placeholders stand inside quoted identifiers."""
    database, table = (part.replace("`", "``") for part in (name.database, name.table))
    return sql.replace("${source_database}", database).replace("${source_table}", table)
