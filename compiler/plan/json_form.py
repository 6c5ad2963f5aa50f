"""The plan as plain data and back (`manifest.json`), and the files of a plan as text, folder by folder. Each table's
files are made by themselves and never all at once: they take as much memory as the plan. Pure:
`files` writes them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from shardwright.compiler.plan.invariant import Invariant
from shardwright.compiler.plan.next_ids import NextIds
from shardwright.compiler.plan.plain_data import JsonText, as_data, from_data, item_text, json_pieces
from shardwright.compiler.plan.plan import (
    EVERY_TABLE,
    DdlChange,
    Plan,
    Step,
    StepName,
    StreamDdl,
    TablePlan,
)
from shardwright.specs.spec.stream_format import StreamFormat

_NAME_LISTS = (("source", "databases"), ("source", "tables"), ("placement", "suffixes"))
"""Part of a table, and its field."""

_LEFT_OUT_WHERE_EMPTY = (
    *("quarantine", "existing_rows", "deferred_indexes", "invariants", "ids", "drops_triggers", "stays"),
    *("ignore_marks", "ignore_marks_in", "ledgers", "shard_ledgers", "flight_recorder", "buckets"),
    "both_write",
)


def plan_data(plan: Plan, tables: Iterator[Any], lookup_tables: Iterator[Any]) -> dict[str, Any]:
    """Everything of the plan except the SQL of its steps, which is in files of its own, and what is made of the
    rest. `tables` and `lookup_tables` are theirs (`table_data`), each made when it is asked for: together they take
    more memory than the plan's tables.

    Lists of names that many tables share (`_NAME_LISTS`) are written once, in `name_lists`; a table holds their index.
    """
    data: dict[str, Any] = as_data(replace(plan, steps=(), tables=(), lookup_tables=(), aspects={}, backward=None))
    del data["steps"], data["aspects"], data["backward"], data["moves"]
    if plan.stream_ddl == StreamDdl():
        del data["stream_ddl"]
    elif not plan.stream_ddl.meant:
        del data["stream_ddl"]["meant"]
    if plan.stream == StreamFormat():
        del data["stream"]
    if plan.unavailable_source == "isolate":
        del data["unavailable_source"]
    for name in _LEFT_OUT_WHERE_EMPTY:
        if not getattr(plan, name):
            del data[name]
    if plan.direction.reads_source:  # what a manifest says that names none
        del data["direction"], data["turns_round"]
    for change in data["ddl"]:
        for mark in ("catches_up", "own"):
            if not change[mark]:
                del change[mark]
    return {**data, "tables": tables, "lookup_tables": lookup_tables, "name_lists": list(name_lists(plan))}


def name_lists(plan: Plan) -> Mapping[tuple[str, ...], int]:
    """Each list of names that tables share, and its index."""
    shared = (attrgetter(".".join(path))(table) for table in plan.target_tables for path in _NAME_LISTS)
    return {names: index for index, names in enumerate(dict.fromkeys(shared))}


def table_data(table: TablePlan, lists: Mapping[tuple[str, ...], int]) -> dict[str, Any]:
    data: dict[str, Any] = as_data(
        replace(
            table,
            source=replace(table.source, databases=(), tables=()),
            placement=replace(table.placement, suffixes=()),
        )
    )
    for part, field in _NAME_LISTS:
        data[part][field] = lists[getattr(getattr(table, part), field)]
    for part in ("identity", "placement", "ours", "writes", "deletes"):
        data[part] = {name: value for name, value in data[part].items() if _is_set(value)}
    for field in ("own", "generated"):
        if not data[field]:
            del data[field]
    return data


def _is_set(value: object) -> bool:
    """The number 0 is."""
    return value is not None and value is not False and value not in ((), "")


def fingerprint(plan: Plan) -> str:
    """Covers the tables, the topology and every step's SQL; not the tool's version, not the DDL changes."""
    tables = [(table.logical, sorted(plan.aspects[table.logical].items())) for table in plan.tables]
    lookup_tables = [
        (lookup_table.logical, sorted(plan.aspects[lookup_table.logical].items()))
        for lookup_table in plan.lookup_tables
    ]
    deciding = (step for step in _of_every_table(plan) if step.name is not StepName.CONFLICT)
    batch = [(statement.name, statement.sql) for step in deciding for statement in step.texts]
    whole = repr((plan.migration, plan.dialect, plan.databases, tables, lookup_tables, batch, *plan.ledgers))
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def _of_every_table(plan: Plan) -> list[Step]:
    return [step for step in plan.steps if step.table == EVERY_TABLE]


def table_from_data(data: Mapping[str, Any], lists: Sequence[tuple[str, ...]]) -> TablePlan:
    values = dict(data)
    for part, field in _NAME_LISTS:
        values[part] = {**values[part], field: lists[data[part][field]]}
    return from_data(TablePlan, values)


FORMAT = 1
MANIFEST = "manifest.json"
SUMMARY = "summary.md"
BACKWARD = "backward"
"""The folder of the backward plan, in that of its forward plan."""
IDS = "50-ids.mysql.sql"
_DDL = "ddl"
_INVARIANTS = "invariants"


@dataclass(frozen=True, slots=True)
class Part:
    """One folder: a table's (or a lookup table's) with its steps, that of the DDL changes or of the invariants, or both
    for a table of that name."""

    folder: str
    table: TablePlan | None
    steps: Sequence[Step]
    changes: tuple[DdlChange, ...]
    invariants: tuple[Invariant, ...] = ()

    def files(self) -> dict[str, bytes]:
        """Contents by name."""
        texts = {step.name.file_name: _step_text(step) for step in self.steps}
        texts.update({ddl_file(change): ddl_text(change) for change in self.changes})
        texts.update({invariant_file(one): invariant_text(one) for one in self.invariants})
        return {name: text.encode() for name, text in texts.items()}

    def entry(self, lists: Mapping[tuple[str, ...], int]) -> JsonText | None:
        """The table's text in the manifest."""
        return None if self.table is None else item_text(table_data(self.table, lists))


