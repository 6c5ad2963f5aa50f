"""A design as a migration spec, with comments where a person has to decide. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlglot import exp

from shardwright.compiler.advise.design import Design, Placement, Way
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.table_groups import REST, find_groups
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.specs.findings.safe_output import harmless
from shardwright.specs.yaml.yaml_text import block, flow

_FEW: Final = 5
"""So many tables with a copy on every shard are written one by one."""
_HEAD: Final = "# yaml-language-server: $schema=../.shardwright/spec.v1.schema.json\n"


@dataclass(frozen=True, slots=True)
class Target:
    """Where the rows go. `databases` as a spec names them; `names` are all of them."""

    databases: object
    names: tuple[str, ...]

    @classmethod
    def with_numbers(cls, database: str, shards: int) -> Target:
        """So many databases that are called after the source's."""
        return cls(f"{database}_{{0..{shards - 1}}}", tuple(f"{database}_{number}" for number in range(shards)))


@dataclass(frozen=True, slots=True)
class Draft:
    """What the spec says beyond the design. `left_out`: tables that stay at the source, with the reason; `notes`:
    comments on a table's entry."""

    target: Target
    left_out: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    has_groups: bool = True
    """Whether tables with equal settings whose names begin alike are one entry."""


def spec_text(design: Design, source: SourceDatabase, draft: Draft) -> str:
    """The whole file."""
    return _HEAD + "\n".join(_lines(design, source, draft)) + "\n"


def entry_lines(text: str) -> Mapping[int, str]:
    """The table of each line of the spec that belongs to one table's entry, as it is written. Lines count from 1."""
    found: dict[int, str] = {}
    table, inside = None, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("tables:"):
            inside = True
        elif inside and line and not line.startswith((" ", "#")):
            inside = False
        started = re.match(r"  - \{?table: (?P<name>.*?)(?:, sharding|, key|\}|$)", line) if inside else None
        if started is not None:
            table = started["name"].strip("'\"")
        if inside and table is not None:
            found[number] = table
    return found


def _lines(design: Design, source: SourceDatabase, draft: Draft) -> Iterator[str]:
    name = re.sub(r"[^a-z0-9-]+", "-", source.name.lower()).strip("-")[:24] or "migration"
    yield "#"
    yield f"# Proposed for the key {design.key.name}. Read every comment: there a person has to decide."
    yield from block({"version": 1, "migration": f"{name}-split"})
    yield "# owner: the team to ask"
    yield ""
    yield from block({"source": {"dialect": source.dialect, "databases": [source.name], "schema": source.file}})
    yield ""
    yield "# Databases: as many as shall ever be servers; a server may hold several of them."
    yield from block({"target": {"databases": draft.target.databases}})
    yield ""
    yield from block({"ledger": {"database": "shardwright_{database}"}})
    yield ""
    yield from _rules(design, source, draft)
    yield "tables:"
    yield from _entries(design, source, draft)
    staying = source.tables_that_stay(draft.left_out)
    if staying:
        yield ""
        for name, reason in staying.items():
            yield f"# {name} stays at the source: {_one_line(reason)}"
        yield from block({"ignore_tables": list(staying)})


def _rules(design: Design, source: SourceDatabase, draft: Draft) -> Iterator[str]:
    rules: dict[str, list[Placement]] = {}
    for placement in design.of_way(Way.KEY, Way.OWN):
        if placement.table not in draft.left_out:
            rules.setdefault(_rule_of(design, placement, source), []).append(placement)
    if not rules:
        return
    yield "sharding:"
    for rule, placements in rules.items():
        columns = source.column_names(placements[0].table, placements[0].columns)
        database = to_sql(_database(placements, source, len(draft.target.names)), "mysql")
        yield from block({rule: {"shard_key": columns, "database": database}}, indent=2)
    yield ""


def _database(placements: Sequence[Placement], source: SourceDatabase, shards: int) -> exp.Expr:
    """`crc32(key) % shards`. A key that may be NULL in one of the tables is on the shard of 0, or of the empty text."""
    columns = [source.column(one.table, one.columns[0]) for one in placements]
    node: exp.Expr = exp.column(exp.to_identifier(columns[0].name))
    if any(column.nullable for column in columns):
        missing = exp.Literal.number(0) if columns[0].type.is_integer else exp.Literal.string("")
        node = exp.Coalesce(this=node, expressions=[missing])
    return exp.Mod(this=exp.Anonymous(this="crc32", expressions=[node]), expression=exp.Literal.number(shards))


def _rule_of(design: Design, placement: Placement, source: SourceDatabase) -> str:
    """Tables with the key share a rule, and so do all others. Integers that are kept as text have one of their own."""
    kind = source.column(placement.table, placement.columns[0]).type
    key = design.key
    if placement.way is Way.OWN:
        return "by_own_key" if kind.is_integer else "by_own_text"
    called = key.column if key.column != "id" or key.table is None else f"{key.table}_id"
    differs = key.table is not None and kind.is_text != source.column(key.table, key.column).type.is_text
    return "by_" + re.sub(r"\W+", "_", called)[:40] + ("_as_text" if differs else "")


