"""The SQL of every step as it was and as it is, step by step."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from shardwright.compiler.plan.plan import Plan, Step
from shardwright.compiler.review.difference.changes import Change, SqlChanged


def sql_changes(before: Plan, after: Plan, logical: str) -> Iterator[Change]:
    old = {step.name: step for step in before.steps if step.table == logical}
    new = {step.name: step for step in after.steps if step.table == logical}
    for name in sorted(old.keys() | new.keys()):
        lines = list(difflib.unified_diff(_lines(old.get(name)), _lines(new.get(name)), lineterm="", n=2))
        text = "\n".join(lines[2:])  # without the two headings, which would name files
        if text:
            yield SqlChanged(logical, name.value, text)


def _lines(step: Step | None) -> list[str]:
    if step is None:
        return []
    return [line for item in step.statements for line in (f"-- {item.name}", *f"{item.sql};".splitlines())]
