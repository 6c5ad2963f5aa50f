"""What a DDL change leaves behind, so that a live table shows whether the change took effect (hazard E18).

An ALTER TABLE takes effect as a whole or not at all, so any one clause with a visible effect decides for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import to_sql

Kind = Literal["column", "index", "check"]
KeyPart = tuple[str, int | None]
"""Column in lower case and the prefix's length; an expression has the column ''."""


@dataclass(frozen=True, slots=True)
class Effect:
    """After the change, `name` is there (with `parts`, for an index) or is gone. `replaces`: one of that name was there
    before, too."""

    kind: Kind
    name: str
    present: bool
    parts: tuple[KeyPart, ...] = ()
    replaces: bool = False


def effects_of(sql: str) -> tuple[Effect, ...]:
    """The visible effects of a change for one physical table. Empty when it leaves no name behind (MODIFY, SET DEFAULT):
    such a change may simply be run again."""
    tree = parse_sql(sql)
    found: dict[tuple[Kind, str], Effect] = {}
    gone = {(effect.kind, effect.name.lower()) for effect in effects_in(tree) if not effect.present}
    for effect in sorted(effects_in(tree), key=lambda effect: effect.present):
        place = (effect.kind, effect.name.lower())
        if effect.present and place in gone:
            effect = Effect(effect.kind, effect.name, True, effect.parts, replaces=True)
        found[place] = effect
    # A column dropped and added under the same name does not show which of the two stands there.
    return tuple(effect for effect in found.values() if effect.kind != "column" or not effect.replaces)


def without_indexes(sql: str, stands: Callable[[Effect], bool]) -> str | None:
    """The ALTER TABLE without its clauses on indexes whose effect `stands` already; None when nothing is left of it.
    What is dropped and made again under its name stays."""
    tree = parse_sql(sql)
    if not isinstance(tree, exp.Alter):
        return sql
    names = Counter((effect.kind, effect.name.lower()) for effect in effects_in(tree))

    def is_done(action: exp.Expr) -> bool:
        effects = list(_of_action(action))
        alone = all(effect.kind == "index" and names[effect.kind, effect.name.lower()] == 1 for effect in effects)
        return bool(effects) and alone and all(map(stands, effects))

    actions = tree.args.get("actions") or []
    left = [action for action in actions if not is_done(action)]
    if len(left) == len(actions):
        return sql
    tree.set("actions", left)
    return to_sql(tree, "mysql") if left else None


def tables_after(sql: str) -> dict[str, bool]:
    """Table in lower case -> whether it is there after a statement about a whole table; empty for every other one, and for TRUNCATE."""
    tree = parse_sql(sql)
    match tree:
        case exp.Create() if tree.args.get("kind") == "TABLE":
            return {tree.this.this.name.lower(): True}
        case exp.Drop() if tree.args.get("kind") == "TABLE":
            return {tree.args["tables"][0].name.lower(): False}
        case exp.Alter() if (renamed := tree.find(exp.AlterRename)) is not None:
            return {tree.this.name.lower(): False, renamed.this.name.lower(): True}
        case _:
            return {}


def effects_in(tree: exp.Expr) -> Iterator[Effect]:
    """Of each clause for itself, in their order: what is dropped and added again is there twice."""
    if isinstance(tree, exp.Drop) and tree.args.get("kind") == "INDEX":
        yield Effect("index", tree.args["tables"][0].name, False)
    for action in tree.args.get("actions") or ():
        yield from _of_action(action)


def _of_action(action: exp.Expr) -> Iterator[Effect]:
    match action:
        case exp.ColumnDef():
            yield Effect("column", action.name, True)
        case exp.ModifyColumn() if action.args.get("rename_from"):
            yield from _renamed("column", action.args["rename_from"].name, action.this.name)
        case exp.RenameColumn():
            yield from _renamed("column", action.this.name, action.args["to"].name)
        case exp.RenameIndex():
            yield Effect("index", action.this.name, False)
        case exp.DropPrimaryKey():
            yield Effect("index", "PRIMARY", False)
        case exp.Drop():
            kinds: dict[object, Kind] = {"COLUMN": "column", "INDEX": "index", "CHECK": "check", "CONSTRAINT": "check"}
            yield Effect(kinds[action.args.get("kind")], action.args["tables"][0].name, False)
        case exp.AddConstraint():
            for element in action.expressions:
                yield from _of_key(element)


def _renamed(kind: Kind, old: str, new: str) -> Iterator[Effect]:
    if old.lower() != new.lower():
        yield Effect(kind, old, False)
        yield Effect(kind, new, True)


def _of_key(element: exp.Expr) -> Iterator[Effect]:
    named = isinstance(element, exp.Constraint)
    inner = element.expressions[0] if named else element
    match inner:
        case exp.PrimaryKey():
            yield Effect("index", "PRIMARY", True, _parts(inner.expressions))
        case exp.IndexColumnConstraint():
            yield Effect("index", inner.name, True, _parts(inner.expressions))
        case exp.UniqueColumnConstraint():
            name = inner.this.this.name if inner.this.this else element.name
            yield Effect("index", name, True, _parts(inner.this.expressions))
        case exp.CheckColumnConstraint() if named:
            yield Effect("check", element.name, True)


def _parts(expressions: list[exp.Expr]) -> tuple[KeyPart, ...]:
    return tuple(_part(item.this if isinstance(item, exp.Ordered) else item) for item in expressions)


def _part(item: exp.Expr) -> KeyPart:
    if isinstance(item, exp.ColumnPrefix):
        return item.this.name.lower(), int(item.expression.name)
    return (item.name.lower(), None) if isinstance(item, (exp.Column, exp.Identifier)) else ("", None)
