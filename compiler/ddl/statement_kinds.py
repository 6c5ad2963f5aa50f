"""The kinds of statement that can be routed, and what each must not do."""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.ddl.actions import ActionCheck, Outcome, refuse_lost_key, route_action
from shardwright.compiler.plan.plan import TablePlan

_OPTIONS = (exp.AlgorithmProperty, exp.LockProperty, exp.SchemaCommentProperty)
_LOOSE_WORDS = ("only", "not_valid", "check", "cascade", "cluster", "iceberg")


def table_of(tree: exp.Expr) -> exp.Table | None:
    """The table that a supported statement changes; None for any other statement."""
    found: object = None
    match tree:
        case exp.Alter() if tree.args.get("kind") == "TABLE":
            found = tree.this
        case exp.Create() if tree.args.get("kind") == "INDEX" and isinstance(tree.this, exp.Index):
            found = tree.this.args.get("table")
        case exp.Drop() if tree.args.get("kind") == "INDEX" and isinstance(tree.args.get("cluster"), exp.OnProperty):
            found = tree.args["cluster"].this
    return found if isinstance(found, exp.Table) else None


def adds_key(tree: exp.Expr, plan: TablePlan) -> bool:
    """Whether the same statement gives the rows' key a primary key again."""
    wanted = {name.lower() for name in plan.key}
    return any({part.name.lower() for part in key.expressions} == wanted for key in tree.find_all(exp.PrimaryKey))


def check_statement(tree: exp.Expr, check: ActionCheck, outcome: Outcome) -> None:
    """Check `tree` (from `table_of`) clause by clause, rewriting names in place; problems go to the check's findings."""
    if any(part.args.get("exists") for part in tree.walk()):
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
        if not isinstance(option, _OPTIONS):
            check.error("SW4208", f"the option {option.sql('mysql')} is not supported yet")
    for action in tree.args.get("actions") or ():
        route_action(action, check, outcome)


def as_alter(tree: exp.Create, check: ActionCheck) -> exp.Alter:
    """CREATE INDEX as ALTER TABLE ADD INDEX, which both servers take for the same. sqlglot reads the key part
    `note(10)` of the former as the call of a function, and could not print it back."""
    if tree.args.get("replace"):
        check.error("SW4208", "OR REPLACE would drop an index that is not known here")
    index: exp.Index = tree.this
    parts = [_key_part(part, check) for part in index.args["params"].args.get("columns") or ()]
    element: exp.Expr
    if tree.args.get("unique"):
        element = exp.UniqueColumnConstraint(this=exp.Schema(this=index.this.copy(), expressions=parts))
    else:
        element = exp.IndexColumnConstraint(this=index.this.copy(), expressions=parts)
    action = exp.AddConstraint(expressions=[element])
    return exp.Alter(
        this=index.args["table"].copy(), kind="TABLE", exists=bool(tree.args.get("exists")), actions=[action]
    )


def _key_part(part: exp.Expr, check: ActionCheck) -> exp.Expr:
    plain = part.this if isinstance(part, exp.Ordered) else part
    descending = isinstance(part, exp.Ordered) and bool(part.args.get("desc"))
    if isinstance(plain, exp.Anonymous) and len(plain.expressions) == 1:
        called = plain.this
        name = exp.to_identifier(called if isinstance(called, str) else called.name, quoted=True)
        plain = exp.ColumnPrefix(this=name, expression=plain.expressions[0].copy())
    elif not isinstance(plain, (exp.Column, exp.Paren)):
        check.error("SW4208", f"{plain.sql('mysql')} is read as a function here; write ALTER TABLE … ADD INDEX")
    return exp.Ordered(this=plain.copy(), desc=True, nulls_first=False) if descending else plain.copy()
