"""Where will the rows of each table be? The source is asked table by table; only counts by place and key leave it.

Runs in the process of the command; reads source servers.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sharding.function import ShardFunction, route
from shardwright.compiler.sharding.key_values import key_value
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.steps.decode import Place
from shardwright.compiler.steps.forecast import Parent, bound_sql, stretch
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.rehearsal.forecast.collisions import collisions
from shardwright.runtime.rehearsal.forecast.estimate import HeavyKeys, Sampling, Tally, stretches
from shardwright.runtime.rehearsal.forecast.result import Collision, Forecast, HeavyKey, PlaceForecast, TableForecast
from shardwright.runtime.run.preflight.context import Size, measure
from shardwright.runtime.verify.sessions import ask

STRETCH = 200
WHOLE_STRETCH = 20_000
_KEYS = 10


@dataclass(frozen=True, slots=True)
class Order:
    """`sample` rows of each table are read; None: all. `pause` is in seconds, after each statement."""

    sample: int | None
    seed: int = 1
    pause: float = 0.0

    def make_sampling(self, rows: int) -> Sampling:
        """The sampling for a table of about so many rows."""
        if self.sample is None:
            return Sampling(WHOLE_STRETCH, WHOLE_STRETCH, self.seed, self.pause)
        return Sampling(STRETCH, max(STRETCH, rows * STRETCH // max(self.sample, 1)), self.seed, self.pause)


def forecast(
    compiled: CompiledPlan, servers: Servers, order: Order, *, tables: Collection[str] = (), unique: bool = True
) -> Forecast:
    """Forecasts all tables, or those named. `unique`: with the unique values that will collide.

    Raises RuntimeFailure when a server cannot be asked.
    """
    plan = compiled.plan
    wanted = [table for table in plan.tables if not tables or table.logical in tables]
    return Forecast(
        plan.migration, tuple(_Table(compiled, servers, order, table, unique).forecast() for table in wanted)
    )


@dataclass
class _Table:
    """One table, while it is forecast."""

    compiled: CompiledPlan
    """The compiled spec."""
    servers: Servers
    """The sources."""
    order: Order
    """How many rows to read."""
    table: TablePlan
    """The table's plan."""
    unique: bool
    """Whether unique values that will collide are looked for."""
    keys: HeavyKeys = field(default_factory=HeavyKeys)
    """The shard keys with most rows, counted while reading."""

    def forecast(self) -> TableForecast:
        table, size = self.table, self._size()
        if table.identity.counts_rows:
            note = "not forecast: it has no key, by which a part of its rows could be read"
            return TableForecast(table.logical, table.placement.kind, size.rows, 0, is_whole=False, note=note)
        sampling = self.order.make_sampling(size.rows)
        parent = self._parent()
        if table.placement.parent is not None and parent is None:
            note = f"not forecast: its rows follow {table.placement.parent.parent}, which one join cannot find"
            return TableForecast(table.logical, table.placement.kind, size.rows, 0, is_whole=False, note=note)
        tally = Tally(sampling.factor)
        for source in table.sources:
            self._read(source, sampling, tally, parent)
        met, note = self._collisions(sampling)
        return TableForecast(
            table.logical,
            table.placement.kind,
            rows=round(tally.looked_at * sampling.factor),
            looked_at=tally.looked_at,
            is_whole=sampling.is_whole,
            shards=tuple(self._shards(tally, size)),
            parts=tuple(self._parts(tally, size)),
            keys=tuple(self._heavy(tally)),
            short=self.keys.short,
            collisions=met,
            note=note,
        )

    def _read(self, source: SourceName, sampling: Sampling, tally: Tally, parent: Parent | None) -> None:
        names = self._key_names()
        place = None if self.table.placement.no_mysql else self._place(self.table)
        mapping = self.compiled.mappings.get(self.table.logical)
        statement = stretch(self.table, source, mapping, keys=names, place=place, parent=parent)
        width, where = len(self.table.key), str(source)
        connection = self.servers.patient().connect_source(source.database)
        try:
            for over in stretches(connection, bound_sql(self.table, source), sampling, width=width, where=where):
                found: dict[tuple[int, int], tuple[int, int]] = defaultdict(lambda: (0, 0))
                for *key, shard, part, rows, size in ask(connection, statement, over.variables(width), where=where):
                    texts = tuple(bytes(it).decode("utf-8", "replace") if it is not None else "NULL" for it in key)
                    at = (int(shard), int(part)) if shard is not None else self._route_in_python(texts)
                    before = found[at]
                    found[at] = (before[0] + int(rows), before[1] + int(size))
                    if names:
                        self.keys.add(texts, int(rows))
                tally.add(found)
                time.sleep(sampling.pause)
        finally:
            connection.close()

    def _collisions(self, sampling: Sampling) -> tuple[tuple[Collision, ...], str]:
        """Collisions of unique values. Without a known place, all equal values count as meeting."""
        if not self.unique:
            return (), ""
        known = self.table.placement.parent is None and not self.table.placement.no_mysql
        place = self._place(self.table) if known else None
        return collisions(self.compiled, self.servers, self.table, sampling, place)

    def _key_names(self) -> tuple[str, ...]:
        if self.table.placement.parent is not None:
            return tuple(column.source for column in self.table.via_columns)
        return self.table.placement.shard_key

    def _place(self, table: TablePlan) -> Place:
        """The place in MySQL's SQL, over the source's columns. A broadcast row is in every database, which 0
        represents."""
        function = self.compiled.functions.get(table.logical)
        return (
            function.mysql(sql.column) if function else (sql.number(table.placement.only_database or 0), sql.number(0))
        )

    def _route_in_python(self, texts: tuple[str, ...]) -> tuple[int, int]:
        """The place by the rule's Python form, for rules that MySQL cannot compute."""
        function: ShardFunction = self.compiled.functions[self.table.logical]
        columns = {column.name.lower(): column for column in self.table.source.columns}
        named = [columns[name.lower()] for name in self.table.placement.shard_key]
        row = {
            c.name: key_value(text, Column(c.name, c.type, c.nullable)) for c, text in zip(named, texts, strict=True)
        }
        return route(function, row)

    def _parent(self) -> Parent | None:
        """The parent to join. None also where the child's and the parent's rows are not in one source table each, on
        one server."""
        link = self.table.placement.parent
        if link is None:
            return None
        parent = self.compiled.plan.table(link.parent)
        if parent.placement.parent or parent.placement.no_mysql or len(parent.sources) > 1:
            return None
        (source,) = parent.sources
        at = {self.servers.source_databases[name.database] for name in (*self.table.sources, source)}
        if len(at) > 1:
            return None
        return Parent(parent, source, self.compiled.mappings.get(parent.logical), self._place(parent))

    def _size(self) -> Size:
        total = Size()
        for held, connection in self.servers.each_source(self.table.sources):
            total += measure(connection, dict.fromkeys(held, self.table.logical))[self.table.logical]
        return total

    def _shards(self, tally: Tally, size: Size) -> Iterator[PlaceForecast]:
        plan, whole = self.compiled.plan, self.table.placement.has_copies
        for shard in plan.shards(self.table):
            at = 0 if whole else shard
            places = [place for place in tally.rows if place[0] == at]
            yield self._forecast(plan.databases[shard], places, tally, size, tally.error(at))

    def _parts(self, tally: Tally, size: Size) -> Iterator[PlaceForecast]:
        """Physical tables, only of tables that are split: otherwise a database's rows are those of its one table."""
        if len(self.table.suffixes) < 2:
            return
        for shard, part, name in self.compiled.plan.physical_tables(self.table):
            yield self._forecast(
                f"{self.compiled.plan.databases[shard]}.{name}", [(shard, part)], tally, size, tally.error(shard)
            )

    def _forecast(
        self, name: str, places: Collection[tuple[int, int]], tally: Tally, size: Size, error: float
    ) -> PlaceForecast:
        rows = sum(tally.rows.get(place, 0) for place in places)
        share = sum(tally.bytes.get(place, 0) for place in places) / max(sum(tally.bytes.values()), 1)
        return PlaceForecast(name, round(rows * tally.factor), round(size.bytes * share), round(error, 4))

    def _heavy(self, tally: Tally) -> Iterator[HeavyKey]:
        for key, rows in self.keys.largest(_KEYS):
            yield HeavyKey(key, round(rows * tally.factor), round(rows / max(tally.looked_at, 1), 4))
