"""What does the source have of one logical table? Sums, keys and rows of all source tables that feed it.

Runs in the driver; reads the source servers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from shardwright.compiler.plan.catalogue import is_one_integer
from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.mysql.keys import source_sql
from shardwright.runtime.verify.answers import RowHash, Sum, Sums, combine
from shardwright.runtime.verify.key_range import Key, KeyRange, key_variables
from shardwright.runtime.verify.sessions import Sessions, ask
from shardwright.runtime.verify.statement_calls import Rows, requests_for


class SourceEnd:
    """All source tables that feed one logical table. With `of_shard` only those of their rows that belong to that
    database."""

    def __init__(self, plan: Plan, table: TablePlan, sessions: Sessions, *, of_shard: int | None = None) -> None:
        self._step = plan.step(table.logical, StepName.VERIFY_SOURCE)
        self._tables = table.sources
        self._width = len(table.key)
        self._kinds = [column.type for column in table.key_columns]
        self.has_strides = is_one_integer(self._kinds)
        """Whether its keys are whole numbers, and each bucket a sub-range of them."""
        self._sessions = sessions
        self._logical = table.logical
        self._placed_by = table.placement.no_mysql or "its place follows from another table's rows"
        self._shard = {} if of_shard is None else {"sw_shard": of_shard}

    def sums(self, over: KeyRange) -> Sums:
        return sum(self.sums_by_table(over), Sums())

    def sums_by_table(self, over: KeyRange) -> tuple[Sums, ...]:
        """For each source table by itself."""
        found = []
        for name in self._tables:
            sql = source_sql(self._statement("sum"), name)
            with self._sessions.at(name.database) as connection:
                sums = ask(connection, sql, over.variables(self._width) | self._shard, where=str(name))
            found.append(Sums({int(bucket): Sum(int(rows), int(total)) for bucket, rows, total in sums}))
        return tuple(found)

    def count(self) -> int:
        return sum(self.count_in(name) for name in self._tables)

    def count_in(self, name: SourceName) -> int:
        sql = source_sql(self._step.statement("count"), name)
        with self._sessions.at(name.database) as connection:
            return int(ask(connection, sql, {}, where=str(name))[0][0])

    def boundary(self, name: SourceName, over: KeyRange) -> Key | None:
        """The key at which the next rows of the range end; None when fewer rows are left. See `split` of the step."""
        sql = source_sql(self._step.statement("split"), name)
        with self._sessions.at(name.database) as connection:
            rows = ask(connection, sql, over.variables(self._width), where=str(name))
        return tuple(rows[0]) if rows else None

    def has(self, name: SourceName, key: Key) -> bool:
        """Whether the table holds the key, found in the way that ranges find it: through the user variables."""
        sql = source_sql(self._step.statement("row"), name)
        with self._sessions.at(name.database) as connection:
            return bool(ask(connection, sql, key_variables(key), where=str(name)))

    def place(self, key: Key, held: RowHash) -> tuple[int, int] | None:
        """Database and table, from 0, where the rule places the row that `held` has; None where MySQL cannot compute
        them, or the row is gone."""
        if not self._step.has("place"):
            return None
        (name,) = (name for name in self._tables if str(name) == held.place)
        sql = source_sql(self._step.statement("place"), name)
        with self._sessions.at(name.database) as connection:
            rows = ask(connection, sql, key_variables(key), where=held.place)
        return (int(rows[0][0]), int(rows[0][1])) if rows and None not in rows[0] else None

    def keys(self, rows: Rows) -> Mapping[Key, tuple[RowHash, ...]]:
        return combine(self.keys_in(name, rows) for name in self._tables)

    def keys_in(self, name: SourceName, rows: Rows) -> Mapping[Key, tuple[RowHash, ...]]:
        found: dict[Key, tuple[RowHash, ...]] = defaultdict(tuple)
        row = source_sql(self._step.statement("row"), name)
        with self._sessions.at(name.database) as connection:
            for statement in requests_for(rows, self._kinds, connection):
                sql = statement.fill(source_sql(self._statement(statement.name), name))
                for *key, value in ask(connection, sql, {**statement.variables, **self._shard}, where=str(name)):
                    found[tuple(key)] += (RowHash(int(value), str(name), name.database, row),)
        return found

    def _statement(self, name: str) -> str:
        """Raises CouldNotCheck (SW8532) where the source cannot compute which rows belong to a shard."""
        if not self._shard or name == "given":
            return self._step.statement(name)
        if not self._step.has(f"{name}_of_shard"):
            raise CouldNotCheck(
                "SW8532",
                f"{self._logical}: the source cannot say which rows belong to one shard ({self._placed_by}): "
                "compare it without --shard",
            )
        return self._step.statement(f"{name}_of_shard")

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
