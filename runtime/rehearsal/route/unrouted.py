"""Tables without a sharding function of their own, in words and as data: every key of theirs has the same answer."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.compiler.plan.summary import few
from shardwright.runtime.rehearsal.route.subject import Subject


def in_words(about: Subject) -> str:
    table = about.table
    if table.parent is not None:
        parent, via = table.parent.parent, ", ".join(table.parent.via)
        return (
            f"{table.logical}  placed through its parent '{parent}': a row stands where the row of '{parent}' stands that "
            f"its {via} names; ask for the shard key of '{parent}'"
        )
    if table.distribution == "single":
        return f"{table.logical}  whole in one database: {about.places()[0]}"
    return f"{table.logical}  a copy in every database, whatever the key: {few(about.places())}"


def as_data(about: Subject) -> Mapping[str, object]:
    """`places` is empty for a table that is placed through its parent: its own columns do not say."""
    parent = about.table.parent
    return {
        "table": about.table.logical,
        "distribution": "parent" if parent else about.table.distribution,
        "places": [] if parent else list(about.places()),
        "parent": {"table": parent.parent, "via": list(parent.via)} if parent else None,
    }
