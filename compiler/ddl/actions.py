"""Which statements and which clauses of an ALTER TABLE can be routed: what each must not do, and its form for a
physical table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.ddl.clauses import is_unknown_option
from shardwright.compiler.ddl.rewrite import suffixed
from shardwright.compiler.ddl.unread import PARTITIONS
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.character_sets import converted_to
from shardwright.compiler.sql.conditions import is_conditional
from shardwright.specs.findings.diagnostics import Findings, Span

_WAYS = (exp.AlgorithmProperty, exp.LockProperty)
_LOOSE_WORDS = ("only", "not_valid", "check", "cascade", "cluster", "iceberg")


def table_of(tree: exp.Expr) -> exp.Table | None:
    """The table that a supported statement changes; None for any other statement."""
    found: object = None
    match tree:
        case exp.Alter() if tree.args.get("kind") == "TABLE":
            found = tree.this
        case exp.Drop() if tree.args.get("kind") == "INDEX" and isinstance(tree.args.get("cluster"), exp.OnProperty):
            found = tree.args["cluster"].this
    return found if isinstance(found, exp.Table) else None


def adds_key(tree: exp.Expr, plan: TablePlan) -> bool:
    """Whether the same statement gives the rows' key a primary key again."""
    wanted = {name.lower() for name in plan.key}
    return any({part.name.lower() for part in key.expressions} == wanted for key in tree.find_all(exp.PrimaryKey))


def check_statement(tree: exp.Expr, check: ActionCheck, outcome: Outcome) -> None:
    """Check `tree` (from `table_of`) clause by clause, rewriting names in place; problems go to the check's
    findings."""
    if is_conditional(tree):
        check.error("SW4218", "IF [NOT] EXISTS would hide the physical tables that differ; leave it out")
    if any(place.args.get("position") != "FIRST" and not place.this for place in tree.find_all(exp.ColumnPosition)):
        check.error("SW4203", "AFTER names no column")
    match tree:
        case exp.Alter():
            _check_alter(tree, check, outcome)
        case exp.Drop():
            outcome.destructive = True
            refuse_lost_key(tree.args["tables"][0], check)


def _check_alter(tree: exp.Alter, check: ActionCheck, outcome: Outcome) -> None:
    if any(tree.args.get(word) for word in _LOOSE_WORDS):
        check.error("SW4208", "ALTER TABLE takes no words of this kind before its clauses yet")
    for option in tree.args.get("options") or ():
        if not isinstance(option, _WAYS) and is_unknown_option(option):
            check.error("SW4208", f"the option {option.sql('mysql')} is not routed", _why_not_option(option))
    for action in tree.args.get("actions") or ():
        route_action(action, check, outcome)


def _why_not_option(option: exp.Expr) -> str:
    match option:
        case exp.Order():
            return "leave it out: InnoDB keeps rows in the order of the primary key"
        case exp.AutoIncrementProperty():
            return "leave it out: copied rows bring their numbers; `ids` in the spec names what a cutover sets"
        case exp.EngineProperty():
            return "leave it out: the migration needs InnoDB"
        case _:
            return "leave it out, or set it on every shard after `finish`"


FOREIGN_KEY_HINT = "leave it out; where both rows are always on the same shard, add it on every shard after `finish`"


def why_no_foreign_key(node: exp.Expr) -> str:
    """For a clause that holds a foreign key. Our sessions on shards check foreign keys, so these also act there."""
    options = [str(option).upper() for found in node.find_all(exp.Reference) for option in found.args["options"] or ()]
    acting = [option for option in options if option.endswith((" CASCADE", " SET NULL", " SET DEFAULT"))]
    if acting:
        return f"the foreign key's {acting[0]} would change rows of the shards that the ledgers do not know of"
    return "with a foreign key the stream would stop where a row arrives before the one that it refers to"


