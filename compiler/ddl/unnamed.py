"""Names for the keys and checks of a routed statement that have none: the same on every physical table, so that a
resumed apply finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from shardwright.compiler.sql.named_columns import columns_in

Taken = Callable[[], Iterable[str]]
"""Returns the names that the table's keys, or its checks, have already, in lower case."""


def name_keys(tree: exp.Expr, taken: Taken) -> None:
    """Gives each new key without a name the one that servers give it where that is free: its first column's."""
    names: set[str] = set()
    for element in tree.find_all(exp.UniqueColumnConstraint, exp.IndexColumnConstraint):
        holder = element.this if isinstance(element, exp.UniqueColumnConstraint) else element
        if not isinstance(holder, exp.Expr) or holder.this or not holder.expressions:
            continue
        first = holder.expressions[0]
        plain = first.this if isinstance(first, exp.Ordered) else first
        is_column = isinstance(plain, (exp.Column, exp.ColumnPrefix, exp.Identifier))
        names = names or {*taken(), "primary"}
        if is_column and plain.name.lower() not in names:
            names.add(plain.name.lower())
            holder.set("this", exp.to_identifier(plain.name, quoted=True))


def name_checks(tree: exp.Expr, table: str, taken: Taken) -> None:
    """Gives each new check without a name one of the table and the check's first column, where that is free. MySQL has
    the names of checks once in a database, and servers number those without a name, each in its own way."""
    names: set[str] | None = None
    for action in tree.args.get("actions") or ():
        for element in action.expressions if isinstance(action, exp.AddConstraint) else ():
            column = next(columns_in(element), None) if isinstance(element, exp.CheckColumnConstraint) else None
            if column is None:
                continue
            names = {*taken()} if names is None else names
            name = f"{table}_{column.name}_check"
            if name.lower() not in names:
                names.add(name.lower())
                named = exp.Constraint(this=exp.to_identifier(name, quoted=True), expressions=[element.copy()])
                element.replace(named)
