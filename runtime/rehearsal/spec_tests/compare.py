"""Do the targets hold what a test expects? Partial rows are paired with the most similar rows. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.rehearsal.spec_tests.resolved_case import Expectation, PhysicalTable, ResolvedCase, TargetRow
from shardwright.runtime.rehearsal.spec_tests.shards import Shards
from shardwright.specs.findings.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Pair:
    """An expected row and the actual row; None where one of them is missing.

    `elsewhere` names the table in which the expected row was found instead. `span` is the expected row's place in the
    test.
    """

    expected: TargetRow | None
    actual: TargetRow | None
    elsewhere: str | None = None
    span: Span | None = None

    @property
    def differences(self) -> tuple[str, ...]:
        if self.expected is None or self.actual is None:
            return ()
        return tuple(name for name, value in self.expected.items() if self.actual.get(name) != value)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One table that is not as expected. `where` names it; `fine` is how many rows are as expected.

    `count` is (expected, actual) when only the number was asked for.
    """

    where: str
    span: Span
    pairs: tuple[Pair, ...]
    fine: int
    count: tuple[int, int] | None = None


def mismatches(resolved_case: ResolvedCase, plan: Plan, shards: Shards) -> Iterator[Mismatch]:
    """Every difference: by expectation, then the tables that hold rows without an expectation."""
    with_expectation: set[PhysicalTable] = set()
    missed: list[Pair] = []
    for expected in resolved_case.expect:
        with_expectation.update(expected.tables)
        whole = expected.anywhere and not plan.table(expected.logical).placement.has_copies
        for tables in (expected.tables,) if whole else tuple((table,) for table in expected.tables):
            for mismatch in _compare(expected, tables, resolved_case, plan=plan, shards=shards):
                missed += [pair for pair in mismatch.pairs if pair.elsewhere is not None]
                yield mismatch
    if resolved_case.case.exactly:
        yield from _find_unexpected(resolved_case, plan, shards, with_expectation=with_expectation, missed=missed)


def _find_unexpected(
    resolved_case: ResolvedCase,
    plan: Plan,
    shards: Shards,
    *,
    with_expectation: set[PhysicalTable],
    missed: Sequence[Pair],
) -> Iterator[Mismatch]:
    """Rows in tables without an expectation. Rows that an expectation has missed were reported there."""
    logicals = {table.logical for table in plan.tables}  # the lookup tables of families are ours
    for table in sorted(each for each in shards.rows if each.logical in logicals and each not in with_expectation):
        name = table.name_in(plan)
        looked_for = [pair.expected for pair in missed if pair.elsewhere == name and pair.expected is not None]
        rows = [row for row in shards.rows[table].values() if not any(agrees(each, row) for each in looked_for)]
        if rows:
            pairs = tuple(Pair(None, row) for row in rows)
            yield Mismatch(f"{name}, of which nothing is expected", resolved_case.span, pairs, 0)


def _compare(
    expected: Expectation, tables: Sequence[PhysicalTable], resolved_case: ResolvedCase, *, plan: Plan, shards: Shards
) -> Iterator[Mismatch]:
    actual = [row for table in tables for row in shards.rows.get(table, {}).values()]
    everywhere = "on all shards" if plan.direction.writes_shards else "at the source"
    where = f"{expected.logical} {everywhere}" if len(tables) > 1 else tables[0].name_in(plan)
    if expected.count is not None:
        if len(actual) != expected.count:
            yield Mismatch(where, expected.span, (), 0, (expected.count, len(actual)))
        return
    key = plan.table(expected.logical).key
    pairs, left = _pair(expected, actual, key)
    wrong = [
        Pair(
            pair.expected,
            pair.actual,
            _elsewhere(pair.expected, tables, expected.logical, plan=plan, shards=shards),
            pair.span,
        )
        for pair in pairs
        if pair.actual is None or pair.differences
    ]
    if resolved_case.case.exactly:
        wrong += [Pair(None, row) for row in left]
    if wrong:
        span = next((pair.span for pair in wrong if pair.span is not None), expected.span)
        fine = len(pairs) - sum(pair.expected is not None for pair in wrong)
        yield Mismatch(where, span, tuple(wrong), fine)


def _pair(
    expected: Expectation, actual: Sequence[TargetRow], key: tuple[str, ...]
) -> tuple[list[Pair], list[TargetRow]]:
    """Pairs rows that agree, then those with the expected key. An expected row without a key gets the most similar
    row."""
    left = list(actual)
    paired: dict[int, TargetRow] = {}
    for choose in (
        _find_equal,
        lambda wanted, rows: _same_key(wanted, rows, key),
        lambda wanted, rows: _nearest(wanted, rows, key),
    ):
        for index, wanted in enumerate(expected.rows):
            if index not in paired and (found := choose(wanted, left)) is not None:
                left.remove(found)
                paired[index] = found
    pairs = [
        Pair(wanted, paired.get(index), None, span)
        for index, (wanted, span) in enumerate(zip(expected.rows, expected.spans, strict=True))
    ]
    return pairs, left


def _find_equal(wanted: TargetRow, rows: Sequence[TargetRow]) -> TargetRow | None:
    return next((row for row in rows if agrees(wanted, row)), None)


def agrees(wanted: Mapping[str, str | None], row: TargetRow) -> bool:
    return all(row.get(name) == value for name, value in wanted.items())


def _same_key(wanted: TargetRow, rows: Sequence[TargetRow], key: tuple[str, ...]) -> TargetRow | None:
    if not set(key) <= wanted.keys():
        return None
    return next((row for row in rows if all(row[name] == wanted[name] for name in key)), None)


def _nearest(wanted: TargetRow, rows: Sequence[TargetRow], key: tuple[str, ...]) -> TargetRow | None:
    """The row with the most equal columns, at least one."""
    if set(key) <= wanted.keys():
        return None
    scored = [(sum(row.get(name) == value for name, value in wanted.items()), index) for index, row in enumerate(rows)]
    best = max(scored, key=lambda each: (each[0], -each[1]), default=(0, 0))
    return rows[best[1]] if best[0] else None


def _elsewhere(
    wanted: TargetRow | None, tables: Sequence[PhysicalTable], logical: str, *, plan: Plan, shards: Shards
) -> str | None:
    """The table in which the row was found instead."""
    if not wanted:
        return None
    for table in sorted(shards.rows):
        rows = shards.rows[table].values()
        if table.logical == logical and table not in tables and any(agrees(wanted, row) for row in rows):
            return table.name_in(plan)
    return None
