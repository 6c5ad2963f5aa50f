"""How does Spark decide a batch? By the plan's Spark SQL over the batch's events, up to the stages on the shards.

Runs in the driver: composes and starts the query. Its tasks read the sources and stage on the shards.
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql.batch_sql import (
    batch_sql,
    inserts_packed,
    merge_packed_sql,
    merges_packed,
    new_rows_sql,
    route_packed_sql,
    routes_packed,
    tables_alike,
    union_all,
)
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.spark.planned_query import Execution, KeptFrame, PlannedQuery
from shardwright.runtime.stream.families.parents import RoutedFamilies
from shardwright.runtime.stream.stage.batch_properties import batch_stager, set_batch_parameters
from shardwright.runtime.stream.stage.lookup import FOUND_COLUMNS, looker
from shardwright.runtime.stream.stage.stage import RESULT_SCHEMA, BatchContext


def count_events(changes: DataFrame) -> EventCounts:
    rows = changes.groupBy("table").agg(F.count("*").alias("events"), F.max("committed_at").alias("at")).collect()
    newest = {row["table"]: row["at"] for row in rows if row["at"] is not None}
    return EventCounts({row["table"]: row["events"] for row in rows}, newest)


def routing_sql(plan: Plan, logicals: Sequence[str], holding: Collection[str] = ()) -> str:
    """The plan's decode, merge and route of several tables as one query over view `changes`. Events of tables in
    `holding` are left out where view `dead_keys` has their key, up to the position from which on it admits them."""
    together = [name for name in logicals if name not in holding and routes_packed(plan, name)]
    parts = [route_packed_sql(plan, together)] if together else []
    others = [name for name in logicals if name not in together]
    return union_all([*parts, *(batch_sql(plan, "routed", name, held=name in holding) for name in others)])


_KEPT = 64
"""Queries: one for each set of tables that batches touch together. The oldest is dropped first."""

_MANY = 8
"""Branches of a query from which on a batch may use one that has more of them: to plan so many takes longer than to
find in a few more that there is nothing to do."""

_FEW = 16
"""Branches up to which a batch whose shards are asked does the same, however many it has itself: these take twice as
long to plan."""


@dataclass(frozen=True, slots=True)
class DecisionInput:
    """What a batch's decisions depend on beside its events."""

    logicals: tuple[str, ...]
    """Touched tables, except child tables: the values of a row itself give its shard."""
    snapshot_open: bool
    """Whether deletes leave tombstones."""
    holding: frozenset[str] = frozenset()
    """Tables whose events may belong to quarantined rows."""
    merged: bool = True
    """False: every event is taken for a new row (`all_new`)."""


Also = Callable[[DataFrame], DataFrame]
"""Adds to what is routed."""


@dataclass(frozen=True, slots=True)
class BatchChanges:
    """What one batch is decided from."""

    events: DataFrame
    """Those that count for their table."""
    also: Also | None = None
    """Adds rows that no event of the batch names."""
    lasting: bool = False
    """Whether later batches come in the same frame."""
    kept: KeptFrame | None = None
    """Of whose rows the events are made, where Spark keeps them for the batch."""
    prepared: PreparedBatch | None = None
    """What was planned of it before; used where it is the same batch's."""


@dataclass(slots=True)
class _Query:
    """From `changes` to what each shard has staged."""

    events: DataFrame
    """Kept here, so that no other frame has its id meanwhile."""
    asks_shards: bool
    """Whether its tasks look rows up on the shards."""
    staged: DataFrame
    """What each shard has staged."""
    kept: KeptFrame | None
    """Of whose rows the events are made, where Spark keeps them."""
    planned: PlannedQuery | None = None
    """Once it has been executed."""

    def execution(self) -> Execution | None:
        """None where Spark has to plan it again for each batch."""
        if self.planned is None:
            self.planned = PlannedQuery.of(self.staged, self.kept)
        return None if self.planned is None else self.planned.execution()


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """A batch that Spark reads, merges and routes."""

    query: _Query
    execution: Execution


