"""What each kind of server is given of a change: its statement with the ALGORITHM and LOCK of its class, or its clauses
for a tool that copies a table beside its writers.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.ddl.alter.cost import Way, way_of
from shardwright.compiler.ddl.alter.options import Manner
from shardwright.compiler.ddl.alter.read import AlterTable, parse_alter
from shardwright.compiler.plan.plan import DdlForm
from shardwright.compiler.sql.sql_text import to_sql


def forms_of(alter: AlterTable, *, used: frozenset[str] = frozenset()) -> tuple[DdlForm, DdlForm]:
    """What MySQL gets and what MariaDB gets for a checked statement. `used`: columns, in lower case, that an index, a
    check or a generated column may name."""
    costs = alter.costs(used)
    written = way_in_file(alter.tree)
    made = []
    for ruled in (way_of(costs, mariadb=False), way_of(costs, mariadb=True)):
        way = ruled if written is None else _as_written(written, ruled)
        made.append(DdlForm(way.ddl_class, to_sql(apply_way(alter.tree, way), "mysql")))
    return made[0], made[1]


def way_in_file(tree: exp.Alter) -> Way | None:
    """The way that a file names itself; None when it names neither algorithm nor lock, '' for the one it leaves
    open."""
    named = {type(option): option.name.upper() for option in reversed(tree.args.get("options") or ())}
    algorithm, lock = named.get(exp.AlgorithmProperty), named.get(exp.LockProperty)
    return Way(algorithm or "", lock) if algorithm or lock else None


def _as_written(written: Way, ruled: Way) -> Way:
    """What is written stands; the rest is filled in, so that the server refuses what would be heavier."""
    if not written.algorithm:
        # MySQL takes no lock beside INSTANT, and what is instant can be done in place.
        algorithm = "INPLACE" if ruled.algorithm == "INSTANT" and written.lock != "DEFAULT" else ruled.algorithm
        return Way(algorithm, written.lock)
    if written.lock or written.algorithm not in ("NOCOPY", "INPLACE"):
        return written
    return Way(written.algorithm, ruled.lock if ruled.ddl_class == "blocking" else "NONE")


def apply_way(tree: exp.Alter, way: Way) -> exp.Alter:
    """The statement with the clauses of `way` instead of those it has, as a copy."""
    asked = tree.copy()
    ways = (exp.AlgorithmProperty, exp.LockProperty)
    others = [option for option in asked.args.get("options") or () if not isinstance(option, ways)]
    clauses: list[exp.Expr] = [exp.AlgorithmProperty(this=exp.Var(this=way.algorithm))]
    if way.lock:
        clauses.append(exp.LockProperty(this=exp.Var(this=way.lock)))
    asked.set("options", [*others, *clauses])
    return asked


def alter_clauses(statement: str) -> str:
    """For such a tool: what follows `ALTER TABLE name`, without ALGORITHM and LOCK, printed from the tree. Raises
    ValueError when that does not parse back to the same tree (a bug: SW9001)."""
    alter = _alter(statement)
    plain = alter.with_clauses(clause for clause in alter.clauses if not isinstance(clause, Manner))
    text = ", ".join(clause.print_sql() for clause in plain.clauses)
    again = _alter(f"ALTER TABLE `t` {text}")
    if (
        _alter(plain.with_clauses(plain.clauses, table=again.tree.this).tree.sql("mysql", identify=True)).tree
        != again.tree
    ):
        raise ValueError(f"SW9001: clauses do not parse back to themselves:\n{text}\n--\n{statement}")
    return text


def why_no_tool(statement: str) -> str:
    """Why no such tool gets the statement, in words; empty when one may."""
    return next(filter(None, (clause.why_no_tool() for clause in _alter(statement).clauses)), "")


def _alter(statement: str) -> AlterTable:
    alter = parse_alter(statement)
    if alter is None:
        raise ValueError(f"SW9001: no ALTER TABLE:\n{statement}")
    return alter