def _entries(design: Design, source: SourceDatabase, draft: Draft) -> Iterator[str]:
    placed = [one for one in design.placements.values() if one.table not in draft.left_out]
    every = [source.tables[one.table].name for one in placed]
    for way in _headings:
        chosen = {source.tables[one.table].name: one for one in placed if one.way is way}
        if not chosen:
            continue
        yield f"  # {_headings[way]}"
        entries = {name: _Entry(one.table, _settings(design, one, source, draft)) for name, one in chosen.items()}
        groups = _find_groups(entries, every, has_rest=way is Way.BROADCAST and len(chosen) > _FEW)
        grouped = {name for group in groups.values() for name in group}
        for name in entries:
            if name not in grouped:
                yield from _entry_lines({"table": name}, [name], entries, draft)
        for pattern, group in groups.items():
            if draft.has_groups:
                yield from _entry_lines({"each": pattern, "expect": len(group)}, group, entries, draft)
            else:
                for name in group:
                    yield from _entry_lines({"table": name}, [name], entries, draft)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A table's key, and what its entry says beside the name."""

    table: str
    settings: Mapping[str, object]


def _find_groups(entries: Mapping[str, _Entry], every: Sequence[str], *, has_rest: bool) -> dict[str, list[str]]:
    """By pattern. `has_rest`: most of the tables are what no other entry means."""
    alike: dict[str, list[str]] = {}
    for name, one in entries.items():
        alike.setdefault(flow(one.settings), []).append(name)
    rest = max(alike.values(), key=len) if has_rest else []
    found = {
        pattern: group
        for names in alike.values()
        if names is not rest
        for pattern, group in find_groups(names, every).items()
    }
    return {**found, REST: sorted(rest)} if rest else found


_headings: Final = {
    Way.KEY: "Rows with one value of the key are on one shard.",
    Way.PARENT: "Rows are where their parent's row is.",
    Way.OWN: "Spread by their own keys: a join with other tables crosses shards.",
    Way.SINGLE: "Whole in one database.",
    Way.BROADCAST: "A copy on every shard: small, and seldom written.",
}


def _entry_lines(
    named: Mapping[str, object], names: Sequence[str], entries: Mapping[str, _Entry], draft: Draft
) -> Iterator[str]:
    """One entry for the tables of equal settings, with the notes about them."""
    notes: dict[str, list[str]] = {}
    for name in names:
        for note in draft.notes.get(entries[name].table, ()):
            notes.setdefault(_one_line(note), []).append(name)
    for note, about in notes.items():
        yield f"  # {note}" if about == list(names) else f"  # {', '.join(about)}: {note}"
    yield f"  - {flow({**named, **entries[names[0]].settings})}"


def _settings(design: Design, placement: Placement, source: SourceDatabase, draft: Draft) -> Mapping[str, object]:
    """What the entry says beside the table's name."""
    entry: dict[str, object] = {"sharding": _place_of(design, placement, source, draft)}
    if not source.tables[placement.table].row_key:
        entry["key"] = "all_columns"
    if (height := _height(design, source, placement.table)) > 0:
        entry["weight"] = 10 * height
    return entry


def _height(design: Design, source: SourceDatabase, table: str, below: frozenset[str] = frozenset()) -> int:
    """Over its child tables, which are lighter: no order is visible without its items."""
    known = below | {table}
    children = [name for name in source.tables if name not in known and _is_child(design, source, name, table)]
    return max((1 + _height(design, source, name, known) for name in children), default=0)


def _is_child(design: Design, source: SourceDatabase, name: str, parent: str) -> bool:
    """Whether its rows are where the parent's are, or its primary key begins with a foreign key to it and goes on."""
    if design.placements[name].parent == parent:
        return True
    own = source.row_key(name)
    for key in source.facts[name].foreign_keys:
        columns = {column.lower() for column in key.columns}
        is_to_parent = source.names.key_of(key.parent) == parent
        if is_to_parent and len(own) > len(columns) and set(own[: len(columns)]) == columns:
            return True
    return False


def _place_of(design: Design, placement: Placement, source: SourceDatabase, draft: Draft) -> object:
    columns = source.column_names(placement.table, placement.columns)
    match placement.way:
        case Way.BROADCAST:
            return "broadcast"
        case Way.SINGLE:
            return {"single": draft.target.names[0]}
        case Way.KEY | Way.OWN:
            return {"rule": _rule_of(design, placement, source), "shard_key": columns}
        case Way.PARENT:
            assert placement.parent is not None
            rule = _rule_of(design, design.find_keyed_ancestor(placement.table), source)
            return {"rule": rule, "shard_key": {"parent": source.tables[placement.parent].name, "via": columns}}


def _one_line(text: str) -> str:
    return harmless(" ".join(text.split()))
