"""On which shard, in which table, does the row belong, and by which rule? Python computes it, and the first shard's
server where MySQL can.

Runs in the process of the command; reads the first shard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.expressions.expression import NoMysqlForm
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import ORPHANS, Plan, TablePlan
from shardwright.compiler.plan.summary import spread_words
from shardwright.compiler.sharding.function import ShardFunction, route
from shardwright.compiler.sharding.key_values import KeyValue, NotOfType, key_value
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.history.facts import Belonging
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.rehearsal.route.bind import bind_sql
from shardwright.runtime.rehearsal.route.subject import Subject
from shardwright.runtime.verify.sessions import Sessions, ask

Values = Mapping[str, str | None]
"""Source column -> value."""
Place = tuple[int, int]
"""Database and table index."""


@dataclass(frozen=True, slots=True)
class Locator:
    """Finds the places of a table's rows. `servers` and `sessions` reach the shards of the forward plan."""

    about: Subject
    servers: Servers
    sessions: Sessions

    @property
    def plan(self) -> Plan:
        return self.about.plan

    @property
    def table(self) -> TablePlan:
        return self.about.table

    def find(self, values: Values | None, *, may_ask_parents: bool) -> Belonging:
        """`values`: the row's; None where no row is known. `may_ask_parents`: the lookup tables are kept up to date."""
        placement = self.table.placement
        if placement.parent is not None:
            return self._below_parent(values, may_ask=may_ask_parents)
        function = self.about.function
        if function is None and placement.shard_key:
            return Belonging((), "the specs were changed since the plan was compiled: `shardwright compile`")
        if function is None:
            return Belonging(self.about.places(), spread_words(self.plan, self.table))
        if values is None:
            return Belonging((), f"{spread_words(self.plan, self.table)}, and no row shows the values of these columns")
        return self._by_rule(function, values)

    def place_of(self, values: Values | None) -> str | None:
        """The physical table by the Python form; None for a table without a rule, and where it is not known."""
        function = self.about.function
        typed = None if function is None or values is None else self._type_key(values)
        if function is None or typed is None:
            return None
        return self._name(route(function, typed))

    def _by_rule(self, function: ShardFunction, values: Values) -> Belonging:
        words, typed = spread_words(self.plan, self.table), self._type_key(values)
        if typed is None:
            return Belonging((), f"{words}, and the row has no value there that places it")
        place = route(function, typed)
        names = (self._name(place),)
        if self._is_hidden():
            return Belonging(names, f"{words}; the values are masked", python=place)
        shown = {name: values[name] for name in typed}
        spark = bind_sql(function, typed, self.about.types, dialect="spark")
        try:
            mysql = bind_sql(function, typed, self.about.types, dialect="mysql")
        except NoMysqlForm as reason:
            return Belonging(names, f"{words}; MySQL cannot compute {reason}", shown, place, spark=spark)
        return Belonging(names, words, shown, place, mysql, self._ask(mysql), spark)

    def _ask(self, sql: str) -> Place | None:
        try:
            with self.sessions.at(0) as connection:
                ((database, part),) = ask(connection, sql, {}, where=self.plan.databases[0])
        except CouldNotCheck:
            return None  # a function that this server lacks: the other two forms are certain
        return int(database), int(part)

    def _type_key(self, values: Values) -> dict[str, KeyValue] | None:
        """The shard key; None where a column is NULL or not known."""
        typed: dict[str, KeyValue] = {}
        for column in self.table.source.columns:
            if column.name in self.table.placement.shard_key:
                text = values.get(column.name)
                if text is None:
                    return None
                try:
                    typed[column.name] = key_value(text, Column(column.name, column.type, column.nullable))
                except NotOfType:
                    return None
        return typed

    def _is_hidden(self) -> bool:
        shown = self.table.readable_columns
        return any(name not in shown for name in self.table.placement.shard_key)

    def _below_parent(self, values: Values | None, *, may_ask: bool) -> Belonging:
        link = self.table.placement.parent
        assert link is not None
        words = f"co-located with its parent {link.parent} through {', '.join(link.via)}"
        if values is None:
            return Belonging((), f"{words}, and no row shows these values")
        if not may_ask:
            return Belonging((), f"{words}; applications place it now, and our lookup tables are not kept up to date")
        via = tuple(values.get(column.source) for column in self.table.via_columns)
        known = {column.target: value for column, value in zip(self.table.via_columns, via, strict=True)}
        hidden = any(column.is_masked for column in self.table.via_columns)
        place = None if None in via else self._place_of_parent(link.places, tuple(str(value) for value in via))
        shown = {} if hidden else known
        if place is None:
            return Belonging((self._name(ORPHANS),), f"{words}, which has no such row: the place of orphans", shown)
        return Belonging((self._name(place),), f"{words}, which is there", shown)

    def _place_of_parent(self, lookup_table: str, key: tuple[str, ...]) -> Place | None:
        import pyarrow as pa  # the look-up is one of Spark's tasks, and answers in Arrow

        from shardwright.runtime.ledger.parent_places import family_of, places_looker

        asked = pa.RecordBatch.from_pydict({"lookup_table": [lookup_table], "key": [list(key)]})
        look_up = places_looker(family_of(self.plan, self.servers))
        found = next(row for batch in look_up(iter([asked])) for row in batch.to_pylist())
        return None if found["shard"] is None else (int(found["shard"]), int(found["part"]))

    def _name(self, place: Place) -> str:
        return self.plan.physical_name(self.table, *place)
