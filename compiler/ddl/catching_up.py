"""What a DDL change leaves behind, by which a live table shows whether the change took effect (hazard E18), and which
changes lead an older table to what the plan's CREATE TABLE says by now.

An ALTER TABLE takes effect as a whole or not at all, so any one clause with a visible effect decides for all. An `ALTER
TABLE … ADD COLUMN` of a column that the plan's own CREATE TABLE has catches up: a table that was made by that CREATE
TABLE does not need it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from sqlglot import exp

from shardwright.compiler.ddl.rewrite import SUFFIX
from shardwright.compiler.ddl.table_shape import Shape, read_create, shape_of
from shardwright.compiler.plan.plan import DdlChange, Step, StepName
from shardwright.compiler.sql.conditions import unconditional
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import to_sql

Kind = Literal["column", "index", "check"]
_DROPPED: dict[object, Kind] = {"COLUMN": "column", "INDEX": "index", "CHECK": "check", "CONSTRAINT": "check"}
KeyPart = tuple[str, int | None]
"""Column in lower case and the prefix's length; an expression has the column ''."""


@dataclass(frozen=True, slots=True)
class Effect:
    """After the change, `name` is there (with `parts`, for an index) or is gone. `replaces`: one of that name was there
    before, too. `if_absent`: one of that name may be there, however it is."""

    kind: Kind
    name: str
    present: bool
    parts: tuple[KeyPart, ...] = ()
    replaces: bool = False
    if_absent: bool = False


def effects_of(sql: str) -> tuple[Effect, ...]:
    """The visible effects of a change for one physical table. Empty when it leaves no name behind (MODIFY, SET
    DEFAULT):
    such a change may simply be run again."""
    tree = parse_sql(sql)
    found: dict[tuple[Kind, str], Effect] = {}
    gone = {(effect.kind, effect.name.lower()) for effect in effects_in(tree) if not effect.present}
    for effect in sorted(effects_in(tree), key=lambda effect: effect.present):
        place = (effect.kind, effect.name.lower())
        if effect.present and place in gone:
            effect = Effect(effect.kind, effect.name, True, effect.parts, replaces=True)
        found[place] = effect
    # A column dropped and added under the same name does not show which of the two the table has.
    return tuple(effect for effect in found.values() if effect.kind != "column" or not effect.replaces)


def without_indexes(sql: str, stands: Callable[[Effect], bool]) -> str | None:
    """The ALTER TABLE without its clauses on indexes whose effect `stands` already, and without conditions; None when
    nothing is left of it. What is dropped and made again under its name stays."""
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
    if len(left) == len(actions) and not any(action.args.get("exists") for action in actions):
        return sql
    tree.set("actions", left)
    tree = unconditional(tree)
    return to_sql(tree, "mysql") if left else None


def tables_after(sql: str) -> dict[str, bool]:
    """Table in lower case -> whether it is there after a statement about a whole table; empty for every other one, and
    for TRUNCATE."""
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
            if (kind := _DROPPED.get(action.args.get("kind"))) is not None:
                yield Effect(kind, action.args["tables"][0].name, False)
        case exp.AddConstraint():
            for element in action.expressions:
                yield from (replace(found, if_absent=bool(action.args.get("exists"))) for found in _of_key(element))


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


Named = tuple[Kind, str]
"""A column, index or check by its name in lower case."""

_KEYS = (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint)
_WAYS = (exp.AlgorithmProperty, exp.LockProperty)


def catches_up(tree: exp.Expr, create: exp.Create | None, added: Collection[Named]) -> bool:
    """Whether each clause of `tree` (ALTER TABLE or DROP INDEX, as written) brings about what `create`, the plan's
    CREATE TABLE, says already. `added`: what earlier changes have added to the table."""
    if create is None:
        return False
    if isinstance(tree, exp.Drop):
        return _is_unknown("index", tree.args["tables"][0].name, create, added)
    if not isinstance(tree, exp.Alter):
        return False
    actions = [*(tree.args.get("actions") or ())]
    options = [part for part in tree.args.get("options") or () if not isinstance(part, _WAYS)]
    comments = [part for part in options if isinstance(part, exp.SchemaCommentProperty)]
    dropped = {(effect.kind, effect.name.lower()) for effect in effects_in(tree) if not effect.present}
    again = {(effect.kind, effect.name.lower()) for effect in effects_in(tree) if effect.present}
    trial = create.copy()
    if len(comments) < len(options) or not all(
        _leads_to(action, trial, create, added, dropped & again) for action in actions
    ):
        return False
    for comment in comments:
        _set_comment(trial, comment)
    return bool(actions or comments) and _shape(trial) == _shape(create)


