"""Numbered DDL files: new ones, and files that may have been routed already and say something else now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.plan import DdlChange, with_suffix
from shardwright.compiler.review.difference.changes import Change, DdlAdded, DdlRewritten


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
