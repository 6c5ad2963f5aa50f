"""How is a history written: as lines for a person, and as a spec test to paste? Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.table_parts import SourceColumn
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.history import follows, rows_before
from shardwright.runtime.rehearsal.dry_run.layout import Layout, Row
from shardwright.runtime.rehearsal.dry_run.values import plain_value

_LONGEST = 60
_LONGEST_PLAIN = 15
"""A YAML number without quotes keeps fewer digits than this for certain."""
_WORDS = frozenset({"null", "true", "false"})


def case_text(layout: Layout, plan: Plan, history: Sequence[Event]) -> Iterator[str]:
    """A line for each row that exists before, then one for each event, with the places of the images."""
    table = layout.table
    if follows(table, history):
        for source, row in rows_before(table, history):
            yield f"given {source} has {_row(table, row)}{_place(layout, plan, row)}"
    for number, event in enumerate(history, 1):
        yield f"{number}. {_event(layout, plan, event)}"


def spec_test(layout: Layout, plan: Plan, history: Sequence[Event], *, name: str) -> str | None:
    """The history as a case for tests/*.yaml; None for one that no source could log."""
    table = layout.table
    if not history or not follows(table, history):
        return None
    lines = [f"  - name: {_yaml(name)}"]
    given = rows_before(table, history)
    if given:
        lines += ["    given:", "      rows:"]
        for source in dict.fromkeys(source for source, _ in given):
            lines.append(f"        {_yaml(source)}:")
            lines += [f"          - {_mapping(table, row)}" for its, row in given if its == source]
    lines.append("    batches: together")
    lines.append("    events:")
    for event in history:
        lines += [f"      {line}" for line in _write_event(table, event)]
    expected = list(_expect_lines(layout, plan, history))
    return "\n".join([*lines, *(["    expect:", *expected] if expected else ["    expect: {}"]), ""])


def _expect_lines(layout: Layout, plan: Plan, history: Sequence[Event]) -> Iterator[str]:
    """The rows at the end, by database and physical table."""
    table = layout.table
    rows: dict[tuple[str, tuple[str | None, ...]], Row] = {}
    key = [column.position for column in table.source_key_columns]
    for source, row in rows_before(table, history):
        rows[source, tuple(row[i] for i in key)] = row
    for event in history:
        if event.before is not None:
            rows.pop((event.source, tuple(event.before[i] for i in key)), None)
        if event.after is not None:
            rows[event.source, tuple(event.after[i] for i in key)] = event.after
    places: dict[str, dict[str, list[Row]]] = {}
    for row in rows.values():
        for place in layout.places(row):
            physical = table.logical + plan.parts(table)[place.part]
            places.setdefault(plan.databases[place.shard], {}).setdefault(physical, []).append(row)
    for database in sorted(places):
        yield f"      {database}:"
        for physical in sorted(places[database]):
            yield f"        {_yaml(physical)}:"
            yield from (f"          - {_target(table, row)}" for row in places[database][physical])


def _event(layout: Layout, plan: Plan, event: Event) -> str:
    table = layout.table
    if event.before is None and event.after is not None:
        return f"insert into {event.source}: {_row(table, event.after)}{_place(layout, plan, event.after)}"
    assert event.before is not None
    if event.after is None:
        return f"delete from {event.source}: {_row(table, event.before)}{_place(layout, plan, event.before)}"
    changes = [
        f"{column.name} {_display(old)} -> {_display(new)}"
        for column, old, new in zip(table.source.columns, event.before, event.after, strict=True)
        if old != new
    ]
    there, then = _place(layout, plan, event.before), _place(layout, plan, event.after)
    moved = there if there == then else f"{there} to{then.removeprefix(' on')}"
    return f"update {event.source}, {_key(table, event.before)}: {', '.join(changes) or 'no value changes'}{moved}"


def _place(layout: Layout, plan: Plan, row: Row) -> str:
    if layout.table.placement.has_copies:
        return ""
    place = layout.place(row)
    return f" on {plan.databases[place.shard]}.{layout.table.logical}{plan.parts(layout.table)[place.part]}"


def _key(table: TablePlan, row: Row) -> str:
    return ", ".join(f"{column.source} {_display(row[column.position])}" for column in table.source_key_columns)


def _row(table: TablePlan, row: Row) -> str:
    return ", ".join(f"{column.name} {_display(row[index])}" for index, column in _columns_to_show(table, row))


def _columns_to_show(table: TablePlan, row: Row) -> list[tuple[int, SourceColumn]]:
    """The columns worth showing: key, shard key, and each that does not have its plainest value."""
    always = {column.source.lower() for column in table.source_key_columns} | {
        name.lower() for name in table.placement.shard_key
    }
    return [
        (index, column)
        for index, column in enumerate(table.source.columns)
        if column.name.lower() in always or row[index] != _plainest(column)
    ]


def _plainest(column: SourceColumn) -> str | None:
    return None if column.nullable else plain_value(column.type)


def _write_event(table: TablePlan, event: Event) -> list[str]:
    source = _yaml(event.source)
    if event.before is None and event.after is not None:
        return [f"- insert: {source}", f"  row: {_mapping(table, event.after)}"]
    assert event.before is not None
    key = {column.position for column in table.source_key_columns}
    where = _braces((column, event.before[i]) for i, column in enumerate(table.source.columns) if i in key)
    if event.after is None:
        return [f"- delete: {source}", f"  where: {where}"]
    after = event.after
    changed = [(column, after[i]) for i, column in enumerate(table.source.columns) if after[i] != event.before[i]]
    return [f"- update: {source}", f"  where: {where}", f"  set: {_braces(changed)}"]


def _mapping(table: TablePlan, row: Row) -> str:
    return _braces((column, row[index]) for index, column in _columns_to_show(table, row))


def _target(table: TablePlan, row: Row) -> str:
    shown = {index for index, _ in _columns_to_show(table, row)}
    pairs = [
        (column.target, column.type.is_bytes, row[column.position])
        for column in table.columns
        if column.position in shown
    ]
    return "{" + ", ".join(f"{_yaml(name)}: {_value(text, is_bytes)}" for name, is_bytes, text in pairs) + "}"


def _braces(pairs: Iterator[tuple[SourceColumn, str | None]] | Sequence[tuple[SourceColumn, str | None]]) -> str:
    return (
        "{" + ", ".join(f"{_yaml(column.name)}: {_value(text, column.type.is_bytes)}" for column, text in pairs) + "}"
    )


def _value(text: str | None, is_bytes: bool) -> str:
    if text is None:
        return "null"
    return _yaml(f"0x{text}" if is_bytes else text)


def _yaml(text: str) -> str:
    """The text without quotes where YAML and this project read it in the same way; otherwise in double quotes, whose
    escapes are JSON's."""
    plain = text.isascii() and text.replace("_", "").replace(".", "").isalnum() and text.lower() not in _WORDS
    if plain and len(text) < _LONGEST_PLAIN:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in quoted)


def _display(text: str | None) -> str:
    if text is None:
        return "NULL"
    quoted = text if text.isalnum() else f"'{text}'"
    return quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}…"
