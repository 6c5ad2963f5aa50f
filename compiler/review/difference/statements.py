"""Statements before and after: numbered DDL files (new ones, and files that may have been routed already), and the
SQL of every step.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.plan import DdlChange, Plan, Step, with_suffix
from shardwright.compiler.review.difference.changes import Change, DdlAdded, DdlRewritten, SqlChanged


def ddl_changes(before: Sequence[DdlChange], after: Sequence[DdlChange]) -> Iterator[Change]:
    for file in dict.fromkeys(change.file for change in (*before, *after)):
        old = [change for change in before if change.file == file]
        new = [change for change in after if change.file == file]
        if not old:
            for change in new:
                shown = " ".join(with_suffix(change.template, "").split())
                yield DdlAdded(change.logical, file, shown, change.destructive, _weight(change))
        elif [change.template for change in old] != [change.template for change in new]:
            yield DdlRewritten(old[0].logical, file, gone=not new)


def _weight(change: DdlChange) -> str:
    mysql, mariadb = change.form(mariadb=False), change.form(mariadb=True)
    classes = [form.ddl_class.replace("_", " ") for form in (mysql, mariadb) if form is not None]
    if len(set(classes)) <= 1:
        return "".join(classes[:1])
    return f"{classes[0]} on MySQL, {classes[1]} on MariaDB"


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
    return [line for item in step.texts for line in (f"-- {item.name}", *f"{item.sql};".splitlines())]
