"""A DDL statement of the log, read: which followed table it changes, how, and what of it the targets need.

Nothing that is not understood to the last word becomes a change (hazards E17, E19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Clause
from shardwright.compiler.ddl.alter.effects import effects_in
from shardwright.compiler.ddl.alter.read import AlterTable, read_alter
from shardwright.compiler.ddl.logged.partitions import partitions_changed, read_partition_statement
from shardwright.compiler.ddl.logged.replacement import find_followed_names, require_rows_stay
from shardwright.compiler.ddl.logged.truncate import describe_truncate, read_truncate
from shardwright.compiler.ddl.shape.rewrite import SUFFIX, table_node
from shardwright.compiler.ddl.source.logged_change import UNTOUCHED, CannotFollow, LoggedChange
from shardwright.compiler.ddl.source.source_side import SourceSide
from shardwright.compiler.ddl.statements.sql_file import FileStatement, read_statements
from shardwright.compiler.plan.catalogue import NOT_IN_MESSAGES, ColumnType, SourceTable
from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.plan.table_parts import SourceColumn
from shardwright.compiler.schema.file import column_of
from shardwright.compiler.sql.conditions import unconditional, without_conditions
from shardwright.compiler.sql.mysql_parser import each_added, parse_sql, without_empty_names
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.sql.sql_tokens import find_lost_words
from shardwright.specs.findings.diagnostics import Findings

_LOG = "the log"


def read_logged(
    text: str, database: str, plan: Plan, behind: Callable[[str], SourceTable] | None = None
) -> LoggedChange:
    """`database` is the session's default one. `behind` gives the table "database.table" as the source has it right
    behind the statement; None where nobody can be asked. Raises CannotFollow."""
    change = _read(text, database, plan, behind)
    if change is UNTOUCHED and not text.isascii() and not all(str(s).isascii() for t in plan.tables for s in t.sources):
        raise CannotFollow("SW8541", "it is not known in which character set its names are written")
    return change


def describe_skipped(cannot: CannotFollow, text: str, database: str, plan: Plan) -> LoggedChange | None:
    """What a statement that cannot be followed means for the plan once an operator has skipped it; None when its
    table is not known."""
    names = find_followed_names(text, database, plan)
    if cannot.change is not None or len(names) != 1:
        return cannot.change
    logical = next(table.logical for table in plan.tables if names[0] in map(str, table.sources))
    return LoggedChange(names[0], logical, (), False, None, cannot.why, unknown=True)


def _read(text: str, database: str, plan: Plan, behind: Callable[[str], SourceTable] | None) -> LoggedChange:
    gone = read_truncate(text, database)
    if gone is not None and (found := find_followed_name(gone.database, gone.table, plan)) is not None:
        return describe_truncate(*found, plan)
    require_rows_stay(text, database, plan)
    if (divided := read_partition_statement(text, database)) is not None:
        about = find_followed_name(divided.table.database, divided.table.table, plan)
        return UNTOUCHED if about is None else partitions_changed(divided, *about)
    statement = _only_statement(text)
    tree = statement.tree
    assert tree is not None
    alter = read_alter(tree)
    if alter is None:
        return _other(tree, database, plan)
    found = find_followed(alter.tree.this, database, plan)
    _refuse_lost_words(statement)
    if found is None:
        return UNTOUCHED
    source, table_plan = found
    live = partial(behind, source) if behind is not None else None
    is_alone = sum(not clause.is_option for clause in alter.clauses) == 1
    side = SourceSide(
        table_plan, lambda node: _read_column(node, statement.text, plan, table_plan), behind=live, is_alone=is_alone
    )
    _follow(alter, side, plan)
    return change_of(source, side)


def _follow(alter: AlterTable, side: SourceSide, plan: Plan) -> None:
    times = Counter(named for clause in alter.clauses for named in clause.names())
    for clause in sorted(alter.clauses, key=lambda clause: not clause.is_option):
        shared = sorted(name for kind, name in clause.names() if times[kind, name] > 1)
        if clause.is_conditional and shared:
            raise CannotFollow("SW8155", f"IF EXISTS, and another clause of the same statement names {shared[0]}, too")
        if not clause.is_conditional or _takes_place(clause, side, plan):
            clause.follow(side)


def _takes_place(clause: Clause, side: SourceSide, plan: Plan) -> bool:
    """Whether a clause with IF [NOT] EXISTS of MariaDB did anything. Says so in the words where it did not.

    Of columns that follows from those that the source has at that place. Of indexes each physical table decides when
    the router comes to it: the targets have one of a name where the source had one, unless it is one of their own."""
    kind, name = clause.subject() or ("", "")
    if kind != "column":
        own = {
            effect.kind_and_name
            for change in plan.ddl
            if change.logical == side.plan.logical
            for effect in effects_in(change.template)
        }
        if taken := sorted(index for kind, index in clause.names() & own if kind == "index"):
            raise CannotFollow("SW8155", f"IF EXISTS, and a DDL file is about an index {taken[0]} of the targets")
        return True
    takes_place = side.has(name) == bool(clause.verb)
    if not takes_place:
        not_there = f"there was no column {name} to {clause.verb}"
        side.words.append(not_there if clause.verb else f"column {name} was there already")
    return takes_place


def change_of(source: str, side: SourceSide) -> LoggedChange:
    plan = side.plan
    differ = tuple(side.columns) != plan.source.columns
    routed = None
    if side.routed:
        routed = to_sql(exp.Alter(this=table_node(plan.logical), kind="TABLE", actions=side.routed), "mysql")
    if len(plan.sources) > 1:
        if differ:
            raise CannotFollow(
                "SW8545",
                f"{plan.logical} has {len(plan.sources)} source tables, which have different columns until the last of "
                "them is changed: rows that are written to them in between cannot be followed (`shardwright explain "
                "SW8545`)",
            )
        routed = None
    words = "; ".join(side.words) or "its rows stay as they are"
    left = tuple(side.left)
    if side.renamed and not all(isinstance(item, exp.RenameColumn) for item in side.routed):
        side.by_hand.append(f"{words}: a new name is brought to the targets when it is all that they need")
    if side.by_hand:
        change = LoggedChange(source, plan.logical, tuple(side.columns), differ, None, words, left)
        raise CannotFollow("SW8543", "; ".join(side.by_hand), change=change)
    return LoggedChange(source, plan.logical, tuple(side.columns), differ, routed, words, left, renamed=side.renamed)


def find_followed(table: exp.Table, database: str, plan: Plan) -> tuple[str, TablePlan] | None:
    """The followed table that is meant, and its plan."""
    return find_followed_name(table.db or database, table.name, plan)


def find_followed_name(database: str, name: str, plan: Plan) -> tuple[str, TablePlan] | None:
    wanted = f"{database}.{name}".lower()
    return next(((str(s), t) for t in plan.tables for s in t.sources if str(s).lower() == wanted), None)


def _only_statement(text: str) -> FileStatement:
    findings = Findings()
    statements = read_statements(text, file=_LOG, findings=findings)
    if findings.items or len(statements) != 1 or statements[0].tree is None:
        why = findings.items[0].message if findings.items else "it is not one statement"
        raise CannotFollow("SW8541", f"it is not understood: {why}")
    if SUFFIX in text:
        raise CannotFollow("SW8541", f"it holds the text {SUFFIX}, which means a suffix here")
    return statements[0]


def _refuse_lost_words(statement: FileStatement) -> None:
    """A statement whose words were not all read may do more than was read."""
    written = statement.tree
    assert written is not None
    tokens = each_added(without_conditions(statement.tokens))
    if lost := find_lost_words(without_empty_names(tokens), unconditional(written).sql(dialect="mysql")):
        raise CannotFollow("SW8541", f"it is not understood: '{lost.written}'")


def _other(tree: exp.Expr, database: str, plan: Plan) -> LoggedChange:
    """What is neither an ALTER of a table nor about an index."""
    kind = type(tree).__name__
    match tree:
        case exp.TruncateTable():
            return UNTOUCHED  # else it would have been refused before
        case exp.Drop() if tree.args.get("kind") == "TABLE":
            return UNTOUCHED
        case exp.Create() if tree.args.get("kind") == "TABLE":
            tables = [tree.this.this if isinstance(tree.this, exp.Schema) else tree.this]
            what = "is created again"
        case _:
            raise CannotFollow("SW8541", f"it is not understood ({kind})")
    names = [
        found[0] for table in tables if isinstance(table, exp.Table) and (found := find_followed(table, database, plan))
    ]
    if not names:
        return UNTOUCHED
    raise CannotFollow("SW8542", f"{', '.join(names)} {what}", understood=True)


def _read_column(node: exp.ColumnDef, text: str, plan: Plan, table: TablePlan) -> SourceColumn:
    """Text columns that say no character set have the table's, which the target's CREATE TABLE says as well."""
    create = parse_sql(plan.step(table.logical, StepName.CREATE_TABLE).statements[0].sql)
    assert isinstance(create, exp.Create)
    column = column_of(node, text, like=create)
    if column is None:
        raise CannotFollow("SW8543", f"column {node.name}: its type is not supported")
    if column.auto_increment:
        raise CannotFollow("SW8543", f"column {node.name}: numbered columns are not carried to the targets")
    if column.type.name == "json" and plan.dialect == "mysql" and plan.stream.name != "binlog":
        raise CannotFollow("SW8543", f"column {node.name}: a queue's messages do not hold MySQL's JSON exactly")
    if column.type.name in NOT_IN_MESSAGES and plan.stream.name != "binlog":
        written = column.type.name.upper()
        raise CannotFollow("SW8543", f"column {node.name}: a queue's messages are not read for {written}")
    if column.type.name == "vector" and plan.dialect == "mariadb":
        raise CannotFollow("SW8543", f"column {node.name}: MariaDB's VECTOR is not supported")
    kind: ColumnType = column.type
    return SourceColumn(column.name, kind, column.nullable)