@dataclass
class Decider:
    """Decides and stages whole batches, each in one Spark job. It keeps what Spark has planned for a frame that is the
    same from batch to batch: to plan takes longer than to run a small batch."""

    plan: Plan
    _alike: Mapping[str, tuple[str, ...]] = field(init=False)
    """Tables that one branch of a query reads: it reads all of them, whichever a batch touches."""
    _kept: OrderedDict[tuple[int, DecisionInput], _Query] = field(default_factory=OrderedDict)
    _met: frozenset[tuple[str, ...]] = frozenset()
    """Branches that batches of many branches had."""

    def __post_init__(self) -> None:
        self._alike = tables_alike(self.plan)

    def stage(
        self,
        changes: BatchChanges,
        asked: DecisionInput,
        *,
        context: BatchContext,
        families: RoutedFamilies | None = None,
    ) -> Mapping[int, Summary]:
        """Decides the changes of the tables of `asked`, and those of `families`, which are routed already. Returns what
        each shard has to do; shards without work are absent."""
        keeping = changes.lasting and families is None and changes.also is None and not asked.holding
        if keeping:
            self.remember(asked)
            asked = self.widen(asked)
        query = self._kept.get((id(changes.events), asked)) if keeping else None
        if query is None:
            query = self._query(changes, asked, context=context, families=families)
            if keeping:
                self._kept[id(changes.events), asked] = query
                if len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        set_batch_parameters(changes.events.sparkSession.sparkContext, context)
        prepared = changes.prepared
        ready = prepared is not None and prepared.query is query
        execution = prepared.execution if prepared is not None and ready else query.execution()
        # Selecting makes Spark plan what it has analysed: a plan that has run would give what it gave before.
        rows = query.staged.select("*").collect() if execution is None else execution.collect()
        return {row["shard"]: json.loads(row["summary"]) for row in rows}

    def prepare(self, events: DataFrame, asked: DecisionInput) -> PreparedBatch | None:
        """Makes Spark run the query of a batch to come up to the stages, by the job properties that this thread has
        set. None where that has to wait: for the shards' answers, or until the query is known."""
        query = self._kept.get((id(events), self.widen(asked)))
        execution = None if query is None or query.asks_shards else query.execution()
        if query is None or execution is None:
            return None
        return PreparedBatch(query, execution) if execution.run_up_to_last_exchange() else None

    def remember(self, asked: DecisionInput) -> None:
        """The tables of a batch whose query is kept."""
        branches = self._branches(asked)
        if len(branches) >= _MANY or any(map(self._asks_shards, branches)):
            self._met |= branches

    def widen(self, asked: DecisionInput) -> DecisionInput:
        """`asked` with all tables that are like its own; and with the branches of earlier batches, as long as they are
        few, or not more than its own: batches of many tables hardly touch the same ones twice. A batch whose shards are
        not asked gets none whose shards are: it can be prepared."""
        branches = self._branches(asked)
        asks = any(map(self._asks_shards, branches))
        together = branches | {branch for branch in self._met if asks or not self._asks_shards(branch)}
        most = 2 * len(branches) if len(branches) >= _MANY else _FEW if asks else 0
        tables = frozenset[str]().union(*(together if len(together) <= most else branches))
        return replace(
            asked, logicals=tuple(table.logical for table in self.plan.target_tables if table.logical in tables)
        )

    def _asks_shards(self, branch: tuple[str, ...]) -> bool:
        return self.plan.table(branch[0]).asks_shards

    def _branches(self, asked: DecisionInput) -> frozenset[tuple[str, ...]]:
        """The tables of each."""
        return frozenset(self._alike.get(name, (name,)) for name in asked.logicals)

    def _query(
        self, changes: BatchChanges, asked: DecisionInput, *, context: BatchContext, families: RoutedFamilies | None
    ) -> _Query:
        spark, plan, also = changes.events.sparkSession, self.plan, changes.also
        changes.events.createOrReplaceTempView("changes")
        if not asked.merged:
            # Of tables that have no packed form there is no event: earlier batches had some.
            new = spark.sql(new_rows_sql(plan, [name for name in asked.logicals if inserts_packed(plan, name)]))
            return _Query(changes.events, False, _by_shard(new, context), changes.kept)
        seeking = tuple(
            name
            for name in asked.logicals
            if plan.table(name).asks_shards or (also is not None and not plan.table(name).identity.counts_rows)
        )
        others = tuple(name for name in asked.logicals if name not in seeking)
        frames = [spark.sql(text) for text in _sql_without_lookup(plan, others, asked)]
        names = seeking + (families.logicals if families is not None else ())
        if names:
            routed = _all_routed(spark, plan, seeking, families=families, holding=asked.holding)
            routed = routed if also is None else also(routed)
            _look_up(routed, plan, names, context=context, snapshot_open=asked.snapshot_open)
            frames.append(spark.sql(batch_sql(plan, "decided")))
        staged = _by_shard(reduce(DataFrame.unionAll, frames), context)
        return _Query(changes.events, bool(names), staged, changes.kept)


