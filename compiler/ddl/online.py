"""What a tool that copies a table beside its writers is given of a change: the clauses of its ALTER TABLE; and which
clauses no such tool can be trusted with.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.sql.character_sets import converted_to
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.printer import generator_class

_HOW = (exp.AlgorithmProperty, exp.LockProperty)


def alter_clauses(statement: str) -> str:
    """What follows `ALTER TABLE name`, without ALGORITHM and LOCK, printed from the tree. Raises ValueError when
    that does not parse back to the same tree (a bug: SW9001)."""
    tree = _alter(statement)
    printer = generator_class("mysql")(dialect="mysql", identify=True)
    clauses = [
        printer.add_column_sql(action) if isinstance(action, exp.ColumnDef) else action.sql("mysql", identify=True)
        for action in tree.args.get("actions") or ()
    ]
    options = [option for option in tree.args.get("options") or () if not isinstance(option, _HOW)]
    text = ", ".join([*clauses, *(option.sql("mysql", identify=True) for option in options)])
    again = _alter(f"ALTER TABLE `t` {text}")
    tree.set("options", options or None)
    tree.set("this", again.this)
    if _alter(tree.sql("mysql", identify=True)) != again:
        raise ValueError(f"SW9001: clauses do not parse back to themselves:\n{text}\n--\n{statement}")
    return text


def unsuited(statement: str) -> str:
    """Why no such tool gets the statement, in words; empty when one may. Both tools copy rows with INSERT IGNORE, so a
    new unique key would lose rows; both tell rows apart by a key; and both guess from the text which column was
    renamed."""
    tree = _alter(statement)
    for action in tree.args.get("actions") or ():
        match action:
            case exp.Command() if converted_to(action) is not None:
                return "it converts texts, and the tools silently leave out rows that collide in a unique key then"
            case exp.DropPrimaryKey():
                return "it changes the primary key, by which the tools distinguish rows"
            case exp.Drop() if str(action.args["tables"][0].name).upper() == "PRIMARY":
                return "it changes the primary key, by which the tools distinguish rows"
            case exp.RenameColumn():
                return "it renames a column, which the tools guess from the text: rename it in a statement of its own"
            case exp.ModifyColumn() if _old_name(action).lower() != action.this.name.lower():
                return "it renames a column, which the tools guess from the text: rename it in a statement of its own"
            case _:
                pass
        if action.find(exp.UniqueColumnConstraint, exp.PrimaryKey, exp.PrimaryKeyColumnConstraint):
            return "it adds a unique key, and the tools silently leave out rows that collide in it"
        if action.find(exp.Reference, exp.ForeignKey):
            return "it adds a foreign key"
    return ""


def _old_name(action: exp.ModifyColumn) -> str:
    return str((action.args.get("rename_from") or action.this.this).name)


def _alter(statement: str) -> exp.Alter:
    tree = parse_sql(statement)
    if not isinstance(tree, exp.Alter):
        raise ValueError(f"SW9001: no ALTER TABLE:\n{statement}")
    return tree
