"""Changes that lead tables that stand already to what the spec says by now: `ALTER TABLE … ADD COLUMN` of a column that the plan's own
CREATE TABLE has. A table that was made by that CREATE TABLE needs none of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlglot import exp

from shardwright.compiler.ddl.effect import Kind, effects_in, effects_of
from shardwright.compiler.ddl.plain_words import read_create
from shardwright.compiler.ddl.rewrite import SUFFIX
from shardwright.compiler.ddl.table_shape import Shape, shape_of
from shardwright.compiler.plan.plan import DdlChange, Step, StepName
from shardwright.compiler.sql.mysql_parser import parse_sql

Named = tuple[Kind, str]
"""A column, index or check by its name in lower case."""

_KEYS = (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint)


def catches_up(tree: exp.Expr, create: exp.Create | None, added: Collection[Named]) -> bool:
    """Whether each clause of `tree` (ALTER TABLE or DROP INDEX, as written) brings about what `create`, the plan's CREATE TABLE, says
    already. `added`: what earlier changes have added to the table."""
    if create is None:
        return False
    if isinstance(tree, exp.Drop):
        return _is_unknown("index", tree.args["tables"][0].name, create, added)
    if not isinstance(tree, exp.Alter):
        return False
    actions = [*(tree.args.get("actions") or ())]
    comments = [part for part in tree.args.get("options") or () if isinstance(part, exp.SchemaCommentProperty)]
    dropped = {(effect.kind, effect.name.lower()) for effect in effects_in(tree) if not effect.present}
    again = {(effect.kind, effect.name.lower()) for effect in effects_in(tree) if effect.present}
    trial = create.copy()
    if not all(_leads_to(action, trial, create, added, dropped & again) for action in actions):
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
            kinds: dict[object, Kind] = {"COLUMN": "column", "INDEX": "index", "CHECK": "check", "CONSTRAINT": "check"}
            kind, name = kinds.get(action.args.get("kind")), action.args["tables"][0].name
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


def _shape(table: exp.Create) -> Shape:
    return shape_of(table, suffix=SUFFIX, defaults={})
