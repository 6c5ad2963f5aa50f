"""Conformance vectors: keys with the database and table that the application's own router gives them.

A CSV file with a header: the rule's shard key columns, `database`, and `table` where tables are split. A key is written
as `key_values.py` reads it; a database by its name; a table by its suffix, its name, or DATABASE.NAME.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.csv_text import Cell, CsvFault, read_csv
from shardwright.compiler.sharding.function import Grid, ShardFunction, route
from shardwright.compiler.sharding.key_values import KeyValue, NotOfType, key_value
from shardwright.specs.findings.diagnostics import Findings, Note, Span
from shardwright.specs.findings.wording import did_you_mean, quote
from shardwright.specs.spec.model import ShardingRule


@dataclass(frozen=True, slots=True)
class Conformance:
    """What one table's rows do under the rule. `columns` gives the table's column for each name of the rule's; `span`
    is where the rule says how rows are placed."""

    rule: ShardingRule
    logical: str
    columns: Mapping[str, Column]
    function: ShardFunction
    grid: Grid
    span: Span


def check_vectors(table: Conformance, text: str, findings: Findings) -> None:
    """Report the first line that cannot be read or that the function does not reproduce."""
    file = table.rule.vectors or ""
    named = Note("the rule is at", table.span)
    try:
        rows = read_csv(text, file=file)
        header = next(rows, ())
        order = _order(table, header, file)
        for row in rows:
            if len(row) != len(header):
                raise CsvFault(f"this line has {len(row)} cells, the header {len(header)}", row[0].span)
            if not _agrees(table, {name: row[index] for name, index in order.items()}, findings):
                return
    except CsvFault as fault:
        findings.error("SW5018", fault.message, fault.span, notes=(named,))


def _order(table: Conformance, header: tuple[Cell, ...], file: str) -> dict[str, int]:
    """Lower-case column name -> index. Raises CsvFault for a header that is not the one wanted."""
    names = [cell.text.strip().lower() for cell in header]
    wanted = [*(name.lower() for name in table.rule.shard_key), "database"]
    wanted += ["table"] if table.grid.tables > 1 or "table" in names else []
    if sorted(names) != sorted(wanted):
        place = header[0].span if header else Span(file, 1, 1)
        raise CsvFault(f"the header must name the columns {', '.join(wanted)}", place)
    return {name: index for index, name in enumerate(names)}


def _agrees(table: Conformance, cells: Mapping[str, Cell], findings: Findings) -> bool:
    key = _key(table, cells, findings)
    wanted = _place(table, cells, findings)
    if key is None or wanted is None:
        return False
    given = route(table.function, key)
    if given == wanted:
        return True
    written = ", ".join(f"{name} = {cells[name.lower()].text}" for name in table.rule.shard_key)
    message = (
        f"{written}: the router says {_table_name(table, wanted)}, "
        f"rule '{table.rule.name}' gives {_table_name(table, given)} for table '{table.logical}'"
    )
    findings.error("SW5020", message, cells["database"].span, notes=(Note("the rule is at", table.span),))
    return False


def _key(table: Conformance, cells: Mapping[str, Cell], findings: Findings) -> dict[str, KeyValue] | None:
    """The key by the table's own column names."""
    values: dict[str, KeyValue] = {}
    for name in table.rule.shard_key:
        cell, column = cells[name.lower()], table.columns[name]
        try:
            values[column.name] = key_value(cell.text, column)
        except NotOfType as wanted:
            message = f"{quote(cell.text)} is not {wanted}, as column '{column.name}' of '{table.logical}' has"
            findings.error("SW5019", message, cell.span)
    return values if len(values) == len(table.rule.shard_key) else None


def _place(table: Conformance, cells: Mapping[str, Cell], findings: Findings) -> tuple[int, int] | None:
    grid, written = table.grid, cells["database"]
    if written.text not in grid.databases:
        hint = did_you_mean(written.text, grid.databases[:1000])
        findings.error("SW5019", f"{quote(written.text)} is not a target database", written.span, hint=hint)
        return None
    database = grid.databases.index(written.text)
    cell = cells.get("table")
    if cell is None:
        return database, 0
    for name in (cell.text, cell.text.removeprefix(f"{written.text}.")):
        for suffix in (name, name.removeprefix(table.logical)):
            if suffix in grid.suffixes:
                return database, grid.suffixes.index(suffix)
    hint = f"a suffix such as {quote(grid.suffixes[-1])}, or {table.logical}{grid.suffixes[-1]}"
    findings.error("SW5019", f"{quote(cell.text)} is no table of '{table.logical}'", cell.span, hint=hint)
    return None


def _table_name(table: Conformance, place: tuple[int, int]) -> str:
    return f"{table.grid.databases[place[0]]}.{table.logical}{table.grid.suffixes[place[1]]}"
