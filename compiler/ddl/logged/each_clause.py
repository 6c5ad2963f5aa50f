"""Each clause of an ALTER TABLE of the log: what it does to the source table and to the targets, or why it cannot be
followed.

IF [NOT] EXISTS of MariaDB: whether such a clause did anything follows from the columns that the source has at that
place, and of indexes from those that each physical table has when the router comes to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from shardwright.compiler.ddl.catching_up import effects_in
from shardwright.compiler.ddl.logged.altered import Altered
from shardwright.compiler.ddl.logged.convert import Behind, convert
from shardwright.compiler.ddl.logged.logged_change import CannotFollow
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.character_sets import converted_to
from shardwright.compiler.sql.mysql_parser import parse_sql


def take_clauses(actions: Sequence[exp.Expr], altered: Altered, plan: Plan, behind: Behind | None) -> None:
    """Raises CannotFollow."""
    alone = len(actions) == 1
    times = Counter(_names(actions))
    for action in actions:
        names = list(_names([action]))
        if not action.args.get("exists"):
            _take(action, altered, behind, alone=alone)
        elif any(times[name] > 1 for name in names):
            what = names[0].rpartition(" ")[2]
            raise CannotFollow("SW8155", f"IF EXISTS, and another clause of the same statement names {what}, too")
        elif _takes_place(action, altered, plan):
            _take(action, altered, behind, alone=alone)


def _names(actions: Iterable[exp.Expr]) -> Iterator[str]:
    """The columns and indexes that the clauses name, with their kind, in lower case."""
    for action in actions:
        match action:
            case exp.ColumnDef() | exp.AlterColumn():
                yield f"column {action.this.name.lower()}"
            case exp.ModifyColumn():
                yield from {f"column {(action.args.get('rename_from') or action.this.this).name.lower()}"}
                if action.args.get("rename_from"):
                    yield f"column {action.this.name.lower()}"
            case exp.RenameColumn():
                yield from (f"column {node.name.lower()}" for node in (action.this, action.args["to"]))
            case exp.RenameIndex():
                yield from (f"index {node.name.lower()}" for node in (action.this, action.args["to"]))
            case _:
                yield from (f"{found.kind} {found.name.lower()}" for found in effects_in(exp.Alter(actions=[action])))


def _takes_place(action: exp.Expr, altered: Altered, plan: Plan) -> bool:
    """Whether a clause with IF [NOT] EXISTS did anything. Says so in the words where it did not."""
    match action:
        case exp.ColumnDef():
            takes_place, what = not altered.has(action.name), f"column {action.name} was there already"
        case exp.Drop() if action.args.get("kind") == "COLUMN":
            name = action.args["tables"][0].name
            takes_place, what = altered.has(name), f"there was no column {name} to drop"
        case exp.RenameColumn():
            takes_place, what = altered.has(action.this.name), f"there was no column {action.this.name} to rename"
        case exp.ModifyColumn():
            name = (action.args.get("rename_from") or action.this.this).name
            takes_place, what = altered.has(name), f"there was no column {name} to change"
        case exp.AlterColumn():
            takes_place, what = altered.has(action.this.name), f"there was no column {action.this.name} to change"
        case exp.RenameIndex():
            for node in (action.this, action.args["to"]):
                _refuse_unknown_index(node.name, altered, plan)
            return True  # where the target has none of the old name, the router leaves it out
        case exp.Drop() if action.args.get("kind") == "INDEX":
            _refuse_unknown_index(action.args["tables"][0].name, altered, plan)
            return True  # where the target has none of the name, the router leaves it out
        case exp.AddConstraint():
            for effect in effects_in(exp.Alter(actions=[action])):
                _refuse_unknown_index(effect.name, altered, plan)
            return True  # where the target has one of the name, the router leaves it out
        case exp.Drop():
            return True  # a constraint, which no target has
        case _:
            raise CannotFollow("SW8541", f"it is not understood: IF EXISTS in {action.sql('mysql')}")
    if not takes_place:
        altered.words.append(what)
    return takes_place


def _refuse_unknown_index(name: str, altered: Altered, plan: Plan) -> None:
    """The targets have an index of the name where the source had one, unless it is one of their own."""
    own = {
        (found.kind, found.name.lower())
        for change in plan.ddl
        if change.logical == altered.plan.logical
        for found in effects_in(parse_sql(change.template))
    }
    if ("index", name.lower()) in own:
        raise CannotFollow("SW8155", f"IF EXISTS, and a DDL file is about an index {name} of the targets")


def _take(action: exp.Expr, altered: Altered, behind: Behind | None, *, alone: bool) -> None:
    match action:
        case exp.ColumnDef():
            altered.add(action)
        case exp.ModifyColumn():
            old = action.args.get("rename_from")
            if old is not None and old.name.lower() != action.this.name.lower():
                altered.rename(old.name, action.this.name)
            altered.modify(action.this, moved=bool(action.this.args.get("position") or action.args.get("position")))
        case exp.RenameColumn():
            altered.rename(action.this.name, action.args["to"].name)
        case exp.AddConstraint():
            for element in action.expressions:
                _add_key(element, altered, is_conditional=bool(action.args.get("exists")))
        case exp.RenameIndex():
            altered.rename_index(action.this.name, action.args["to"].name)
        case exp.Drop() if len(action.args["tables"]) == 1:
            _drop(action, altered)
        case exp.AlterColumn() if not action.args.get("dtype") and not action.args.get("using"):
            altered.set_default(action)
        case exp.ForceProperty() | exp.AlterIndex():
            altered.words.append("its rows stay as they are")
        case exp.Command() if (to := converted_to(action)) is not None:
            convert(altered, to, behind, alone=alone)
        case _:
            raise CannotFollow("SW8543", f"the clause {action.sql('mysql')} is not carried to the targets")


def _drop(action: exp.Drop, altered: Altered) -> None:
    name = action.args["tables"][0].name
    match action.args.get("kind"):
        case "COLUMN":
            altered.drop(name)
        case "INDEX":
            altered.drop_index(name)
        case "FOREIGN KEY" | "CHECK":
            altered.words.append(f"the constraint {name} goes, which no target has")
        case _:
            raise CannotFollow("SW8543", f"the clause {action.sql('mysql')} is not carried to the targets")


def _add_key(element: exp.Expr, altered: Altered, *, is_conditional: bool) -> None:
    inner = element.expressions[0] if isinstance(element, exp.Constraint) else element
    match inner:
        case exp.IndexColumnConstraint():
            altered.add_index(element, inner.name, is_conditional=is_conditional)
        case exp.CheckColumnConstraint():
            altered.words.append("a CHECK is added, not on the targets: the source has checked each row")
        case exp.ForeignKey():
            raise CannotFollow(
                "SW8544",
                f"ADD {element.sql('mysql')}: the targets must have no foreign key (SW8142), and rows that this one "
                "changes by CASCADE are in no log",
            )
        case exp.PrimaryKey() if altered.goes_by(part.name for part in inner.expressions):
            altered.words.append("a primary key is added, by which the plan goes already")
        case exp.UniqueColumnConstraint():
            # The plan's statements do not know it, so the targets must not have it; they need none: no two rows of the
            # source collide.
            # That holds as well where IF NOT EXISTS did nothing.
            altered.words.append("a unique key is added, not on the targets: the source keeps its rows apart")
            altered.left.append(f"ADD {element.sql('mysql')}")
        case _:
            raise CannotFollow(
                "SW8544", f"ADD {element.sql('mysql')}: keys that distinguish rows belong in a compiled plan"
            )
