"""What do shards have of one logical table? Sums, keys and rows of its physical tables.

Runs in the driver; reads the shards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, at_place, with_suffix
from shardwright.runtime.verify.answers import RowHash, Sum, Sums, combine
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.sessions import Sessions, ask
from shardwright.runtime.verify.statement_calls import Rows, requests_for


class ShardEnd:
    """The physical tables of one logical table on some shards, which together should equal the source."""

    def __init__(self, plan: Plan, table: TablePlan, sessions: Sessions, *, shards: Sequence[int]) -> None:
        self._step = plan.step(table.logical, StepName.VERIFY_TARGET)
        self._logical, self._physical = table.logical, table.physical
        self._named_in = plan.databases_of(table)
        self._places_are_asked = table.placement.no_mysql is None
        self._databases = plan.databases
        self.suffixes = plan.parts(table)
        self._width = len(table.key)
        self._kinds = [column.type for column in table.key_columns]
        self._sessions = sessions
        self.shards = tuple(shards)

    @property
    def only_place(self) -> str | None:
        """The full name of the physical table when there is just one."""
        if len(self.shards) > 1 or len(self.suffixes) > 1:
            return None
        return self._place(self.shards[0], self.suffixes[0])

    def sums(self, over: KeyRange) -> Mapping[int, Sums]:
        return {shard: self._sum(shard, over) for shard in self.shards}

    def count(self) -> int:
        return sum(self.count_in(shard, suffix) for shard in self.shards for suffix in self.suffixes)

    def count_in(self, shard: int, suffix: str) -> int:
        with self._sessions.at(shard) as connection:
            return int(ask(connection, self._sql("count", shard, suffix), {}, where=self._place(shard, suffix))[0][0])

    def keys(self, rows: Rows) -> Mapping[Key, tuple[RowHash, ...]]:
        """All physical tables are asked: a row may be where it does not belong."""
        return combine(self.keys_on(shard, rows) for shard in self.shards)

    def keys_on(self, shard: int, rows: Rows) -> Mapping[Key, tuple[RowHash, ...]]:
        found: dict[Key, tuple[RowHash, ...]] = defaultdict(tuple)
        with self._sessions.at(shard) as connection:
            for statement in requests_for(rows, self._kinds, connection):
                for part, suffix in enumerate(self.suffixes):
                    place = self._place(shard, suffix)
                    sql = statement.fill(self._sql(statement.name, shard, suffix))
                    row = self._sql("row", shard, suffix)
                    variables = {**statement.variables, "sw_shard": shard, "sw_part": part}
                    for *key, value, misplaced in ask(connection, sql, variables, where=place):
                        held = RowHash(int(value), place, shard, row, bool(self._count_misplaced(misplaced)))
                        found[tuple(key)] += (held,)
        return found

    def _sum(self, shard: int, over: KeyRange) -> Sums:
        found = Sums()
        with self._sessions.at(shard) as connection:
            for part, suffix in enumerate(self.suffixes):
                sql = self._sql("sum", shard, suffix)
                variables = {**over.variables(self._width), "sw_shard": shard, "sw_part": part}
                sums = ask(connection, sql, variables, where=self._place(shard, suffix))
                found += Sums(
                    {
                        int(one): Sum(int(rows), int(total), self._count_misplaced(away))
                        for one, rows, total, away in sums
                    }
                )
        return found

    def _count_misplaced(self, answer: int | None) -> int:
        """The statement answers NULL where MySQL cannot compute the place; the result reports that this was not checked
        (see `TableResult.not_looked_for`). From a statement that computes it, NULL would be a fault that must not be
        ignored."""
        if not self._places_are_asked:
            return 0
        assert answer is not None, f"{self._logical}: the server did not say how many rows are misplaced"
        return int(answer)

    def name_of(self, place: tuple[int, int]) -> str:
        """Full name of the physical table with that database and table index."""
        return self._place(place[0], self.suffixes[place[1]])

    def _place(self, shard: int, suffix: str) -> str:
        return f"{self._named_in[shard]}.{with_suffix(self._physical, suffix)}"

    def _sql(self, name: str, shard: int, suffix: str) -> str:
        return at_place(self._step.statement(name), self._databases[shard], suffix)


def shard_ends(plan: Plan, table: TablePlan, sessions: Sessions) -> Iterator[ShardEnd]:
    """The groups of shards that each should equal the source: all together, or every one by itself."""
    for shards in table.placement.groups(plan.shards(table)):
        yield ShardEnd(plan, table, sessions, shards=shards)
