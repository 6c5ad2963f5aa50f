"""Statements about a table as a whole: CREATE, DROP, RENAME, TRUNCATE; and the tables that the shards have of their
own, as the DDL files make, rename and drop them one after the other.

No spec names such a table, and each database has it once. The migration's own tables are made by `run` and hold its
rows: these statements do not take them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from shardwright.compiler.ddl.alter.routing import FOREIGN_KEY_HINT, why_no_foreign_key
from shardwright.compiler.ddl.shape.rewrite import MAX_NAME, table_node, without_comments
from shardwright.compiler.ddl.statements.sql_file import FileStatement
from shardwright.compiler.plan.plan import DdlChange, DdlForm, TablePlan, is_ours
from shardwright.compiler.plan.table_parts import CopyEverywhere, LedgerTables, RowKey, SourceTables
from shardwright.compiler.schema.names import UnclearTables
from shardwright.compiler.sql.conditions import is_conditional
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.findings.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class WholeTable:
    """`goes` and `comes` are tables that are there before and after; TRUNCATE has the same in both. `why_not` says what
    cannot be routed about it. `words` are the verb."""

    words: str
    goes: exp.Table | None
    comes: exp.Table | None
    node: exp.Expr
    why_not: str = ""

    @property
    def is_destructive(self) -> bool:
        return self.goes is not None


def whole_table(tree: exp.Expr) -> WholeTable | None:
    """None for a statement that is about a part of a table, or about no table."""
    match tree:
        case exp.Create() if tree.args.get("kind") == "TABLE":
            return _create(tree)
        case exp.Drop() if tree.args.get("kind") == "TABLE":
            tables = tree.args["tables"]
            many = len(tables) != 1 or any(tree.args.get(word) for word in ("temporary", "cascade", "restrict"))
            return WholeTable("DROP TABLE", tables[0], None, tree, "write one statement a table" if many else "")
        case exp.TruncateTable():
            tables = tree.expressions
            many = len(tables) != 1 or bool(tree.args.get("is_database"))
            return WholeTable(
                "TRUNCATE TABLE", tables[0], tables[0], tree, "write one statement a table" if many else ""
            )
        case exp.Alter() if tree.find(exp.AlterRename):
            actions = tree.args["actions"]
            alone = len(actions) == 1 and not tree.args.get("options")
            return WholeTable(
                "RENAME TABLE",
                tree.this,
                tree.find(exp.AlterRename).this,  # type: ignore[union-attr]
                tree,
                "" if alone else "rename it in a statement of its own",
            )
        case exp.Command() if str(tree.this).upper() == "RENAME":
            return _rename(tree)
        case _:
            return None


def _create(tree: exp.Create) -> WholeTable:
    schema = tree.this
    if not isinstance(schema, exp.Schema) or tree.args.get("expression") or tree.args.get("replace"):
        table = schema.this if isinstance(schema, exp.Schema) else schema
        return WholeTable(
            "CREATE TABLE", None, table, tree, "write its columns out: no LIKE, no AS SELECT, no OR REPLACE"
        )
    properties = tree.args.get("properties")
    odd = [
        option.sql("mysql")
        for option in (properties.expressions if properties else ())
        if not isinstance(
            option, (exp.EngineProperty, exp.CharacterSetProperty, exp.CollateProperty, exp.SchemaCommentProperty)
        )
    ]
    if odd:
        return WholeTable("CREATE TABLE", None, schema.this, tree, f"the option {odd[0]} is not supported yet")
    return WholeTable("CREATE TABLE", None, schema.this, tree)


def _rename(tree: exp.Command) -> WholeTable | None:
    """The parser leaves RENAME TABLE as it is: read as ALTER TABLE … RENAME TO, of one table."""
    words = [token.text for token in sqlglot.tokenize(str(tree.expression.name), dialect="mysql")]
    if len(words) != 4 or words[0].upper() != "TABLE" or words[2].upper() != "TO":
        return None
    names = [exp.Table(this=exp.to_identifier(words[place], quoted=True)) for place in (1, 3)]
    node = exp.Alter(this=names[0], kind="TABLE", actions=[exp.AlterRename(this=names[1])])
    return WholeTable("RENAME TABLE", names[0], names[1], node)


def name_refusal(name: str, tables: Collection[TablePlan], own: Collection[str]) -> str:
    """Why a new table cannot be called so; '' when it can."""
    lower = name.lower()
    if is_ours(name):
        return "names that begin so are Shardwright's own"
    if any(lower == (table.logical + suffix).lower() for table in tables for suffix in ("", *table.suffixes)):
        return "a table of the spec is called so"
    return "an earlier statement has made a table of that name" if lower in {other.lower() for other in own} else ""


def own_table(name: str) -> TablePlan:
    """What is known of a table of the shards' own: its name, and that nothing is copied into it."""
    return TablePlan(
        logical=name,
        weight=0,
        source=SourceTables((), (), ()),
        columns=(),
        identity=RowKey(columns=()),
        placement=CopyEverywhere(suffixes=("",)),
        ours=LedgerTables(stage=""),
    )


