"""A CREATE TABLE as it is after routed changes: what a physical table should be by now, without asking a server."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from shardwright.compiler.ddl.character_sets import convert, set_default
from shardwright.compiler.ddl.clauses import is_unknown_option
from shardwright.compiler.ddl.rewrite import rename_columns
from shardwright.compiler.sql.character_sets import converted_to, default_named
from shardwright.compiler.sql.mysql_parser import parse_sql


class NotReckoned(Exception):
    """A clause whose outcome is not known here. The text is the clause."""


def after_changes(table: exp.Create, changes: Iterable[str]) -> exp.Create:
    """A copy with `changes` (templates of ALTER TABLE) done, in their order. Raises NotReckoned."""
    changed = table.copy()
    for change in changes:
        tree = parse_sql(change)
        if isinstance(tree, exp.Drop) and tree.args.get("kind") == "INDEX":
            _drop(changed.this, tree)
            continue
        if not isinstance(tree, exp.Alter):
            raise NotReckoned(change)
        for action in tree.args.get("actions") or ():
            if (to := converted_to(action)) is not None:
                convert(changed, to)
            else:
                _do(changed.this, action)
        options = tree.args.get("options") or ()
        if (default := default_named(options)) is not None:
            set_default(changed, default)
        for option in options:
            _set_option(changed, option)
    return changed


def _do(schema: exp.Schema, action: exp.Expr) -> None:
    match action:
        case exp.Var():
            pass  # other partitions, of which no shape tells
        case exp.ColumnDef():
            schema.append("expressions", _placeless(action))
            _place(schema, action.name, action.args.get("position"), action)
        case exp.ModifyColumn():
            old = action.args.get("rename_from") or action.this.this
            _rename(schema, old.name, action.this.name)
            _column(schema, action.this.name, action).replace(_placeless(action.this))
            _place(schema, action.this.name, action.this.args.get("position"), action)
        case exp.RenameColumn():
            _rename(schema, action.this.name, action.args["to"].name)
        case exp.Drop():
            _drop(schema, action)
        case exp.DropPrimaryKey():
            _remove(schema, [part for part in schema.expressions if isinstance(part, exp.PrimaryKey)], action)
        case exp.AddConstraint():
            for element in action.expressions:
                schema.append("expressions", element.copy())
        case exp.AlterColumn() if "visible" not in action.args and not action.args.get("dtype"):
            column = _column(schema, action.this.name, action)
            constraints = column.args.get("constraints") or []
            kept = [part for part in constraints if not isinstance(part.kind, exp.DefaultColumnConstraint)]
            if (default := action.args.get("default")) is not None:
                kept.append(exp.ColumnConstraint(kind=exp.DefaultColumnConstraint(this=default.copy())))
            column.set("constraints", kept)
        case exp.RenameIndex():
            for index in _keys_named(schema, action.this.name):
                holder = index.this if isinstance(index, exp.UniqueColumnConstraint) else index
                holder.set("this", action.args["to"].copy())
        case exp.ForceProperty():
            pass
        case _:
            raise NotReckoned(action.sql("mysql"))


def _placeless(column: exp.ColumnDef) -> exp.ColumnDef:
    copied = column.copy()
    copied.set("position", None)
    return copied


def _place(schema: exp.Schema, name: str, position: exp.ColumnPosition | None, action: exp.Expr) -> None:
    """FIRST, or AFTER another column; without a word the column stays where it is."""
    if position is None:
        return
    column = _column(schema, name, action)
    others = [part for part in schema.expressions if part is not column]
    before = 0 if position.this is None else others.index(_column(schema, position.this.name, action)) + 1
    schema.set("expressions", [*others[:before], column, *others[before:]])


def _column(schema: exp.Schema, name: str, action: exp.Expr) -> exp.ColumnDef:
    for part in schema.expressions:
        if isinstance(part, exp.ColumnDef) and part.name.lower() == name.lower():
            return part
    raise NotReckoned(action.sql("mysql"))


def _rename(schema: exp.Schema, old: str, new: str) -> None:
    if old == new:
        return
    for part in schema.expressions:
        if isinstance(part, exp.ColumnDef) and part.name.lower() == old.lower():
            part.set("this", exp.to_identifier(new, quoted=True))
            continue
        held = part.this if isinstance(part, exp.UniqueColumnConstraint) else part
        for element in [*held.expressions]:
            rename_columns(element, lambda name: new if name.lower() == old.lower() else name)


def _drop(schema: exp.Schema, action: exp.Drop) -> None:
    name = (action.args.get("tables") or [action.this])[0].name
    match action.args.get("kind"):
        case "COLUMN":
            _column(schema, name, action).pop()
            _forget_column(schema, name)
        case "INDEX":
            primary: list[exp.Expr] = [part for part in schema.expressions if isinstance(part, exp.PrimaryKey)]
            _remove(schema, primary if name.upper() == "PRIMARY" else _keys_named(schema, name), action)
        case "CHECK" | "CONSTRAINT":
            _remove(schema, [p for p in schema.expressions if isinstance(p, exp.Constraint) and p.name == name], action)
        case _:
            raise NotReckoned(action.sql("mysql"))


def _forget_column(schema: exp.Schema, name: str) -> None:
    """Servers take a dropped column out of the indexes, too, and drop an index of which nothing is left."""
    for part in list(schema.expressions):
        held = part.this if isinstance(part, exp.UniqueColumnConstraint) else part
        if not isinstance(part, (exp.UniqueColumnConstraint, exp.IndexColumnConstraint)):
            continue
        kept = [
            p for p in held.expressions if (p.this if isinstance(p, exp.Ordered) else p).name.lower() != name.lower()
        ]
        held.set("expressions", kept)
        if not kept:
            part.pop()


def _keys_named(schema: exp.Schema, name: str) -> list[exp.Expr]:
    def named(part: exp.Expr) -> str:
        held = part.this if isinstance(part, exp.UniqueColumnConstraint) else part
        return str(held.this.name if isinstance(held.this, exp.Identifier) else "").lower()

    kinds = (exp.UniqueColumnConstraint, exp.IndexColumnConstraint)
    return [part for part in schema.expressions if isinstance(part, kinds) and named(part) == name.lower()]


def _remove(schema: exp.Schema, parts: list[exp.Expr], action: exp.Expr) -> None:
    if not parts:
        raise NotReckoned(action.sql("mysql"))
    for part in parts:
        part.pop()


_SET_BEFORE = (exp.AlgorithmProperty, exp.LockProperty, exp.CharacterSetProperty, exp.CollateProperty)


def _is_same_option(one: exp.Expr, other: exp.Expr) -> bool:
    named = not isinstance(one, exp.Property) or one.name.upper() == other.name.upper()
    return type(one) is type(other) and (named or type(one) is not exp.Property)


def _set_option(table: exp.Create, option: exp.Expr) -> None:
    if isinstance(option, _SET_BEFORE):
        return
    if is_unknown_option(option):
        raise NotReckoned(option.sql("mysql"))
    properties = table.args.get("properties") or exp.Properties(expressions=[])
    kept = [other for other in properties.expressions if not _is_same_option(other, option)]
    table.set("properties", exp.Properties(expressions=[*kept, option.copy()]))
