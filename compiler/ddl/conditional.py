"""IF [NOT] EXISTS in a DDL file: decided when the file is compiled, by what the table has at that place of the files.

The statement that goes to the shards has no condition, so a physical table that differs is found rather than hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from sqlglot import exp

from shardwright.compiler.ddl.actions import ActionCheck
from shardwright.compiler.ddl.catching_up import Named, catches_up, effects_in, named_in
from shardwright.compiler.sql.conditions import is_conditional, unconditional

_CODE = "SW4218"


def without_conditions_of(
    tree: exp.Expr,
    check: ActionCheck,
    create: exp.Create | None,
    added: Collection[Named],
    now: Callable[[], exp.Create | None],
) -> exp.Expr | None:
    """`tree` (ALTER TABLE, or DROP INDEX) without its conditions, and without the clauses that would do nothing. None,
    with a finding, where nothing is left or where it is not known what the table has.

    `create` is the plan's CREATE TABLE, `added` what earlier statements have added, `now` gives the table after these.
    A statement that leads an older table to the plan's CREATE TABLE keeps all its clauses: tables that have it already
    are found as having it.
    """
    if not is_conditional(tree):
        return tree
    plain = unconditional(tree)
    plain.set("exists", None)
    conditional = [action for action in tree.args.get("actions") or (tree,) if action.args.get("exists")]
    if not conditional or catches_up(plain, create, added):
        return plain
    table = now()
    if table is None:
        check.error(_CODE, "IF EXISTS, and it is not known what the table has here; leave the words out")
        return None
    named = frozenset(named_in(table))
    actions = list(tree.args.get("actions") or ())
    times = Counter(name for action in actions for name in _names(action))
    if any(times[name] > 1 for action in conditional for name in _names(action)):
        check.error(
            _CODE, "IF EXISTS, and another clause of the same statement has that name, too: write two statements"
        )
        return None
    clauses = [tree] if isinstance(tree, exp.Drop) else actions
    idle = [next(_idle(clause, named), "") if clause.args.get("exists") else "" for clause in clauses]
    kept = [clause for clause, why in zip(plain.args.get("actions") or (plain,), idle, strict=True) if not why]
    if not kept and not plain.args.get("options"):
        check.error(_CODE, f"nothing is to be done: {'; '.join(filter(None, idle))}", "leave it out")
        return None
    if isinstance(plain, exp.Alter):
        plain.set("actions", kept)
    return plain


def _names(action: exp.Expr) -> set[Named]:
    """What the clause is about, in lower case."""
    if isinstance(action, exp.AlterColumn):
        return {("column", action.this.name.lower())}
    if isinstance(action, exp.ModifyColumn):
        old = action.args.get("rename_from") or action.this.this
        return {("column", old.name.lower()), ("column", action.this.name.lower())}
    if isinstance(action, exp.RenameIndex):
        return {("index", action.this.name.lower()), ("index", action.args["to"].name.lower())}
    return {(effect.kind, effect.name.lower()) for effect in effects_in(exp.Alter(actions=[action]))}


def _idle(action: exp.Expr, named: Collection[tuple[str, str]]) -> Iterator[str]:
    """Why the clause would do nothing where the table has `named`."""
    match action:
        case exp.ColumnDef() | exp.AddConstraint():
            for kind, name in _names(action):
                if (kind, name) in named:
                    yield f"the table has the {kind} '{name}' already"
        case exp.ModifyColumn() | exp.AlterColumn() | exp.RenameColumn():
            old = action.args.get("rename_from") or (
                action.this.this if isinstance(action, exp.ModifyColumn) else action.this
            )
            if ("column", old.name.lower()) not in named:
                yield f"the table has no column '{old.name}'"
        case exp.RenameIndex():
            if ("index", action.this.name.lower()) not in named:
                yield f"the table has no index '{action.this.name}'"
        case exp.Drop():
            for kind, name in _names(action):
                is_key = action.args.get("kind") == "CONSTRAINT" and ("index", name) in named
                if (kind, name) not in named and not is_key:
                    yield f"the table has no {kind} '{name}'"