def _sql_without_lookup(plan: Plan, logicals: Sequence[str], asked: DecisionInput) -> Iterator[str]:
    """Tables whose shards are not asked: a row may exist there. Those that merge together do so,
    one table alone, too: its rows then travel as they are, not column by column."""
    alike = [name for name in logicals if name not in asked.holding and merges_packed(plan, name)]
    if alike:
        yield merge_packed_sql(plan, alike, snapshot_open=asked.snapshot_open)
    others = [name for name in logicals if name not in alike]
    if others:
        yield union_all(
            batch_sql(
                plan,
                "decided_without_lookup",
                logical,
                held=logical in asked.holding,
                snapshot_open=asked.snapshot_open,
            )
            for logical in others
        )


def _by_shard(decided: DataFrame, context: BatchContext) -> DataFrame:
    """All rows of a shard come to one task, and the tasks share the shards evenly: hashes of few numbers do not."""
    return _in_tasks(decided, context.servers).mapInArrow(batch_stager(context), RESULT_SCHEMA)


def _in_tasks(rows: DataFrame, servers: Servers) -> DataFrame:
    untyped: Any = rows
    tasks = tasks_of_shards(
        [str(shard) for shard in servers.shards],
        tasks=rows.sparkSession.sparkContext.defaultParallelism,
        at_a_server=servers.stream_connections,
    )
    count = max(tasks) + 1
    task = F.col("shard") % count
    if any(number != shard % count for shard, number in enumerate(tasks)):
        task = F.element_at(F.array(*map(F.lit, tasks)), F.col("shard") + 1)
    placed: DataFrame = untyped.repartitionById(count, task)
    return placed


def tasks_of_shards(servers: Sequence[str], *, tasks: int, at_a_server: int | None) -> tuple[int, ...]:
    """The task of each shard, whose servers are given: no more than `tasks` in all and `at_a_server` for one server."""
    if at_a_server is None:
        return tuple(shard % min(len(servers), tasks) for shard in range(len(servers)))
    numbers: dict[tuple[str, int], int] = {}
    met: Counter[str] = Counter()
    found = []
    for server in servers:
        place = (server, met[server] % at_a_server)
        met[server] += 1
        found.append(numbers.setdefault(place, len(numbers)) % tasks)
    return tuple(found)


def _all_routed(
    spark: SparkSession,
    plan: Plan,
    logicals: tuple[str, ...],
    *,
    families: RoutedFamilies | None,
    holding: Collection[str],
) -> DataFrame:
    frames = [spark.sql(routing_sql(plan, logicals, holding))] if logicals else []
    if families is not None:
        frames.append(families.changes)
    return reduce(DataFrame.unionAll, frames)


def _look_up(
    routed: DataFrame, plan: Plan, logicals: tuple[str, ...], *, context: BatchContext, snapshot_open: bool
) -> DataFrame:
    """Makes view `looked_up`, which the filters of `logicals` read."""
    lookups = {name: plan.step(name, StepName.LOOKUP).statement("lookup") for name in logicals}
    look_up = looker(context, lookups=lookups, snapshot_open=snapshot_open)
    capped = context.servers.stream_connections is not None
    by_shard = _in_tasks(routed, context.servers) if capped else routed.repartition("shard")
    looked_up = by_shard.mapInArrow(look_up, f"{_ddl(routed)}, {FOUND_COLUMNS}")
    looked_up.createOrReplaceTempView("looked_up")
    return looked_up


def _ddl(frame: DataFrame) -> str:
    return ", ".join(f"{quote(field.name)} {field.dataType.simpleString()}" for field in frame.schema.fields)
