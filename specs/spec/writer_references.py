"""What a spec says of two sides that write: do its parts need each other, and is each heeded?"""

from __future__ import annotations

from shardwright.specs.findings.diagnostics import Diagnostic, Path
from shardwright.specs.spec.model import Spec, TableConflicts
from shardwright.specs.spec.table_references import Found


def writers_have_buckets(spec: Spec) -> Found:
    """Where each row has one writer, a bucket says which."""
    two_way = spec.two_way
    if two_way is None or spec.both_write:
        return
    if spec.sharding and all(rule.buckets is None for rule in spec.sharding.values()):
        path: Path = (*two_way.path, "writers")
        message = "each bucket would have one writer, and no sharding rule has buckets"
        yield path, Diagnostic("SW2081", message, spec.span_of(path), hint="write buckets: 1024 into each rule")


def conflicts_have_two_writers(spec: Spec) -> Found:
    """Rows with one writer have no conflicts to decide."""
    if spec.both_write:
        return
    paths: list[Path] = [
        entry.conflicts.path for entry in spec.tables if entry.conflicts != TableConflicts(entry.conflicts.path)
    ]
    if spec.two_way is not None and spec.two_way.conflicts is not None:
        paths.append((*spec.two_way.path, "conflicts"))
    for path in paths:
        message = "each row has one writer, so there is no conflict to decide"
        hint = "leave it out, or let both sides write: two_way: {writers: both}"
        yield path, Diagnostic("SW2082", message, spec.span_of(path), hint=hint)
