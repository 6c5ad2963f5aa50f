"""Stream in both directions: which changes of the two sides did not know of each other, and what becomes of them?

Our own writes are in each server's log, between the changes of applications. So the log itself says what an application
could know: a change before our own write of the row was made without knowledge of what we wrote (Otter's
"time intersection", taken by positions instead of times). No clock takes part, but under policy `latest`.

A row that one side's server has refused is held, and tried again when the application has changed it again on that side
alone.

A round reads a range of each side's log. Two changes of a row are in conflict where both are in the ranges of one
round, or where the range of one side has a change before our own write of that row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.compiler.columns.mapping import convert_from_text
from shardwright.compiler.expressions.expression import Expression
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import EVERY_TABLE, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

CHANGED, RESOLVE, HASHES, MET, OF_HELD = "changed", "resolve", "hashes", "met", "of_held"
_PLACE: Final = "CONCAT_WS(':', COALESCE(after_place, before_place).shard, COALESCE(after_place, before_place).part)"
"""Of a row of the source: shard and part where it belongs. A row of the shards has the name of its table."""

_OF_ROWS: Final = """
SELECT
  hole_logical AS logical,
  key,
  COUNT_IF(NOT own) AS changes,
  COUNT_IF(NOT own AND op = 'D') AS deletes,
  MIN(position) FILTER (WHERE NOT own) AS first_at,
  MAX(position) FILTER (WHERE NOT own) AS last_at,
  COALESCE(MIN(position) FILTER (WHERE NOT own) < MAX(position) FILTER (WHERE own), FALSE) AS late,
  COALESCE(MAX(position) FILTER (WHERE NOT own) < MAX(position) FILTER (WHERE own), FALSE) AS overwritten,
  COUNT_IF(own) > 0 AS has_own,
  MAX(committed_at) FILTER (WHERE NOT own) AS committed_at,
  MIN_BY(IF(before IS NULL, NULL, ARRAY(hole_before)), position) FILTER (WHERE NOT own) AS before,
  MAX_BY(IF(after IS NULL, NULL, ARRAY(hole_after)), position) FILTER (WHERE NOT own) AS after,
  MAX_BY(IF(after IS NULL, NULL, ARRAY(hole_after)), position) FILTER (WHERE own) AS own_after,
  MAX_BY(IF(after IS NULL, NULL, ARRAY(hole_after)), position) AS now,
  MAX(place) AS place,
  FALSE AS is_unclear
FROM (
  SELECT key, op, position, committed_at, before, after, hole_place AS place, FALSE AS own FROM decoded
  UNION ALL
  SELECT key, op, position, committed_at, before, after, hole_place_again AS place, TRUE AS own FROM decoded_own
) AS logged
"""
_CHANGED: Final = f"{_OF_ROWS}GROUP BY key"
_CHANGED_IN_PLACES: Final = f"""
SELECT
  logical,
  key,
  SUM(changes) AS changes,
  SUM(deletes) - IF(COUNT(after) > 0, COUNT_IF(changes > 0 AND after IS NULL), 0) AS deletes,
  MIN(first_at) AS first_at,
  MAX(last_at) AS last_at,
  BOOL_OR(late) OR (BOOL_OR(has_own) AND BOOL_OR(changes > 0 AND NOT has_own)) AS late,
  SUM(changes) > 0 AND IF(
    COUNT(now) > 0,
    BOOL_OR(now IS NOT NULL AND has_own AND (changes = 0 OR overwritten)),
    BOOL_OR(overwritten)
  ) AS overwritten,
  BOOL_OR(has_own) AS has_own,
  MAX(committed_at) AS committed_at,
  MAX(before) AS before,
  COALESCE(
    MAX(after) FILTER (WHERE NOT overwritten),
    IF(BOOL_OR(has_own AND changes > 0 AND NOT overwritten), NULL, MAX(after))
  ) AS after,
  MAX(own_after) AS own_after,
  MAX(now) AS now,
  COALESCE(MAX(place) FILTER (WHERE after IS NOT NULL), MAX(place)) AS place,
  SUM(changes) > 0 AND COUNT(after) <> 1 AND NOT BOOL_OR(has_own) AS is_unclear
