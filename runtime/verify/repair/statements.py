"""What does a repair amount to, as statements for review? Rows appear as `verify` shows them, long values by their
length and hash.

Runs in the driver; reads single rows of both sides. These statements are never executed: the run's own batch does the
repair, with all its checks (see `hand_over`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.verify.answers import Held
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import KeyState, row_values
from shardwright.runtime.verify.repair.plan_repairs import Repair
from shardwright.runtime.verify.sessions import Sessions
from shardwright.specs.findings.render import visible

Values = Sequence[str | None]


def statements(table: TablePlan, repair: Repair, sessions: Sessions) -> Iterator[str]:
    """One comment line and the statements of each place, each ended by a semicolon."""
    for state in repair.wrong.states:
        kinds = " and ".join(repair.kinds)
        yield f"-- {visible(table.logical)} ({', '.join(map(visible, repair.wrong.key))}): {kinds}"
        for tree in _of(table, repair.wrong.key, state, repair, sessions):
            yield f"{tree.sql(dialect='mysql', identify=True)};"


def _of(table: TablePlan, key: Key, state: KeyState, repair: Repair, sessions: Sessions) -> Iterator[exp.Expr]:
    wanted = row_values(state.source[0], key, sessions) if state.source else None
    stands_right = False
    for held in state.target:
        here = held.misplaced or wanted is None or len(state.target) > 1
        if here:
            yield exp.Delete(this=_name(held.place), where=exp.Where(this=_same(table, key)))
            continue
        stands_right = True
        yield from _update(table, key, held, wanted, sessions)
    if wanted is not None and not stands_right:
        yield _insert(table, wanted)


def _update(table: TablePlan, key: Key, held: Held, wanted: Values | None, sessions: Sessions) -> Iterator[exp.Expr]:
    found = row_values(held, key, sessions)
    if wanted is None or found is None:
        return
    changed = [
        exp.EQ(this=sql.column(column.target), expression=_value(one))
        for column, one, other in zip(table.columns, wanted, found, strict=True)
        if one != other
    ]
    if changed:
        yield exp.Update(this=_name(held.place), expressions=changed, where=exp.Where(this=_same(table, key)))


def _insert(table: TablePlan, wanted: Values) -> exp.Expr:
    """Into the logical table: the run decides which physical one it is."""
    columns = [sql.identifier(column.target) for column in table.columns]
    into = exp.Schema(this=sql.table(table.logical), expressions=columns)
    row = exp.Tuple(expressions=[_value(value) for value in wanted])
    return exp.Insert(this=into, expression=exp.Values(expressions=[row]))


def _name(place: str) -> exp.Table:
    database, _, table = place.partition(".")
    return exp.Table(this=sql.identifier(table), db=sql.identifier(database))


def _same(table: TablePlan, key: Key) -> exp.Expr:
    return exp.and_(
        *(exp.EQ(this=sql.column(name), expression=sql.text(part)) for name, part in zip(table.key, key, strict=True))
    )


def _value(value: str | None) -> exp.Expr:
    return exp.Null() if value is None else sql.text(value)
