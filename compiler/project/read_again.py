"""Does every statement of a plan parse back to itself? Compiling does not ask, because it takes far longer than
compiling; `dry-run` does, `compile --reread` does, and so do the tests for plans of all kinds.
"""

from __future__ import annotations

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.sql_text import check_sql


def read_again(plan: Plan) -> int:
    """How many statements were read. Raises ValueError (a bug: SW9001) for one that reads as something else."""
    count = 0
    for step in plan.steps:
        for statement in step.texts:
            check_sql(statement.sql, step.name.dialect)
            count += 1
    for change in plan.ddl:
        forms = (form.statement for form in (change.mysql, change.mariadb) if form is not None)
        for text in (change.template, *forms):
            check_sql(text, "mysql")
            count += 1
    return count + (read_again(plan.backward) if plan.backward is not None else 0)