FROM ({_OF_ROWS}GROUP BY key, place) AS by_place
GROUP BY logical, key
"""
"""Of rows that go from one shard to another: their logs have no order, so each place is looked at by itself. The row
is where its last change did not delete it, and has left the places where that did. `is_unclear`: there is no such
place, or several; the shards say it. A change at a place where we have written nothing may be before what we have
written at another one: it counts as late."""
_HASHES: Final = """
SELECT XXHASH64(logical, key) AS key_hash, late FROM changed WHERE changes > 0
"""
_OF_HELD: Final = "SELECT id, XXHASH64(logical, key) AS key_hash FROM held_keys"
_MET: Final = """
SELECT changed.* FROM changed LEFT SEMI JOIN met_keys ON XXHASH64(changed.logical, changed.key) = met_keys.key_hash
"""

_RESOLVE: Final = """
WITH keys AS (
  SELECT key FROM at_source WHERE logical = hole_logical
  UNION
  SELECT key FROM at_shards WHERE logical = hole_logical
  UNION
  SELECT key FROM held WHERE logical = hole_logical
), joined AS (
  SELECT
    k.key AS key,
    h.key IS NOT NULL AS is_held,
    h.kind AS held_kind,
    h.take AS take,
    COALESCE(h.source_changes, 0) AS held_source_changes,
    COALESCE(h.shards_changes, 0) AS held_shards_changes,
    h.base AS held_base,
    h.at_source AS held_source,
    h.at_shards AS held_shards,
    COALESCE(s.changes, 0) AS source_changes,
    COALESCE(t.changes, 0) AS shards_changes,
    COALESCE(s.deletes, 0) + COALESCE(t.deletes, 0) AS deletes,
    COALESCE(s.late, FALSE) AS source_late,
    COALESCE(t.late, FALSE) AS shards_late,
    COALESCE(s.overwritten, FALSE) AS source_overwritten,
    COALESCE(t.overwritten, FALSE) AS shards_overwritten,
    s.first_at AS source_first,
    s.last_at AS source_last,
    t.first_at AS shards_first,
    t.last_at AS shards_last,
    s.committed_at AS source_time,
    t.committed_at AS shards_time,
    s.before AS source_before,
    t.before AS shards_before,
    s.after AS source_after,
    t.after AS shards_after,
    s.own_after AS source_own,
    t.own_after AS shards_own,
    CASE WHEN s.key IS NOT NULL THEN s.now WHEN h.key IS NOT NULL THEN h.at_source ELSE t.own_after END
      AS now_at_source,
    CASE WHEN t.key IS NOT NULL THEN t.now WHEN h.key IS NOT NULL THEN h.at_shards ELSE s.own_after END
      AS now_at_shards,
    COALESCE(t.place, s.place) AS place
  FROM keys AS k
  LEFT JOIN (SELECT * FROM at_source WHERE logical = hole_logical) AS s ON s.key = k.key
  LEFT JOIN (SELECT * FROM at_shards WHERE logical = hole_logical) AS t ON t.key = k.key
  LEFT JOIN (SELECT * FROM held WHERE logical = hole_logical) AS h ON h.key = k.key
), concurrent AS (
  SELECT
    *,
    CASE
      WHEN is_held THEN held_base
      WHEN shards_late THEN shards_before
      WHEN source_changes > 0 THEN source_before
      ELSE shards_before
    END AS base,
    CASE WHEN source_changes > 0 THEN source_after WHEN is_held THEN held_source ELSE shards_own END AS at_source,
    CASE WHEN shards_changes > 0 THEN shards_after WHEN is_held THEN held_shards ELSE source_own END AS at_shards
  FROM joined
  WHERE is_held OR (source_changes > 0 AND shards_changes > 0) OR source_late OR shards_late
), compared AS (
  SELECT
    *,
    ARRAY(hole_shards_changed) AS shards_changed,
    ARRAY(hole_meets) AS meets,
    hole_counts AS counts
  FROM concurrent
), named AS (
  SELECT
    *,
    CASE
      WHEN is_held THEN held_kind
      WHEN at_source <=> at_shards AND NOT counts THEN 'same'
      WHEN at_source IS NULL THEN 'delete_update'
      WHEN at_shards IS NULL THEN 'update_delete'
      WHEN base IS NULL THEN 'insert_insert'
      WHEN deletes > 0 THEN 'rebirth'
      WHEN (shards_overwritten AND at_shards <=> base) OR (source_overwritten AND at_source <=> base)
      THEN 'gone_and_back'
      WHEN NOT ARRAY_CONTAINS(meets, TRUE) THEN 'merged'
      ELSE 'update_update'
    END AS kind
  FROM compared
), decided AS (
  SELECT
    *,
    CASE
      WHEN take IS NOT NULL THEN take
      WHEN is_held AND held_kind IN ('unique', 'refused') AND held_shards_changes + shards_changes = 0 THEN 'source'
      WHEN is_held AND held_kind IN ('unique', 'refused') AND held_source_changes + source_changes = 0 THEN 'shards'
      WHEN is_held THEN 'hold'
      WHEN kind = 'same' THEN 'same'
      WHEN (source_changes = 0 AND NOT shards_overwritten) OR (shards_changes = 0 AND NOT source_overwritten)
      THEN 'application'
      WHEN kind = 'delete_update' THEN hole_when_source_deletes
      WHEN kind = 'update_delete' THEN hole_when_shards_delete
      WHEN kind = 'insert_insert' AND hole_counts_keys THEN 'hold'
      WHEN kind IN ('merged', 'update_update') AND (hole_overflows) THEN 'hold'
      WHEN kind = 'merged' THEN 'merged'
      ELSE hole_policy
    END AS decision
  FROM named
), resolved AS (
  SELECT
    *,
    CASE
      WHEN decision IN ('hold', 'same', 'application') THEN NULL
      WHEN is_held OR at_source IS NULL OR at_shards IS NULL THEN IF(decision = 'source', at_source, at_shards)
      ELSE ARRAY(hole_result)
    END AS result
  FROM decided
)
SELECT
  hole_logical AS logical,
  key,
  kind,
  decision,
  base,
  at_source,
  at_shards,
  result,
  IF(decision = 'hold', at_source, result) AS to_source,
  IF(decision = 'hold', at_shards, result) AS to_shards,
  decision NOT IN ('same', 'application') AND NOT IF(decision = 'hold', at_source, result) <=> now_at_source
    AS writes_source,
  decision NOT IN ('same', 'application') AND NOT IF(decision = 'hold', at_shards, result) <=> now_at_shards
    AS writes_shards,
  source_changes,
  shards_changes,
  source_first,
  source_last,
  shards_first,
  shards_last,
  place