@dataclass(frozen=True, slots=True)
class ActionCheck:
    """Looks at the clauses of one statement; problems go to `findings`, at the name they are about or at `span`."""

    plan: TablePlan
    span: Span
    findings: Findings
    place_of: Callable[[exp.Expr], Span]
    adds_key_again: bool = False
    is_free: bool = False
    """The clauses lead to what the plan's own table is, or the table is none of the migration's: no column is kept from
    them."""

    def error(self, code: str, message: str, hint: str | None = None, *, at: exp.Expr | None = None) -> None:
        span = self.span if at is None else self.place_of(at)
        self.findings.error(code, f"table '{self.plan.logical}': {message}", span, hint=hint)

    def origin_of(self, column: str) -> str | None:
        """In words, why the plan's CREATE TABLE has the column; None when it has not."""
        if any(copied.target.lower() == column.lower() for copied in self.plan.columns):
            return "is copied from the source"
        if any(computed.target.lower() == column.lower() for computed in self.plan.generated):
            return "is generated as at the source"
        return None

    def refuse_copied(self, column: exp.Expr, verb: str) -> None:
        origin = self.origin_of(column.name)
        if origin is not None and not self.is_free:
            hint = "change the spec first: exclude or rename the column there"
            message = f"cannot {verb} column '{column.name}', which {origin}"
            self.error("SW4210", message, hint, at=column)


@dataclass(slots=True)
class Outcome:
    """What the clauses add up to."""

    destructive: bool = False
    actions: list[exp.Expr] = field(default_factory=list)


def route_action(action: exp.Expr, check: ActionCheck, outcome: Outcome) -> None:
    """Check one clause and add its physical form to `outcome`."""
    outcome.actions.append(action)
    match action:
        case exp.ColumnDef():
            _add_column(action, check)
        case exp.ModifyColumn():
            old = action.args.get("rename_from") or action.this.this
            check.refuse_copied(old, "change")
            if old.name.lower() != action.this.name.lower():
                _refuse_taken(action.this.this, check)
            if not check.is_free:
                _refuse_foreign(action.this, check)
            outcome.destructive = True
        case exp.RenameColumn():
            check.refuse_copied(action.this, "rename")
            _refuse_taken(action.args["to"], check)
            outcome.destructive = True
        case exp.Drop():
            _drop(action, check, outcome)
        case exp.DropPrimaryKey():
            outcome.destructive = True
            if check.plan.key and not check.adds_key_again:
                check.error(
                    "SW4212", "rows are found by their key: DROP PRIMARY KEY needs ADD PRIMARY KEY over it beside it"
                )
        case exp.AddConstraint():
            for element in action.expressions:
                _add_key(element, check)
        case exp.AlterColumn() if not action.args.get("dtype") and not action.args.get("using"):
            pass
        case exp.RenameIndex() | exp.AlterIndex() | exp.ForceProperty():
            pass
        case exp.Command() if converted_to(action) is not None:
            pass  # `character_set_checks` looks at it
        case exp.Var():
            check.error("SW4208", PARTITIONS, f"leave {action.sql('mysql').split(' (')[0]} out of the file")
        case _:
            check.error("SW4208", f"the clause {action.sql('mysql')} is not supported yet")


def _add_column(definition: exp.ColumnDef, check: ActionCheck) -> None:
    if check.is_free:
        return
    _refuse_taken(definition.this, check)
    _refuse_foreign(definition, check)
    kinds = [part.kind for part in definition.args.get("constraints") or ()]
    if any(isinstance(kind, exp.PrimaryKeyColumnConstraint) for kind in kinds):
        check.error("SW4212", "rows are found by their key: it cannot become another column", at=definition)
    if any(isinstance(kind, exp.UniqueColumnConstraint) for kind in kinds):
        warn_unique(check)
    required = any(isinstance(k, exp.NotNullColumnConstraint) and not k.args.get("allow_null") for k in kinds)
    filled = any(isinstance(k, (exp.DefaultColumnConstraint, exp.ComputedColumnConstraint)) for k in kinds)
    if required and not filled:
        hint = "allow NULL, or give it a DEFAULT"
        check.error("SW4213", f"copied rows bring no value for the new column '{definition.name}'", hint, at=definition)


