"""Did a spec test pass, and how do expected and found rows look side by side, as text?

Runs in the driver, with Spark; touches no server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shardwright.runtime.rehearsal.spec_tests.compare import Mismatch, Pair, mismatches
from shardwright.runtime.rehearsal.spec_tests.execute import execute
from shardwright.runtime.rehearsal.spec_tests.execute_backward import execute_backward
from shardwright.runtime.rehearsal.spec_tests.resolve import BothWays
from shardwright.runtime.rehearsal.spec_tests.resolved_case import ResolvedCase
from shardwright.runtime.rehearsal.spec_tests.schedule import Schedule, schedules_of
from shardwright.runtime.rehearsal.spec_tests.shards import Shards
from shardwright.specs.findings.diagnostics import Diagnostic, Note
from shardwright.specs.findings.render import visible
from shardwright.specs.findings.text_table import text_table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_WIDEST = 40
_MOST_PAIRS = 20


def diff_lines(mismatch: Mismatch) -> Iterator[str]:
    """`-` is expected and missing, `+` is there, `~` marks the columns that differ."""
    if mismatch.count is not None:
        wanted, found = mismatch.count
        yield f"expected {_rows(wanted)}, there {'is' if found == 1 else 'are'} {found}"
        return
    pairs = mismatch.pairs[:_MOST_PAIRS]
    names = _columns(pairs)
    lines = [(" ", [visible(name) for name in names], ""), *(line for pair in pairs for line in _lines(pair, names))]
    rows = [[f"{sign} {first}", *rest, remark] for sign, (first, *rest), remark in lines]
    yield from text_table(rows, wraps=False).splitlines()  # as notes of a finding they are in reports, too
    if len(mismatch.pairs) > _MOST_PAIRS:
        yield f"and {_rows(len(mismatch.pairs) - _MOST_PAIRS)} more"
    if mismatch.fine:
        yield f"{_rows(mismatch.fine)} as expected"


def _columns(pairs: Sequence[Pair]) -> list[str]:
    """The columns that tests name, in their order; all columns when no expected row is among the pairs."""
    named = dict.fromkeys(name for pair in pairs if pair.expected is not None for name in pair.expected)
    if named:
        return list(named)
    return list(dict.fromkeys(name for pair in pairs if pair.actual is not None for name in pair.actual))


def _lines(pair: Pair, names: Sequence[str]) -> list[tuple[str, list[str], str]]:
    lines: list[tuple[str, list[str], str]] = []
    if pair.expected is not None:
        remark = f"found on {pair.elsewhere}" if pair.elsewhere else ""
        lines.append(("-", [_cell(pair.expected[name]) if name in pair.expected else "" for name in names], remark))
    if pair.actual is not None:
        lines.append(("+", [_cell(pair.actual.get(name)) for name in names], ""))
    if pair.differences:
        marks = [
            "~" * max(1, len(cell)) if name in pair.differences else ""
            for name, cell in zip(names, lines[-1][1], strict=True)
        ]
        lines.append(("~", marks, ""))
    return lines


def _cell(value: str | None) -> str:
    if value is None:
        return "NULL"
    text = visible(value)
    if text == "NULL" or text != text.strip() or not text:
        text = f"'{text}'"
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a case: it passed when there are no findings."""

    resolved_case: ResolvedCase
    findings: tuple[Diagnostic, ...]


def judge(spark: SparkSession, plans: BothWays, resolved_cases: Sequence[ResolvedCase]) -> tuple[Verdict, ...]:
    """Plays all stories together. If Spark cannot, plays one by one to find out which fails."""
    from shardwright.runtime.rehearsal.dry_run.chain import SPARK_ERRORS, first_line
    from shardwright.runtime.rehearsal.dry_run.quiet_spark import quiet_spark

    with quiet_spark():
        try:
            return _execute(spark, plans, resolved_cases)
        except SPARK_ERRORS as error:
            if len(resolved_cases) == 1:
                resolved_case = resolved_cases[0]
                message = f"case '{resolved_case.case.name}': Spark cannot run the plan's statements on it"
                note = Note(first_line(error))
                return (Verdict(resolved_case, (Diagnostic("SW8861", message, resolved_case.span, notes=(note,)),)),)
    return tuple(verdict for resolved_case in resolved_cases for verdict in judge(spark, plans, [resolved_case]))


def _execute(spark: SparkSession, plans: BothWays, resolved_cases: Sequence[ResolvedCase]) -> tuple[Verdict, ...]:
    """Plays every story in each of its ways. Of those that fail, the first is reported."""
    shows = [
        (number, show) for number, resolved_case in enumerate(resolved_cases) for show in schedules_of(resolved_case)
    ]
    ends = _ends(spark, plans, [show for _, show in shows])
    found: dict[int, tuple[Diagnostic, ...]] = {}
    for (number, show), shards in zip(shows, ends, strict=True):
        if not found.get(number):
            found[number] = tuple(
                _diagnostic(each, show)
                for each in mismatches(show.resolved_case, plans.plan(show.resolved_case), shards)
            )
    return tuple(Verdict(resolved_case, found[number]) for number, resolved_case in enumerate(resolved_cases))


def _ends(spark: SparkSession, plans: BothWays, shows: Sequence[Schedule]) -> list[Shards]:
    """What the targets hold at the end of each performance, in order."""
    forward = [number for number, show in enumerate(shows) if show.resolved_case.case.direction.reads_source]
    backward = [number for number in range(len(shows)) if number not in forward]
    ends = dict(zip(forward, execute(spark, plans.forward, [shows[number] for number in forward]), strict=True))
    if plans.back is not None:
        ends |= zip(backward, execute_backward(spark, plans.back, [shows[number] for number in backward]), strict=True)
    return [ends[number] for number in range(len(shows))]


def _diagnostic(mismatch: Mismatch, show: Schedule) -> Diagnostic:
    notes = [Note(line) for line in diff_lines(mismatch)]
    way = _way(show)
    if way:
        notes.append(Note(way))
    return Diagnostic(
        "SW8851", f"case '{show.resolved_case.case.name}': {mismatch.where}", mismatch.span, notes=tuple(notes)
    )


def _way(show: Schedule) -> str:
    """The way in which the case was played, when there are several."""
    said = []
    if show.logs:
        said.append(f"every event in a batch of its own, the log of {' before that of '.join(show.logs)}")
    elif len(show.resolved_case.cuts) > 1:
        said.append("all events in one batch" if len(show.cut) == 1 else "every event in a batch of its own")
    if len(show.resolved_case.case.copied) > 1:
        said.append(f"given rows copied {show.copied}")
    return f"played with {' and '.join(said)}" if said else ""