FROM resolved
WHERE decision <> 'same'
"""
_LATEST: Final = """
CASE
  WHEN source_time IS NULL OR shards_time IS NULL THEN 'hold'
  WHEN shards_time > source_time THEN 'shards'
  ELSE 'source'
END
"""
"""Where one side's change was read in an earlier round, only our own write of it is in the log, and no time of it."""
_BY_RULE: Final = "CASE hole_rule WHEN 'source' THEN 'source' WHEN 'shards' THEN 'shards' ELSE 'hold' END"
_ROWS: Final = {"base": "base", "source": "at_source", "shards": "at_shards"}
"""How a rule calls the rows, and what they are here."""
_VALUE: Final = """
IF(
  kind IN ('merged', 'update_update') AND NOT meets[hole_unit],
  IF(shards_changed[hole_unit], at_shards[hole_at], at_source[hole_at]),
  IF(decision = 'source', at_source[hole_at], at_shards[hole_at])
)
"""
_GREATEST: Final = "GREATEST(at_source[hole_at], at_shards[hole_at])"
_GREATEST_NUMBER: Final = """
IF(COALESCE(hole_theirs > hole_ours, at_source[hole_at] IS NULL), at_shards[hole_at], at_source[hole_at])
"""
_COUNTED: Final = """
IF(
  kind IN ('merged', 'update_update') AND base[hole_at] IS NOT NULL AND at_source[hole_at] IS NOT NULL
  AND at_shards[hole_at] IS NOT NULL,
  CAST(hole_sum AS STRING),
  IF(decision = 'source', at_source[hole_at], at_shards[hole_at])
)
"""
_COUNTS: Final = """
base[hole_at] IS NOT NULL AND NOT base[hole_at] <=> at_source[hole_at] AND NOT base[hole_at] <=> at_shards[hole_at]
"""
"""Both sides have added to it: if they have added as much, their rows are alike, and neither is right."""
_TIMES: Final = frozenset({"date", "datetime", "timestamp"})
"""Their texts have the order of their values."""


