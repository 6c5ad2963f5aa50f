"""Statements about a table as a whole: CREATE, DROP, RENAME, TRUNCATE. They are for tables of the shards' own, which no spec names and
which stand once in each database; the migration's tables are made by `run`, and its rows stand in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan.plan import TablePlan

_RESERVED = ("_sw_", "_shardwright")


@dataclass(frozen=True, slots=True)
class WholeTable:
    """`goes` and `comes` are tables that are there before and after; TRUNCATE has the same in both. `why_not` says what cannot be
    routed about it. `words` are the verb."""

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


def refused_name(name: str, tables: Collection[TablePlan], own: Collection[str]) -> str:
    """Why a new table cannot be called so; '' when it can."""
    lower = name.lower()
    if lower.startswith(_RESERVED):
        return "names that begin so are those of Shardwright's bookkeeping"
    if any(lower == (table.logical + suffix).lower() for table in tables for suffix in ("", *table.suffixes)):
        return "a table of the spec is called so"
    return "an earlier statement has made a table of that name" if lower in {other.lower() for other in own} else ""


def own_table(name: str) -> TablePlan:
    """What is known of a table of the shards' own: its name, and that nothing is copied into it."""
    return TablePlan(
        logical=name,
        source_databases=(),
        source_tables=(),
        source_columns=(),
        columns=(),
        key=(),
        unique_keys=(),
        weight=0,
        distribution="broadcast",
        database=None,
        suffixes=("",),
        shard_key=(),
        delete_policy="immediate",
        stop_above=None,
        version_column=None,
        stage_table="",
        tombstone_table="",
        park_table="",
        owner_table=None,
        event_groups=(),
        events_table=None,
    )