def _refuse_taken(column: exp.Expr, check: ActionCheck) -> None:
    origin = check.origin_of(column.name)
    if origin is not None and not check.is_free:
        message = f"column '{column.name}' is in the target already: it {origin}"
        hint = "tables that lack it get it by a statement of its own that says just what the spec's table has"
        check.error("SW4211", message, hint, at=column)


def _refuse_foreign(definition: exp.ColumnDef, check: ActionCheck) -> None:
    if definition.find(exp.Reference):
        check.error("SW4209", why_no_foreign_key(definition), FOREIGN_KEY_HINT, at=definition)
    if definition.find(exp.AutoIncrementColumnConstraint):
        check.error("SW4208", "AUTO_INCREMENT would number the rows of each physical table apart", at=definition)


def _drop(action: exp.Drop, check: ActionCheck, outcome: Outcome) -> None:
    outcome.destructive = True
    if len(action.args["tables"]) != 1 or any(action.args.get(word) for word in ("cascade", "restrict")):
        check.error("SW4208", f"the clause {action.sql('mysql')} is not supported yet")
        return
    target = action.args["tables"][0]
    match action.args.get("kind"):
        case "COLUMN":
            check.refuse_copied(target, "drop")
        case "INDEX":
            refuse_lost_key(target, check)
        case "CHECK" | "CONSTRAINT":
            target.set("this", suffixed(target.this))
        case "FOREIGN KEY":
            hint = "leave the clause out; a key that was added by hand is dropped by hand"
            check.error("SW4209", f"the shards have no foreign key '{target.name}' of ours", hint)
        case _:
            check.error("SW4208", f"the clause {action.sql('mysql')} is not supported yet")


def refuse_lost_key(index: exp.Expr, check: ActionCheck) -> None:
    if not check.plan.key:
        return  # a table of the shards' own: nobody looks for its rows
    key = {name.lower() for name in check.plan.key}
    for unique in check.plan.identity.unique_keys:
        same = unique.name.lower() == index.name.lower() and {name.lower() for name in unique.columns} == key
        if same and not check.adds_key_again:
            check.error("SW4212", f"rows are found by their key: the index '{index.name}' cannot be dropped", at=index)
    if index.name.upper() == "PRIMARY" and not check.adds_key_again:
        check.error("SW4212", "rows are found by their key: the primary key cannot be dropped", at=index)


def _add_key(element: exp.Expr, check: ActionCheck) -> None:
    inner = element.expressions[0] if isinstance(element, exp.Constraint) else element
    if not isinstance(inner, (exp.PrimaryKey, exp.ForeignKey)) and not _has_name(element, inner):
        kind = "check" if isinstance(inner, exp.CheckColumnConstraint) else "key"
        check.error("SW4219", f"give the {kind} a name: {element.sql('mysql')}", "a name is how a resumed run finds it")
    match inner:
        case exp.ForeignKey():
            check.error("SW4209", why_no_foreign_key(element), FOREIGN_KEY_HINT, at=element)
        case exp.CheckColumnConstraint():
            if isinstance(element, exp.Constraint):
                element.set("this", suffixed(element.this))
        case exp.UniqueColumnConstraint():
            warn_unique(check)
        case exp.IndexColumnConstraint() | exp.PrimaryKey():
            pass
        case _:
            check.error("SW4208", f"the clause ADD {element.sql('mysql')} is not supported yet")


def _has_name(element: exp.Expr, inner: exp.Expr) -> bool:
    if isinstance(inner, exp.UniqueColumnConstraint) and isinstance(inner.this, exp.Schema) and inner.this.this:
        return True
    return bool((element if isinstance(element, exp.Constraint) else inner).name)


def warn_unique(check: ActionCheck) -> None:
    if check.is_free:
        return
    message = (
        f"table '{check.plan.logical}': a unique key that the source lacks stops the stream when two copied "
        "rows collide in it"
    )
    check.findings.warning("SW4214", message, check.span)