@dataclass(frozen=True, slots=True)
class ConflictRules:
    """What decides a table's conflicts. `units`: columns of the source that are decided together; those in no unit are
    one more. `greatest`: columns of which the greater value counts; `counters`: those to which both sides add."""

    policy: str
    deletes: str
    units: tuple[tuple[str, ...], ...]
    greatest: tuple[str, ...]
    counters: tuple[str, ...] = ()
    rule: Expression | None = None
    """Instead of the policy: over `base_NAME`, `source_NAME` and `shards_NAME`."""
    counts_keys: bool = False
    """Whether a server counts the table's keys: two new rows with one key are two things, and no policy knows it."""

    @property
    def apart(self) -> frozenset[str]:
        """The columns that are in no unit."""
        return frozenset(self.greatest) | frozenset(self.counters)


def conflict(table: TablePlan, rules: ConflictRules) -> Step:
    """Reads views `decoded` and `decoded_own` (one side's changes, and what our runs have written there), `at_source`,
    `at_shards` and `held`. `table` is of the way to the shards."""
    return Step(table.logical, StepName.CONFLICT, (_change_statement(table, table, {}), _resolve(table, rules)))


def conflict_back(table: TablePlan, forward: TablePlan) -> Step:
    """The same of the backward plan's table: what the shards' logs have."""
    names = {column.source: column.target for column in forward.columns}
    return Step(table.logical, StepName.CONFLICT, (_change_statement(table, forward, names),))


def meet() -> Step:
    """Of every table: reads view `changed` of all of them, `met_keys` and `held_keys`."""
    statements = (
        Statement(HASHES, "Which rows have changes, and which of them are before our own write.", _print(_HASHES)),
        Statement(OF_HELD, "The same hashes of rows that wait for a decision.", _print(_OF_HELD)),
        Statement(MET, "What is known of the rows that both sides have changed, or that are late.", _print(_MET)),
    )
    return Step(EVERY_TABLE, StepName.CONFLICT, statements)


def _print(template: str) -> str:
    return sql.to_sql(fill(template, "spark"), "spark")


def _change_statement(table: TablePlan, forward: TablePlan, names: Mapping[str, str]) -> Statement:
    """`names`: column of the source to column of the images, where that is another."""
    columns = [names.get(column.source, column.source) for column in forward.columns]
    place = fill(_PLACE, "spark") if table is forward else sql.column("source_table")
    tree = fill(
        _CHANGED_IN_PLACES if forward.rows_may_move and table is not forward else _CHANGED,
        "spark",
        logical=sql.text(table.logical),
        before=[sql.column(name, "before") for name in columns],
        after=[sql.column(name, "after") for name in columns],
        place=place,
        place_again=place,
    )
    comment = "Per row: the changes of applications, and our own write, in the order of this side's log."
    return Statement(CHANGED, comment, sql.to_sql(tree, "spark"))


def _resolve(table: TablePlan, rules: ConflictRules) -> Statement:
    columns = [column.source for column in table.columns]
    units = _units(columns, rules)
    unit_of = {name: number for number, unit in enumerate(units) for name in unit}
    kinds = {column.source: column.type for column in table.columns}
    counters = [(columns.index(name), kinds[name]) for name in rules.counters]
    values = [
        _greatest(at, kinds[name])
        if name in rules.greatest
        else _counter(at, kinds[name])
        if name in rules.counters
        else _value(at, unit_of[name])
        for at, name in enumerate(columns)
    ]
    at_places = [[columns.index(name) for name in unit] for unit in units]
    tree = fill(
        _RESOLVE,
        "spark",
        logical=sql.text(table.logical),
        shards_changed=[_differ("base", "at_shards", unit) for unit in at_places],
        meets=[_meets(unit) for unit in at_places],
        counts=sql.any_of([fill(_COUNTS, "spark", at=sql.number(at)) for at, _ in counters] or [exp.false()]),
        overflows=sql.any_of([_overflows(at, kind) for at, kind in counters] or [exp.false()]),
        counts_keys=exp.true() if rules.counts_keys else exp.false(),
        policy=_policy(table, rules),
        when_source_deletes=sql.text({"keep": "shards", "delete": "source"}.get(rules.deletes, "hold")),
        when_shards_delete=sql.text({"keep": "source", "delete": "shards"}.get(rules.deletes, "hold")),
        result=values,
    )
    comment = "Rows whose changes did not know of each other: what they are called, what counts, and what is written."
    return Statement(RESOLVE, comment, sql.to_sql(tree, "spark"))


