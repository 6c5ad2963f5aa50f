"""A comparison's result as text for a terminal, as JSON for programs and as an exit code for the shell.

Pure: returns lines and data, writes nothing itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from shardwright.runtime.events.compare import ComparisonDiffers
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.verify.cause import WORDS
from shardwright.runtime.verify.result import (
    InvariantDifference,
    InvariantResult,
    Mismatch,
    TableResult,
    Verdict,
    VerifyResult,
)
from shardwright.specs.findings.text_table import text_table

_SHOWN = 20


def lines_of(result: InvariantResult) -> Iterator[str]:
    """One line when nothing is wrong."""
    wanted = "nothing on either side" if result.must_be_empty else "the same on both sides"
    word = {Verdict.EQUAL: "holds", Verdict.DIFFERENT: "BROKEN"}.get(result.verdict, "inconclusive")
    count = ""
    if result.differences:
        what = "rows" if result.must_be_empty else "groups"
        count = f", {'at least ' if result.more else ''}{len(result.differences):,} {what}"
    yield f"invariant {result.name} ({wanted}): {word}{count} ({result.seconds:.1f} s)"
    if result.problem:
        yield f"  {result.problem}"
    if result.still_changing:
        groups = "; ".join(", ".join(key) or "all rows" for key in result.still_changing[:5])
        yield (
            f"  {len(result.still_changing):,} groups kept changing while they were compared: {groups}. With a "
            "read-only source: --at-position"
        )
    for difference in result.differences[:_SHOWN]:
        yield f"  {difference_line(difference)}"
    if len(result.differences) > _SHOWN:
        yield f"  ... and {len(result.differences) - _SHOWN:,} more, see the JSON report"


def difference_line(difference: InvariantDifference) -> str:
    """ "status 'new': source orders 7, amount 12.5; shards orders 6, amount 12.5"."""
    group = ", ".join(f"{name} {_invariant_value(value)}" for name, value in difference.group.items()) or "all rows"
    sides = [
        f"{name} {_side(values)}" for name, values in (("source", difference.source), ("shards", difference.shards))
    ]
    return f"{group}: {'; '.join(sides)}"


def _side(values: Mapping[str, str | None] | None) -> str:
    if values is None:
        return "nothing"
    return ", ".join(f"{name} {'NULL' if value is None else value}" for name, value in values.items()) or "has it"


def _invariant_value(value: str | None) -> str:
    return "NULL" if value is None else repr(value)


EXIT_CODES = {Verdict.EQUAL: 0, Verdict.DIFFERENT: 1, Verdict.COULD_NOT_CHECK: CouldNotCheck.exit_code}

_HEADER = ("mismatches", "chunks", "seconds", "rows/s", "verdict")
_WORDS = {
    Verdict.EQUAL: "equal",
    Verdict.DIFFERENT: "DIFFERENT",
    Verdict.COULD_NOT_CHECK: "inconclusive",
}
_UNCHECKED = "PLACES NOT CHECKED"
_SAMPLED = "A SAMPLE ONLY"
_SHARDS_SHOWN = 32
_MISMATCHES_SHOWN = 20
_VALUE_WIDTH = 80


def exit_code(result: VerifyResult) -> int:
    """0 equal, 1 different, 8 inconclusive."""
    return EXIT_CODES[result.verdict]


def as_event(result: VerifyResult) -> ComparisonDiffers:
    """What differs, without a key or a value."""
    tables = [table for table in result.tables if table.verdict is Verdict.DIFFERENT]
    return ComparisonDiffers(
        tuple(table.table for table in tables),
        sum(table.mismatch_count for table in tables),
        tuple(one.name for one in result.invariants if one.verdict is Verdict.DIFFERENT),
    )


def as_json(result: VerifyResult) -> dict[str, Any]:
    """Everything the result holds, verdicts included, in types that `json` writes."""
    tables = [_data(table) | {"rows_target": table.rows_target, "is_empty": table.is_empty} for table in result.tables]
    return {
        "verdict": result.verdict.value,
        "migration": result.migration,
        "fingerprint": result.fingerprint,
        "direction": result.direction.value,
        "seconds": result.seconds,
        "rows_compared": result.rows_compared,
        "sampled": result.is_sampled,
        "only_shard": result.only_shard,
        "positions": dict(result.positions),
        "left_out": asdict(result.left_out),
        "places_not_checked": list(result.places_not_checked),
        "logs_not_read": list(result.logs_not_read),
        "tables": tables,
        "invariants": [_data(one) for one in result.invariants],
    }


def _data(result: TableResult | InvariantResult) -> dict[str, Any]:
    return asdict(result) | {"verdict": result.verdict.value}


def as_text(result: VerifyResult) -> str:
    """Rows per table and per shard, every reason not to trust them, the first mismatches, and the verdict last."""
    blocks = (
        [text_table([_summary(table) for table in result.tables], header=_header(result), right=range(1, 7))]
        if result.tables
        else []
    )
    blocks.append(_per_shard(result.tables))
    if moved := [table.table for table in result.tables if table.counts_are_of_two_moments]:
        blocks.append(
            f"{', '.join(moved)}: the row counts differ because rows changed while they were counted: source and "
            "shards are not read at the same moment. Every key that looked wrong was looked at again, and none is wrong"
        )
    blocks += [block for table in result.tables for block in _remarks(table, result.ends)]
    blocks += ["\n".join(lines_of(one)) for one in result.invariants]
    if result.left_out.transactions:
        blocks.append(f"left out of the stream as our own, since the migration began: {result.left_out}")
    blocks.append("\n".join(f"causes: {part}" for part in result.logs_not_read))
    blocks.append(_conclusion(result))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _header(result: VerifyResult) -> tuple[str, ...]:
    return ("table", *(f"{end} rows" for end in result.ends), *_HEADER)


def _summary(table: TableResult) -> Sequence[str]:
    rows = table.rows_source + table.rows_target
    speed = f"{rows / table.seconds:,.0f}" if table.seconds > 0 else "-"
    return (
        table.table,
        f"{table.rows_source:,}",
        f"{table.rows_target:,}" + (f" in {table.copies} copies" if table.copies > 1 else ""),
        f"{table.mismatch_count:,}",
        f"{table.chunks:,}",
        f"{table.seconds:.1f}",
        speed,
        "empty on both sides" if table.is_empty else _verdict(table),
    )


def _verdict(table: TableResult) -> str:
    if table.verdict is not Verdict.EQUAL:
        return _WORDS[table.verdict]
    sampled = f", {_SAMPLED}" if table.sample else ""
    return f"equal{sampled}" + (f", {_UNCHECKED}" if table.not_looked_for else "")


def _per_shard(tables: Sequence[TableResult]) -> str:
    """One line a shard, one column a table; large grids are left to the JSON form."""
    databases = sorted({shard.database for table in tables for shard in table.rows_shards})
    if not databases:
        return ""
    rows = {(shard.database, table.table): f"{shard.rows:,}" for table in tables for shard in table.rows_shards}
    names = [table.table for table in tables]
    lines = [[database, *(rows.get((database, name), "-") for name in names)] for database in databases[:_SHARDS_SHOWN]]
    grid = text_table(lines, header=("rows on", *names), right=range(1, len(names) + 1))
    more = len(databases) - _SHARDS_SHOWN
    return grid + (f"\n... and {more:,} more databases, see the JSON report" if more > 0 else "")


def _remarks(table: TableResult, ends: tuple[str, str]) -> Iterator[str]:
    if table.problem:
        yield f"{table.table}: could not be compared: {table.problem}"
    if table.sample:
        yield f"{table.table}: {table.sample}"
    if table.not_looked_for:
        yield (
            f"{table.table}: misplaced rows were not looked for: MySQL cannot compute {table.not_looked_for}. "
            "A row in another table than its rule says looks equal here"
        )
    if table.not_compared:
        columns = ", ".join(f"{one.column} ({one.why})" for one in table.not_compared)
        yield f"{table.table}: columns that were not compared: {columns}"
    if table.still_changing:
        keys = "; ".join(", ".join(key) for key in table.still_changing[:5])
        yield f"{table.table}: {len(table.still_changing):,} keys kept changing while they were compared: {keys}"
    if table.mismatches:
        lines = [line for mismatch in table.mismatches[:_MISMATCHES_SHOWN] for line in mismatch_lines(mismatch, ends)]
        more = table.mismatch_count - _MISMATCHES_SHOWN
        lines += [f"  ... and {more:,} more, see {_report_of(table)}"] if more > 0 else []
        yield "\n".join([f"{table.table}: {table.mismatch_count:,} mismatches{_causes(table)}", *lines])
    if table.cascades:
        keys = "; ".join(table.cascades)
        yield f"{table.table}: a possible cause: the source's log lacks what a foreign key changes: {keys} (SW4306)"


def _causes(table: TableResult) -> str:
    """How many mismatches have which cause, as far as it was looked for."""
    counted = Counter(mismatch.cause for mismatch in table.mismatches if mismatch.cause is not None)
    words = "; ".join(f"{count:,} {WORDS[cause]}" for cause, count in counted.most_common())
    return f" ({words})" if words else ""


def _report_of(table: TableResult) -> str:
    """The report that has all mismatches of the table."""
    return "--report jsonl=PATH" if table.not_listed else "the JSON report"


def mismatch_lines(mismatch: Mismatch, ends: tuple[str, str]) -> Iterator[str]:
    places = f" ({', '.join(mismatch.places)})" if mismatch.places else ""
    belongs = f", should be in {mismatch.belongs}" if mismatch.is_out_of_place else ""
    cause = "" if mismatch.cause is None else f": {WORDS[mismatch.cause]}"
    yield f"  {mismatch.kind:<10} {mismatch.key_text}{places}{belongs}{cause}"
    for column in mismatch.columns:
        why = "" if column.cause is None else f" ({WORDS[column.cause]})"
        yield f"      {column.column}: {ends[0]} {_value(column.source)}, {ends[1]} {_value(column.target)}{why}"
    if mismatch.writer is not None:
        yield f"      last foreign writer: {mismatch.writer}"


def _value(value: str | None) -> str:
    if value is None:
        return "NULL"
    shown = value if len(value) <= _VALUE_WIDTH else value[:_VALUE_WIDTH] + "..."
    return repr(shown)


def _conclusion(result: VerifyResult) -> str:
    tail = f"{result.rows_compared:,} rows compared in {result.seconds:.1f} s"
    if result.invariants:
        broken = sum(1 for one in result.invariants if one.differences)
        tail = f"{broken} of {len(result.invariants)} invariants broken; {tail}"
    if result.rows_compared == 0 and result.verdict is Verdict.COULD_NOT_CHECK:
        tail = "no rows were compared"
    mismatches = sum(table.mismatch_count for table in result.tables)
    verdict = _WORDS[result.verdict]
    if result.is_sampled and result.verdict is Verdict.EQUAL:
        verdict += f", {_SAMPLED}"
    if result.only_shard:
        verdict += f", {result.only_shard} ONLY"
    if result.places_not_checked:
        verdict += f", {_UNCHECKED} of {', '.join(result.places_not_checked)}"
    return f"verdict: {verdict} ({mismatches:,} mismatches; {tail})"
