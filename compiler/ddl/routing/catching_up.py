"""Which changes lead an older table to what the plan's CREATE TABLE says by now?

An `ALTER TABLE … ADD COLUMN` of a column that the plan's own CREATE TABLE has catches up: a table that was made by that
CREATE TABLE does not need it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Named
from shardwright.compiler.ddl.alter.options import Manner
from shardwright.compiler.ddl.alter.read import AlterTable
from shardwright.compiler.ddl.shape.rewrite import SUFFIX
from shardwright.compiler.ddl.shape.table_edit import NotCalculable
from shardwright.compiler.ddl.shape.table_shape import Shape, read_create, shape_of
from shardwright.compiler.plan.plan import Step, StepName


def catches_up(alter: AlterTable, create: exp.Create | None, added: Collection[Named]) -> bool:
    """Whether each clause of a statement, as written, brings about what `create`, the plan's CREATE TABLE, says
    already. `added`: what earlier changes have added to the table."""
    if create is None:
        return False
    effects = list(alter.effects())
    made = {effect.kind_and_name for effect in effects if effect.present}
    known = {*part_names(create), *added}
    for clause in alter.clauses:
        replaced = made if clause.verb == "drop" else frozenset[Named]()
        if any(not effect.present and effect.kind_and_name in known - replaced for effect in clause.effects()):
            return False
    trial = create.copy()
    try:
        for clause in alter.clauses:
            clause.restate(trial)
    except NotCalculable:
        return False
    is_empty = all(isinstance(clause, Manner) for clause in alter.clauses)
    return not is_empty and _shape(trial) == _shape(create)


def creates_of(steps: Iterable[Step]) -> dict[str, exp.Create]:
    """The CREATE TABLE of each logical table, as far as it is understood again."""
    texts = {step.table: step.statements[0].sql for step in steps if step.name == StepName.CREATE_TABLE}
    found = {logical: read_create(text) for logical, text in texts.items()}
    return {logical: tree for logical, tree in found.items() if tree is not None}


def part_names(table: exp.Create) -> Iterable[tuple[str, str]]:
    """Kinds and names, in lower case, of the parts that a table has."""
    return _shape(table)


def _shape(table: exp.Create) -> Shape:
    return shape_of(table, suffix=SUFFIX, defaults={})
