"""Reads a migration spec: text in, the typed model out, or every finding at once. Features that a spec can state and
this version does not execute are refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Path, SpecError
from shardwright.specs.shape.shape import check_shape, lies_within
from shardwright.specs.spec.build import build_spec
from shardwright.specs.spec.cross_references import check_references
from shardwright.specs.spec.model import Spec, TableSpec
from shardwright.specs.spec.settings import check_stream_options
from shardwright.specs.yaml.source import YamlSource, parse_yaml, read_yaml

_Refusal = tuple[str, str, Path]


def find_unsupported(spec: Spec, malformed: frozenset[Path] = frozenset()) -> tuple[Diagnostic, ...]:
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
    if table.on_key_collision == "first_source":
        yield "SW1911", f"on_key_collision '{table.on_key_collision}' is", (*table.path, "on_key_collision")


_OF_TABLE: tuple[Callable[[TableSpec], Iterator[_Refusal]], ...] = (
    _salts,
    _key_collisions,
)


def read_spec(path: str, *, root: str | None = None) -> Spec:
    """The spec in a file, which has to stand in the project `root`, links followed; None: the operator named it, and it
    may stand anywhere. Raises SpecError with all findings; their places name the file as given here."""
    findings = Findings()
    return _require_sound(draft_in_file(path, findings, root=root), findings)


def parse_spec(text: str, file: str) -> Spec:
    """The spec in a text, as if it stood in `file`. Raises SpecError with all findings."""
    findings = Findings()
    return _require_sound(_check_and_build(parse_yaml(text, file, findings), findings), findings)


def draft_in_file(path: str, findings: Findings, *, root: str | None = None) -> Spec | None:
    """The spec in a file (`root` as above), be it with errors: what these leave in doubt stands in its `faults`. None
    when the file is no YAML at all."""
    return _check_and_build(read_yaml(path, findings, root=root), findings)


def _require_sound(draft: Spec | None, findings: Findings) -> Spec:
    if draft is None or findings.has_errors:
        raise SpecError(findings.items)
    return draft


def _check_and_build(source: YamlSource | None, findings: Findings) -> Spec | None:
    if source is None:
        return None
    malformed = check_shape(source, "spec", findings)
    spec = build_spec(source, findings)
    contradictory = check_references(spec, malformed, findings)
    check_stream_options(source, spec.source.stream, malformed, findings=findings)
    findings.items.extend(find_unsupported(spec, malformed))
    return replace(spec, faults=spec.faults.and_at(malformed | contradictory | source.incomplete))
