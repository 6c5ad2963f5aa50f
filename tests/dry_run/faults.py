"""A fault planted into a compiled plan, as if the compiler had written it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shardwright.compiler.plan.plan import EVERY_TABLE, Plan, StepName


@dataclass(frozen=True)
class Fault:
    """`right` becomes `wrong` in that step's statement (the first one, or `statement`); `code` is how it is found."""

    table: str
    step: StepName
    right: str
    wrong: str
    code: str = "SW8704"
    statement: str = ""

    def is_named_in(self, message: str) -> bool:
        """By the file of the table, or by that of every table and the table's name."""
        file = self.step.file_name
        return f" {self.table}/{file}:" in message or f" {file}, table {self.table}:" in message

    def plant(self, plan: Plan) -> Plan:
        """Only the faulty table is left in the plan, which is quicker."""
        step = plan.step(self.table, self.step)
        right = next(each for each in step.statements if self.statement in ("", each.name))
        assert self.right in right.sql, right.sql
        faulty = replace(right, sql=right.sql.replace(self.right, self.wrong))
        statements = tuple(faulty if each is right else each for each in step.statements)
        steps = [replace(each, statements=statements) if each is step else each for each in plan.steps]
        own = tuple(step for step in steps if step.table in (self.table, EVERY_TABLE))
        return replace(plan, tables=(plan.table(self.table),), steps=own)