@dataclass(frozen=True, slots=True)
class PartDigest:
    """What the manifest says of a part: each file's SHA-256 by its name, and the table's own text."""

    files: Mapping[str, str]
    entry: JsonText | None


def parts_of(plan: Plan) -> tuple[Part, ...]:
    """Every folder once; those of the tables in order, then those of the lookup tables."""
    steps: dict[str, list[Step]] = defaultdict(list)
    for step in plan.steps:
        steps[step.table].append(step)
    made = [
        Part(
            table.logical,
            table,
            steps[table.logical],
            plan.ddl if table.logical == _DDL else (),
            plan.invariants if table.logical == _INVARIANTS else (),
        )
        for table in plan.target_tables
    ]
    if plan.ddl and all(part.folder != _DDL for part in made):
        made.append(Part(_DDL, None, (), plan.ddl))
    if plan.invariants and all(part.folder != _INVARIANTS for part in made):
        made.append(Part(_INVARIANTS, None, (), (), plan.invariants))
    return tuple(made)


def top_files(plan: Plan, *, summary: str) -> dict[str, bytes]:
    """Contents by name of the files beside the folders, without the manifest."""
    texts = {step.name.file_name: _step_text(step) for step in _of_every_table(plan)}
    if plan.ids:
        texts[IDS] = ids_text(plan.ids)
    return {name: text.encode() for name, text in {SUMMARY: summary, **texts}.items()}


def digest_part(part: Part, files: Mapping[str, bytes], lists: Mapping[tuple[str, ...], int]) -> PartDigest:
    return PartDigest({name: sha256(content) for name, content in files.items()}, part.entry(lists))


def manifest_pieces(
    plan: Plan, parts: Sequence[Part], made: Sequence[PartDigest], *, top: Mapping[str, bytes]
) -> Iterator[str]:
    """The manifest's text. `made` is what `digest_part` gives for each of `parts`, which are the plan's, as are the
    `top_files`."""
    entries = [item.entry for item in made if item.entry is not None]
    digests = {
        f"{part.folder}/{name}": digest
        for part, item in zip(parts, made, strict=True)
        for name, digest in item.files.items()
    }
    data = {
        "format": FORMAT,
        **plan_data(plan, iter(entries[: len(plan.tables)]), iter(entries[len(plan.tables) :])),
        "steps": (
            {"table": step.table, "step": step.name.value, "file": f"{step.table}/{step.name.file_name}".lstrip("/")}
            for step in plan.steps
        ),
        "files": dict(sorted({**digests, **{name: sha256(content) for name, content in top.items()}}.items())),
    }
    yield from json_pieces(data)
    yield "\n"


def ddl_path(change: DdlChange) -> str:
    return f"{_DDL}/{ddl_file(change)}"


def ddl_file(change: DdlChange) -> str:
    return f"{change.file.removesuffix('.sql')}-{change.ordinal}.mysql.sql"


def ddl_text(change: DdlChange) -> str:
    """What each kind of server gets, as a step's file says it."""
    marks = f"{', destructive' if change.destructive else ''}{', catches up' if change.catches_up else ''}"
    parts = [f"-- {change.file} {change.ordinal}: {change.logical}{marks}", ""]
    for kind, form in (("mysql", change.mysql), ("mariadb", change.mariadb)):
        if form is not None:
            parts += [f"-- statement: {kind} -- {form.ddl_class}", f"{form.statement};", ""]
    return "\n".join(parts)


def invariant_path(invariant: Invariant) -> str:
    return f"{_INVARIANTS}/{invariant_file(invariant)}"


def invariant_file(invariant: Invariant) -> str:
    return f"{invariant.name}.sql"


def invariant_text(invariant: Invariant) -> str:
    wanted = "nothing on either side" if invariant.must_be_empty else "the same on both sides"
    parts = [f"-- {invariant.name} finds {wanted}: {invariant.written}", ""]
    for name, comment, statement in (
        ("source", "MySQL, the rows as they are on the target", invariant.source),
        ("target", "MySQL, of each physical table", invariant.target),
        ("compare", "Spark, over the answers; the groups that differ", invariant.compare),
    ):
        parts += [f"-- statement: {name} -- {comment}", f"{statement};", ""]
    return "\n".join(parts)


def ids_text(ids: Sequence[NextIds]) -> str:
    """What a cutover asks and sets on the side that takes the writes."""
    parts = ["-- the numbers of new rows: 50-ids"]
    for one in ids:
        parts.append(f"-- {one.title}: {one.words}, with a margin of {one.margin}\n")
        for word, comment, statement in (
            ("largest", "of each physical table", one.largest),
            ("read", "the number that the counter gives next", one.read),
            ("seed", "a larger number stays", one.seed),
        ):
            parts.append(f"-- statement: {word} -- {comment}\n{statement};\n")
    return "\n".join(parts).rstrip("\n") + "\n"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _step_text(step: Step) -> str:
    parts = [f"-- {step.table or 'every table'}: {step.name.value}", ""]
    for word, texts in (("part", step.parts), ("statement", step.statements)):
        for text in texts:
            parts += [f"-- {word}: {text.name} -- {text.comment}", f"{text.sql};", ""]
    return "\n".join(parts)
