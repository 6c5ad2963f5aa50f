"""Statements from what tools and servers have added up: mysqldumpslow, pt-query-digest, and exports of
performance_schema.events_statements_summary_by_digest. Pure.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from shardwright.compiler.workload.placeholders import read_digest_text, read_dumpslow
from shardwright.compiler.workload.statement import WorkloadStatement

_DUMPSLOW: Final = re.compile(r"^Count: (?P<calls>\d+)\s+Time=\S+ \((?P<seconds>\d+(?:\.\d+)?)s\)")
_PT_QUERY: Final = re.compile(r"^# Query \d+: ")
_PT_COUNT: Final = re.compile(r"^# Count\s+\d+\s+(?P<calls>\d+)\s*$")
_PT_TIME: Final = re.compile(r"^# Exec time\s+\d+\s+(?P<value>[\d.]+)(?P<unit>us|ms|s|m|h)\b")
_UNITS: Final = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PICOSECONDS: Final = 1e12
TEXT, CALLS, TIME = "digest_text", "count_star", "sum_timer_wait"


class BadSummary(Exception):
    """The file has not the columns of the table; the message says which are missing."""


def read_dumpslow_output(text: str, file: str) -> Iterator[WorkloadStatement]:
    """The counts and the total time of each statement."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if _DUMPSLOW.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        found = _DUMPSLOW.match(lines[start])
        assert found is not None
        statement = read_dumpslow("\n".join(line.strip() for line in lines[start + 1 : end]).strip())
        if statement:
            calls = max(int(found["calls"]), 1)
            yield WorkloadStatement(statement, calls, float(found["seconds"]), file, start + 2)


def is_dumpslow_output(lines: list[str]) -> bool:
    return any(_DUMPSLOW.match(line) for line in lines)


def is_pt_report(lines: list[str]) -> bool:
    return any(_PT_QUERY.match(line) for line in lines)


def read_pt_report(text: str, file: str) -> Iterator[WorkloadStatement]:
    """The sample of each query, with its count and time. What was converted for EXPLAIN is left out."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if _PT_QUERY.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        calls, seconds, statement, at = 1, None, list[str](), start + 1
        for number, line in enumerate(lines[start:end], start + 1):
            if found := _PT_COUNT.match(line):
                calls = max(int(found["calls"]), 1)
            elif found := _PT_TIME.match(line):
                seconds = float(found["value"]) * _UNITS[found["unit"]]
            elif line.startswith(("# Converted for EXPLAIN", "# Profile")):
                break
            elif not line.startswith("#") and line.strip():
                at = at if statement else number
                statement.append(line)
        whole = "\n".join(statement).strip().removesuffix("\\G").rstrip()
        if whole:
            yield WorkloadStatement(whole, calls, seconds, file, at)


def read_json_export(text: str, file: str) -> Iterator[WorkloadStatement]:
    """A list of rows as objects, or an object with such a list. Raises BadSummary."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise BadSummary(f"it is no JSON: {error}") from None
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), [])
    rows = [row for row in data if isinstance(row, dict)]
    yield from _of_rows(({str(name): value for name, value in row.items()} for row in rows), file, _lines_of(text))


def read_csv_export(text: str, file: str) -> Iterator[WorkloadStatement]:
    """A header with the columns' names, and rows; commas or tabs between the values. Raises BadSummary."""
    first = text.splitlines()[0]
    rows = csv.DictReader(io.StringIO(text), delimiter="\t" if "\t" in first else ",", skipinitialspace=True)
    found = ((rows.line_num, row) for row in rows)
    for line, row in found:
        yield from _of_rows([row], file, iter([line]))


def _lines_of(text: str) -> Iterator[int]:
    for number, line in enumerate(text.splitlines(), 1):
        for _ in re.finditer(r'"digest_text"\s*:', line, re.IGNORECASE):
            yield number


def _of_rows(rows: Iterable[Mapping[str, object]], file: str, lines: Iterator[int]) -> Iterator[WorkloadStatement]:
    for row in rows:
        values = {name.lower(): value for name, value in row.items() if name is not None}
        missing = {TEXT, CALLS} - values.keys()
        if missing:
            raise BadSummary(f"it has no column {' and no column '.join(sorted(missing)).upper()}")
        line = next(lines, 1)
        text = values[TEXT]
        if not isinstance(text, str) or not text.strip() or text == "NULL":
            continue  # the row of all statements for which the server had no room
        try:
            calls = max(int(str(values[CALLS])), 1)
            waited = values.get(TIME)
            seconds = None if waited in (None, "", "NULL") else float(str(waited)) / _PICOSECONDS
        except ValueError as error:
            raise BadSummary(f"line {line}: {error}") from None
        yield WorkloadStatement(read_digest_text(text.strip()), calls, seconds, file, line)