class OwnTables:
    """`present` at this place of the files, by name. `unclear` are logical tables that have an error elsewhere:
    nothing is said of them."""

    def __init__(self, tables: Mapping[str, TablePlan], findings: Findings, unclear: UnclearTables) -> None:
        self._tables = tables
        self._unclear = unclear
        self._findings = findings
        self.present: dict[str, TablePlan] = {}

    def change(self, file: str, ordinal: int, statement: FileStatement, found: WholeTable) -> Iterator[DdlChange]:
        """The change that a statement about a whole table is; none, and findings, where it cannot be routed."""
        goes = found.goes.name if found.goes is not None else ""
        if goes and goes not in self._tables and (self._unclear.any_name or goes in self._unclear.names):
            return
        before = len(self._findings.items)
        span = statement.span
        if found.why_not:
            self._findings.error("SW4208", f"this {found.words} cannot be routed: {found.why_not}", span)
        if is_conditional(found.node):
            self._findings.error("SW4218", "IF [NOT] EXISTS would hide the databases that differ; leave it out", span)
        if found.node.find(exp.Reference, exp.ForeignKey):
            self._findings.error("SW4209", why_no_foreign_key(found.node), span, hint=FOREIGN_KEY_HINT)
        if found.goes is not None:
            self._check_goes(found, found.goes, span)
        if found.comes is not None and (found.goes is None or found.comes.name != found.goes.name):
            self._check_comes(found.comes, span)
        if any(item.severity == "error" for item in self._findings.items[before:]):
            return
        logical = (found.goes or found.comes or exp.Table()).name
        if found.goes is not None:
            self.present.pop(found.goes.name, None)
        if found.comes is not None:
            self.present[found.comes.name] = own_table(found.comes.name)
        without_comments(found.node.walk())
        for table in (found.goes, found.comes):
            if table is not None:
                table.set("this", table_node(table.name.removesuffix("${suffix}")).this)
        sql = to_sql(found.node, "mysql")
        form = DdlForm("instant", sql)
        yield DdlChange(file, ordinal, logical, sql, found.is_destructive, form, form, own=True)

    def _check_goes(self, found: WholeTable, table: exp.Table, span: Span) -> None:
        name = table.name
        if self._has_database(table, span):
            return
        if name in self._tables:
            self._findings.error(
                "SW4220",
                f"{found.words} {name}: it holds rows of the migration, and the ledgers depend on them",
                span,
                hint="leave the table out of the spec and begin a new migration, or change it by ALTER TABLE",
            )
        elif name not in self.present:
            hint = did_you_mean(name, self.present) or "only tables that an earlier statement of these files has made"
            self._findings.error("SW4217", f"no statement before this one has made a table '{name}'", span, hint=hint)

    def _check_comes(self, table: exp.Table, span: Span) -> None:
        if self._has_database(table, span):
            return
        if why := name_refusal(table.name, tuple(self._tables.values()), self.present):
            self._findings.error("SW4221", f"a new table cannot be called '{table.name}': {why}", span)
        if len(table.name) > MAX_NAME:
            message = f"the name '{table.name}' has {len(table.name)} characters; servers allow {MAX_NAME}"
            self._findings.error("SW4005", message, span)

    def _has_database(self, table: exp.Table, span: Span) -> bool:
        if not (table.args.get("db") or table.args.get("catalog")):
            return False
        message = f"name the table '{table.name}' without a database: it is on every shard"
        self._findings.error("SW4216", message, span)
        return True
