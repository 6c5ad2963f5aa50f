"""The answer about one row, as text and as JSON.

Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from shardwright.runtime.history.entries import find_entries, value_text
from shardwright.runtime.history.facts import HeldRow, RowFacts, Way
from shardwright.runtime.history.verdict import Verdict
from shardwright.specs.findings.text_table import text_table


def as_json(facts: RowFacts, verdict: Verdict, *, indent: int | None = 2) -> str:
    """The facts, field by field, with the verdict."""
    judged = {"step": verdict.step.value, "sentence": verdict.sentence, "right": verdict.is_right}
    data = asdict(facts)
    for row in (*data["read_side"], *data["write_side"]):
        del row["hash"]  # nobody compares it with anything
    return json.dumps({"verdict": judged, **data}, indent=indent, ensure_ascii=False)


def as_text(facts: RowFacts, verdict: Verdict) -> str:
    parts = [
        _head(facts),
        "\n".join(_place_lines(facts)),
        _rows(facts),
        "\n".join(ledger_lines(facts)),
        "\n".join(_history(facts)),
        verdict_text(verdict),
    ]
    return "\n\n".join(part for part in parts if part)


def verdict_text(verdict: Verdict) -> str:
    begin = "fine" if verdict.is_right else "under way" if verdict.is_under_way else "lost at"
    return f"{begin}: {verdict.step}: {verdict.sentence}"


def _head(facts: RowFacts) -> str:
    key = ", ".join(f"{name}={value}" for name, value in facts.key.items())
    return "\n".join([f"{facts.table} {key} of migration {facts.migration}", *map(_way, facts.ways)])


def _way(way: Way) -> str:
    live = "" if way.is_live else " (ended)"
    copying = ", rows are being copied" if way.copying else ""
    opened = "" if way.open_batch is None else f", batch {way.open_batch} is {way.open_state}"
    begin = f"  changes go {way.direction.words}{live}: began at {way.start}, is at {way.position}"
    return f"{begin}, {way.batch} batches{opened}{copying}"


def _place_lines(facts: RowFacts) -> Iterator[str]:
    about = facts.belongs
    yield f"belongs in {', '.join(about.places) or 'a place that is not known'}: {about.why}"
    if about.shard_key:
        yield "  " + ", ".join(f"{name}={value_text(value)}" for name, value in about.shard_key.items())
    if about.python is not None:
        yield f"  python: {_indexes(about.python)}"
    if about.mysql is not None:
        said = "its server does not compute it" if about.mysql_says is None else _indexes(about.mysql_says)
        yield f"  mysql: {said}"
        yield f"    {_line(about.mysql)}"
    if about.spark is not None:
        yield "  spark:"
        yield f"    {_line(about.spark)}"


def _indexes(place: tuple[int, int]) -> str:
    return f"database {place[0]} and table {place[1]}"


def _line(sql: str) -> str:
    return " ".join(sql.split())


def _rows(facts: RowFacts) -> str:
    held: list[HeldRow] = [*facts.read_side, *facts.write_side]
    if not held:
        return "now: neither side has the row"
    columns = dict.fromkeys(name for row in held for name in row.values)
    lines = [(name, *(value_text(row.values[name]) for row in held)) for name in columns]
    return "now\n" + text_table(lines, header=("column", *(row.place for row in held)), indent=2)


def ledger_lines(facts: RowFacts) -> Iterator[str]:
    """What the ledgers have of the key."""
    for owner in dict.fromkeys(facts.owners):
        yield f"owner: the shards name {owner}"
    for kept in facts.staged:
        yield f"staged: {kept.action} in {kept.place}, of the change at {kept.position}"
    for kept in facts.tombstones:
        yield f"tombstone: {kept.place}, of the delete at {kept.position}"
    for letter in facts.dead_letters:
        what = f"dead letter ({letter.state}) of {letter.source_table} since {letter.first_seen}"
        yield f"{what}: {letter.code} {letter.reason}; {letter.events} events kept back"


def _history(facts: RowFacts) -> Iterator[str]:
    entries = find_entries(facts)
    if entries:
        yield "history"
    for entry in entries:
        yield from (f"  {line}" for line in entry.text_lines())
    for part in facts.unread:
        yield f"  not read: {part.log} {part.why}"