def added_by(change: DdlChange) -> frozenset[Named]:
    """What a change that does not catch up leaves on the table."""
    effects = (effect for effect in effects_of(change.template) if effect.present)
    return frozenset((effect.kind, effect.name.lower().removesuffix(SUFFIX)) for effect in effects)


def touched_by(template: str) -> frozenset[Named]:
    """What a change that catches up brings about, without the suffix. Empty when the table's comment is part of it."""
    tree = parse_sql(template)
    if any(isinstance(part, exp.SchemaCommentProperty) for part in tree.args.get("options") or ()):
        return frozenset()
    actions = tree.args.get("actions") or ()
    columns: set[Named] = {("column", part.this.name.lower()) for part in actions if isinstance(part, exp.ModifyColumn)}
    effects: set[Named] = {(found.kind, found.name.lower().removesuffix(SUFFIX)) for found in effects_in(tree)}
    return frozenset(columns | effects)


def creates_of(steps: Iterable[Step]) -> dict[str, exp.Create]:
    """The CREATE TABLE of each logical table, as far as it is understood again."""
    texts = {step.table: step.statements[0].sql for step in steps if step.name == StepName.CREATE_TABLE}
    found = {logical: read_create(text) for logical, text in texts.items()}
    return {logical: tree for logical, tree in found.items() if tree is not None}


def _leads_to(
    action: exp.Expr, trial: exp.Create, create: exp.Create, added: Collection[Named], replaced: Collection[Named]
) -> bool:
    """Does `action` on `trial`, where what it adds stands already; False where it cannot be one that catches up."""
    match action:
        case exp.ColumnDef():
            return _replace_column(trial, action)
        case exp.ModifyColumn():
            old = action.args.get("rename_from") or action.this.this
            renamed = old.name.lower() != action.this.name.lower()
            return (not renamed or _is_unknown("column", old.name, create, added)) and _replace_column(
                trial, action.this
            )
        case exp.RenameColumn():
            there = _column(trial, action.args["to"].name) is not None
            return there and _is_unknown("column", action.this.name, create, added)
        case exp.DropPrimaryKey():
            return ("index", "primary") in replaced
        case exp.Drop():
            kind, name = _DROPPED.get(action.args.get("kind")), action.args["tables"][0].name
            return kind is not None and ((kind, name.lower()) in replaced or _is_unknown(kind, name, create, added))
        case exp.AddConstraint():
            return all(_replace_key(trial, element) for element in action.expressions)
        case _:
            return False


def _is_unknown(kind: Kind, name: str, create: exp.Create, added: Collection[Named]) -> bool:
    return (kind, name.lower()) not in _shape(create) and (kind, name.lower()) not in added


def _column(table: exp.Create, name: str) -> exp.ColumnDef | None:
    for part in table.this.expressions:
        if isinstance(part, exp.ColumnDef) and part.name.lower() == name.lower():
            return part
    return None


def _replace_column(table: exp.Create, definition: exp.ColumnDef) -> bool:
    there = _column(table, definition.name)
    if there is None:
        return False
    new = definition.copy()
    new.set("position", None)
    # A key of the column's own is no part of what MODIFY says.
    keys = [part for part in there.args.get("constraints") or () if isinstance(part.kind, _KEYS)]
    new.set("constraints", [*(new.args.get("constraints") or ()), *(key.copy() for key in keys)])
    there.replace(new)
    return True


def _replace_key(table: exp.Create, element: exp.Expr) -> bool:
    """The key or check of the same name becomes `element`."""
    wanted = _keys_of(element)
    for part in table.this.expressions:
        if not isinstance(part, exp.ColumnDef) and _keys_of(part) & wanted:
            part.replace(element.copy())
            return True
    return False


def _keys_of(element: exp.Expr) -> frozenset[Named]:
    holder = exp.Alter(kind="TABLE", actions=[exp.AddConstraint(expressions=[element.copy()])])
    return frozenset((found.kind, found.name.lower().removesuffix(SUFFIX)) for found in effects_in(holder))


def _set_comment(table: exp.Create, comment: exp.Expr) -> None:
    properties = table.args.get("properties") or exp.Properties(expressions=[])
    kept = [other for other in properties.expressions if not isinstance(other, exp.SchemaCommentProperty)]
    table.set("properties", exp.Properties(expressions=[*kept, comment.copy()]))


def named_in(table: exp.Create) -> Iterable[tuple[str, str]]:
    """Kinds and names, in lower case, of the parts that a table has."""
    return _shape(table)


def _shape(table: exp.Create) -> Shape:
    return shape_of(table, suffix=SUFFIX, defaults={})
