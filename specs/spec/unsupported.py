"""Features that a spec can state and this version does not execute: each is refused by name, none is ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shardwright.specs.findings.diagnostics import Diagnostic
from shardwright.specs.findings.span import Path
from shardwright.specs.shape.shape import lies_within
from shardwright.specs.spec.model import Spec, TableSpec

_Refusal = tuple[str, str, Path]


def unsupported(spec: Spec, malformed: frozenset[Path] = frozenset()) -> tuple[Diagnostic, ...]:
    """One finding for every feature the spec uses that is not executed yet, except at malformed places."""
    found = [refusal for table in spec.tables for look in _OF_TABLE for refusal in look(table)]
    return tuple(
        Diagnostic(code, f"{what} not supported yet", spec.span_of(path))
        for code, what, path in found
        if not lies_within(path, malformed)
    )


def _salts(table: TableSpec) -> Iterator[_Refusal]:
    for mask in table.columns.mask:
        if mask.salted:
            yield "SW2137", f"a salt for the mask of column '{mask.name}' is", (*mask.path, "salt")


def _key_collisions(table: TableSpec) -> Iterator[_Refusal]:
    if table.on_key_collision != "refuse":
        yield "SW1911", f"on_key_collision '{table.on_key_collision}' is", (*table.path, "on_key_collision")


_OF_TABLE: tuple[Callable[[TableSpec], Iterator[_Refusal]], ...] = (
    _salts,
    _key_collisions,
)
