"""Online schema changes: a tool fills a table of another name and swaps it with the followed one by RENAME. The
change is the difference of the table before and after (hazard E17).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.logged.read_logged import change_of, find_followed_name
from shardwright.compiler.ddl.source.logged_change import CannotFollow, LoggedChange
from shardwright.compiler.ddl.source.source_side import SourceSide
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.table_parts import SourceColumn, SourceName
from shardwright.compiler.sql.key_expressions import rename_columns
from shardwright.compiler.sql.word_reader import NotRead, WordReader, plain_words


@dataclass(frozen=True, slots=True)
class Swap:
    """`source` ("database.table") went away as `aside`, and the table called `new` took its place. `tool` names who
    does such things."""

    source: str
    plan: TablePlan
    new: str
    aside: SourceName
    tool: str


def read_swap(text: str, database: str, plan: Plan) -> Swap | None:
    """The swap that a statement is; None for any other statement. Raises CannotFollow for a RENAME that is no swap."""
    renames = _renames(text, database)
    touched = [(old, new) for old, new in renames if any(find_followed_name(*name, plan) for name in (old, new))]
    if not touched:
        return None
    gone = [old for old, _ in renames if find_followed_name(*old, plan)]
    came = {new: old for old, new in renames}
    if len(gone) != 1 or len(renames) != 2 or gone[0] not in came:
        said = ", ".join(f"{'.'.join(old)} gets the name {'.'.join(new)}" for old, new in touched)
        raise CannotFollow(
            "SW8542", f"{said}, and this is no swap of a followed table with one other table", understood=True
        )
    found = find_followed_name(*gone[0], plan)
    assert found is not None
    source, table = found
    aside = SourceName(*next(new for old, new in renames if old == gone[0]))
    new_name = came[gone[0]][1]
    return Swap(source, table, new_name, aside, _tool(gone[0][1], aside=aside.table, new=new_name))


def compare_swap(swap: Swap, live: SourceTable) -> LoggedChange:
    """`live` is the table as it stands behind the swap. Raises CannotFollow."""
    by_name = {column.name.lower(): column for column in live.columns}

    def read(node: exp.ColumnDef) -> SourceColumn:
        column = by_name[node.name.lower()]
        if column.generated or column.auto_increment:
            raise CannotFollow("SW8543", f"column {column.name}: generated and numbered columns are not carried over")
        return SourceColumn(column.name, column.type, column.nullable)

    side = SourceSide(swap.plan, read)
    before = {column.name.lower(): column for column in swap.plan.source.columns}
    definitions = [part for part in live.statement.this.expressions if isinstance(part, exp.ColumnDef)]
    _require_same_keys(swap, live, side)
    for name in [column.name for column in swap.plan.source.columns if column.name.lower() not in by_name]:
        side.drop(name)
    _require_same_expressions(swap, live)
    previous = ""
    for definition in definitions:
        node = definition.copy()
        column = by_name[node.name.lower()]
        old = before.get(node.name.lower())
        if old is None:
            place = (
                exp.ColumnPosition(this=exp.to_identifier(previous, quoted=True), position="AFTER")
                if previous
                else None
            )
            node.set("position", place or exp.ColumnPosition(position="FIRST"))
            side.add(node)
        elif (old.type, old.nullable) != (column.type, column.nullable):
            side.modify(node, moved=False)
        previous = node.name
    if [column.name.lower() for column in side.columns] != list(by_name):
        raise CannotFollow("SW8543", "the columns are in another order than before")
    side.words.append("its indexes were not compared")
    made = change_of(swap.source, side)
    return LoggedChange(
        made.source,
        made.logical,
        made.columns,
        made.columns_differ,
        made.routed,
        f"swapped by {swap.tool}: {made.words}",
        made.left,
        replaces=True,
    )


def _require_same_expressions(swap: Swap, live: SourceTable) -> None:
    """Which columns the server computes, and how: the targets' servers go on as before."""
    computed = {column.name.lower(): column.expression for column in live.columns if column.generated}
    there = {column.name.lower() for column in live.columns}
    before = {item.source.lower(): item.expression for item in swap.plan.generated}
    differ = [name for name in before if name in there and computed.get(name) != before[name]]
    differ += [column.source for column in swap.plan.columns if column.source.lower() in computed]
    if differ:
        raise CannotFollow("SW8543", f"column {differ[0]} is not computed as before")


def _require_same_keys(swap: Swap, live: SourceTable, side: SourceSide) -> None:
    """Which columns identify rows, as names of the target; a key over a column that is not copied is none
    there. The unique keys over how values begin and over expressions that the plan has must be there; others are
    nothing to it."""

    def on_target(columns: tuple[str, ...]) -> frozenset[str]:
        return frozenset(side.names.get(name.lower(), f"~{name}") for name in columns)

    found = {on_target(live.primary_key), *(on_target(key.columns) for key in live.unique_keys)}
    known = {frozenset(swap.plan.key), *(frozenset(key.columns) for key in swap.plan.identity.unique_keys)}
    if (lacks := swap.plan.source_lacks) is not None:
        known = {key - {lacks.column} for key in known}
    copied = {key for key in found if key and not any(name.startswith("~") for name in key)}
    names = {column.name: side.names.get(column.name.lower(), "") for column in live.columns}
    partial = {rename_columns(key, names).parts for key in live.prefix_keys if all(map(names.get, key.columns))}
    lacks_name = "" if lacks is None else lacks.column
    wanted = {tuple(part for part in key.parts if part[0] != lacks_name) for key in swap.plan.identity.prefix_keys}
    if copied != known or not wanted <= partial:
        raise CannotFollow("SW8544", "the table has other unique keys than before")


def _tool(table: str, *, aside: str, new: str) -> str:
    if re.fullmatch(rf"[_~]{re.escape(table)}_gho", new):
        return "gh-ost"
    if re.fullmatch(rf"_+{re.escape(table)}_new", new) and re.fullmatch(rf"_+{re.escape(table)}_old", aside):
        return "pt-online-schema-change"
    return "a RENAME of two tables"


def _renames(text: str, database: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """The pairs (database, table) of RENAME TABLE a TO b, c TO d; nothing for any other statement, or one not
    understood."""
    pairs: list[tuple[tuple[str, str], tuple[str, str]]] = []
    try:
        reader = WordReader(plain_words(text.rstrip().removesuffix(";")))
        reader.need("RENAME")
        if not reader.took("TABLES"):
            reader.need("TABLE")
        while not pairs or reader.took(","):
            old = reader.table(database)
            reader.need("TO")
            pairs.append((old, reader.table(database)))
        reader.end()
    except NotRead:
        return []
    return pairs
