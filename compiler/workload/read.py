"""Which of the formats does a file have, and which statements does it name? Pure: the text is given."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.workload import server_logs, summaries
from shardwright.compiler.workload.sql_file import read_sql_file
from shardwright.compiler.workload.statement import WorkloadStatement

_LOOKED_AT = 400
"""Lines at the beginning by which a format is known."""


def read_workload(text: str, file: str) -> tuple[WorkloadStatement, ...]:
    """The statements in the file's order. The format is known by the content: SQL, a general log, a slow query log,
    what mysqldumpslow or pt-query-digest print, or an export of events_statements_summary_by_digest as JSON or CSV.
    Raises BadSummary where an export lacks a column."""
    return tuple(_read(text.removeprefix("\ufeff"), file))


def _read(text: str, file: str) -> Iterator[WorkloadStatement]:
    lines = text.splitlines()[:_LOOKED_AT]
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith(("[", "{")):
        return summaries.read_json_export(text, file)
    if summaries.TEXT in first.lower() and not first.lower().startswith(("select", "--", "#")):
        return summaries.read_csv_export(text.lstrip(), file)
    if summaries.is_pt_report(lines):
        return summaries.read_pt_report(text, file)
    if summaries.is_dumpslow_output(lines):
        return summaries.read_dumpslow_output(text, file)
    if server_logs.is_slow_log(lines):
        return server_logs.read_slow_log(text, file)
    if server_logs.is_general_log(lines):
        return server_logs.read_general_log(text, file)
    return read_sql_file(text, file)
