"""IF [NOT] EXISTS in a DDL file: decided when the file is compiled, by what the table has at that place of the files.

The statement that goes to the shards has no condition, so a physical table that differs is found rather than hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Clause
from shardwright.compiler.ddl.alter.read import AlterTable
from shardwright.compiler.ddl.alter.routing import Routing
from shardwright.compiler.ddl.routing.catching_up import part_names

_CODE = "SW4218"


def decide_conditions(alter: AlterTable, routing: Routing, now: Callable[[], exp.Create | None]) -> AlterTable | None:
    """A statement with conditions, without the clauses that would do nothing. None, with a finding, where nothing is
    left or where it is not known what the table has; `now` gives the table before it."""
    conditional = [clause for clause in alter.clauses if clause.is_conditional]
    table = now()
    if table is None:
        routing.error(_CODE, "IF EXISTS, and it is not known what the table has here; leave the words out")
        return None
    times = Counter(named for clause in alter.clauses for named in clause.names())
    if any(times[named] > 1 for clause in conditional for named in clause.names()):
        message = "IF EXISTS, and another clause of the same statement has that name, too: write two statements"
        routing.error(_CODE, message)
        return None
    there = frozenset(part_names(table))
    idle = [_why_idle(clause, there) if clause.is_conditional else "" for clause in alter.clauses]
    kept = [clause for clause, why in zip(alter.clauses, idle, strict=True) if not why]
    if not kept:
        routing.error(_CODE, f"nothing is to be done: {'; '.join(filter(None, idle))}", "leave it out")
        return None
    return alter.with_clauses(kept)


def _why_idle(clause: Clause, there: Collection[tuple[str, str]]) -> str:
    """Why the clause would do nothing where the table has what is `there`."""
    subject = clause.subject()
    if subject is None:
        return ""
    kind, name = subject
    kinds = (kind, "index") if kind == "check" and clause.verb else (kind,)  # DROP CONSTRAINT takes a key, too
    is_there = any((kind, name.lower()) in there for kind in kinds)
    if clause.verb:
        return "" if is_there else f"the table has no {kind} '{name}'"
    return f"the table has the {kind} '{name}' already" if is_there else ""
