"""What does a repair amount to, as statements for review? Each can be run as it stands, on the shard whose database it
names. One that cannot is a comment, which says why: a long value is known by its length and hash alone, or no server
computes where the row goes.

Runs in the driver; reads single rows of both sides. These statements are never executed here: the run's own batch does
the repair, with all its checks (see `hand_over`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sqlglot import exp

from shardwright.compiler.plan.plan import CopiedColumn, Plan, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.verify.answers import RowHash
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import KeyState, Naming, row_values
from shardwright.runtime.verify.repair.plan_repairs import Repair
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.source_end import SourceEnd
from shardwright.specs.findings.render import visible

Values = Sequence[str | None]


FIRST: Final = "SET time_zone = '+00:00';"
"""Before the statements of every connection: the values of TIMESTAMP columns are shown in this zone."""
_LONG_VALUE: Final = re.compile(r"\d+ bytes, SHA-256 [0-9a-f]{64}")


def statements(plan: Plan, table: TablePlan, repair: Repair, sessions: Sessions) -> Iterator[str]:
    """One comment line and the statements of each place, each ended by a semicolon."""
    source = SourceEnd(plan, table, sessions)
    for state, target in repair.wrong.found:
        kinds = " and ".join(repair.kinds)
        yield f"-- {visible(table.logical)} ({', '.join(map(visible, repair.wrong.key))}): {kinds}"
        naming = Naming(table, source, target, sessions)
        for tree in _of(table, repair.wrong.key, state, naming):
            text = f"{tree.sql(dialect='mysql', identify=True)};"
            why = _no_statement(tree)
            yield text if why is None else "\n".join(f"-- {line}" for line in (f"{why}:", *text.splitlines()))


def _no_statement(tree: exp.Expr) -> str | None:
    if any(_LONG_VALUE.fullmatch(value.name) for value in tree.find_all(exp.Literal)):
        return "not to be run, a long value is shown by its length and hash"
    if isinstance(tree, exp.Insert) and not tree.this.this.db:
        return "not to be run, the run computes which physical table it is"
    return None


def _of(table: TablePlan, key: Key, state: KeyState, naming: Naming) -> Iterator[exp.Expr]:
    sessions = naming.sessions
    wanted = row_values(state.source[0], key, sessions) if state.source else None
    is_right = False
    for held in state.target:
        here = held.misplaced or wanted is None or len(state.target) > 1
        if here:
            yield exp.Delete(this=_name(held.place), where=exp.Where(this=_same(table, key)))
            continue
        is_right = True
        yield from _update(table, key, held, wanted, sessions)
    if wanted is not None and not is_right:
        yield _insert(table, wanted, naming.right_place(key, state))


def _update(table: TablePlan, key: Key, held: RowHash, wanted: Values | None, sessions: Sessions) -> Iterator[exp.Expr]:
    found = row_values(held, key, sessions)
    if wanted is None or found is None:
        return
    changed = [
        exp.EQ(this=sql.column(column.target), expression=_value(one, column))
        for column, one, other in zip(table.columns, wanted, found, strict=True)
        if one != other
    ]
    if changed:
        yield exp.Update(this=_name(held.place), expressions=changed, where=exp.Where(this=_same(table, key)))


def _insert(table: TablePlan, wanted: Values, place: str | None) -> exp.Expr:
    """Into the logical table where its place is not known."""
    columns = [sql.identifier(column.target) for column in table.columns]
    into = exp.Schema(this=sql.table(table.logical) if place is None else _name(place), expressions=columns)
    row = exp.Tuple(expressions=[_value(v, column) for v, column in zip(wanted, table.columns, strict=True)])
    return exp.Insert(this=into, expression=exp.Values(expressions=[row]))


def _name(place: str) -> exp.Table:
    database, _, table = place.partition(".")
    return exp.Table(this=sql.identifier(table), db=sql.identifier(database))


def _same(table: TablePlan, key: Key) -> exp.Expr:
    return exp.and_(
        *(exp.EQ(this=sql.column(name), expression=sql.text(part)) for name, part in zip(table.key, key, strict=True))
    )


def _value(value: str | None, column: CopiedColumn) -> exp.Expr:
    """As a literal. Bytes are shown as hexadecimal digits, and the text of a BIT is its number."""
    if value is None:
        return exp.Null()
    if _LONG_VALUE.fullmatch(value):
        return sql.text(value)
    if column.type.is_bytes:
        return exp.HexString(this=value) if value else sql.text("")
    return exp.Literal.number(value) if column.type.name == "bit" else sql.text(value)
