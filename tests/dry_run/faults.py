"""A fault planted into a compiled plan, as if the compiler had written it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shardwright.compiler.plan.plan import Plan, StepName


@dataclass(frozen=True)
class Fault:
    """`right` becomes `wrong` in that step's statement; `code` is how it is found."""

    table: str
    step: StepName
    right: str
    wrong: str
    code: str = "SW8704"

    def plant(self, plan: Plan) -> Plan:
        """Only the faulty table is left in the plan, which is quicker."""
        step = plan.step(self.table, self.step)
        statement = step.statements[0]
        assert self.right in statement.sql, statement.sql
        faulty = replace(statement, sql=statement.sql.replace(self.right, self.wrong))
        steps = [replace(each, statements=(faulty,)) if each is step else each for each in plan.steps]
        return replace(plan, tables=(plan.table(self.table),), steps=tuple(s for s in steps if s.table == self.table))