def _policy(table: TablePlan, rules: ConflictRules) -> exp.Expr:
    if rules.rule is None:
        return fill(_LATEST, "spark") if rules.policy == "latest" else sql.text(rules.policy)
    places = {
        f"{row}_{column.source}": _item(array, at)
        for row, array in _ROWS.items()
        for at, column in enumerate(table.columns)
    }
    types = {f"{row}_{column.source}": column.type for row in _ROWS for column in table.columns}
    return fill(_BY_RULE, "spark", rule=rules.rule.spark(convert_from_text(places.__getitem__, types)))


def _units(columns: Sequence[str], rules: ConflictRules) -> list[tuple[str, ...]]:
    named = {name for unit in rules.units for name in unit}
    rest = tuple(name for name in columns if name not in named and name not in rules.apart)
    units = [tuple(name for name in unit if name not in rules.apart) for unit in rules.units]
    return [unit for unit in (*units, rest) if unit]


def _differ(one: str, other: str, unit: Sequence[int]) -> exp.Expr:
    """Whether two rows differ in a unit."""
    return exp.not_(
        sql.paren(sql.all_of([exp.NullSafeEQ(this=_item(one, at), expression=_item(other, at)) for at in unit]))
    )


def _meets(unit: Sequence[int]) -> exp.Expr:
    """Both sides have changed it, and not alike."""
    pairs = (("at_source", "at_shards"), ("base", "at_source"), ("base", "at_shards"))
    return sql.all_of([_differ(one, other, unit) for one, other in pairs])


def _item(array: str, at: int) -> exp.Expr:
    return exp.Bracket(this=sql.column(array), expressions=[sql.number(at)])


def _value(at: int, unit: int) -> exp.Expr:
    return fill(_VALUE, "spark", at=sql.number(at), unit=sql.number(unit))


def _sum(at: int, kind: ColumnType) -> exp.Expr:
    digits = f"DECIMAL(38, {kind.scale or 0})"
    source, shards, base = (sql.cast(_item(row, at), digits) for row in ("at_source", "at_shards", "base"))
    return sql.cast(
        fill("hole_source + hole_shards - hole_base", "spark", source=source, shards=shards, base=base), digits
    )


def _counter(at: int, kind: ColumnType) -> exp.Expr:
    return fill(_COUNTED, "spark", at=sql.number(at), sum=_sum(at, kind))


def _overflows(at: int, kind: ColumnType) -> exp.Expr:
    """The sum does not fit the column."""
    low, high = _limits(kind)
    between = fill("hole_sum BETWEEN hole_low AND hole_high", "spark", sum=_sum(at, kind), low=low, high=high)
    return fill("NOT COALESCE(hole_between, TRUE)", "spark", between=between)


def _limits(kind: ColumnType) -> tuple[exp.Expr, exp.Expr]:
    if kind.is_integer:
        interval = integer_interval(kind)
        return sql.number(interval.low), sql.number(interval.high)
    digits, scale = kind.precision or 10, kind.scale or 0
    most = "9" * (digits - scale) + (f".{'9' * scale}" if scale else "")
    kept = f"DECIMAL(38, {scale})"
    low = sql.text("0" if kind.unsigned else f"-{most}")
    return sql.cast(low, kept), sql.cast(sql.text(most), kept)


def _greatest(at: int, kind: ColumnType) -> exp.Expr:
    if kind.name in _TIMES:
        return fill(_GREATEST, "spark", at=sql.number(at))
    ours, theirs = (sql.cast(_item(row, at), f"DECIMAL(38, {kind.scale or 0})") for row in ("at_source", "at_shards"))
    return fill(_GREATEST_NUMBER, "spark", at=sql.number(at), ours=ours, theirs=theirs)
