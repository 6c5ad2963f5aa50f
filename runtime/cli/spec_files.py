"""The files that a spec names: its schema file, its DDL folder, the lookup tables and conformance vectors of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from shardwright.runtime.cli.project import Project
from shardwright.specs.diagnostics import Diagnostic, SpecError
from shardwright.specs.model import ShardingRule, Spec
from shardwright.specs.sound_parts import names_its_schema
from shardwright.specs.span import Path


@dataclass(frozen=True, slots=True)
class SpecFiles:
    """`spec` names the files as findings shall name them, and has a fault for each that could not be read. `schema` is the
    schema file's text; `ddl` and `rule_files` are texts by name, and `texts` those of all files."""

    spec: Spec
    schema: str
    ddl: Mapping[str, str]
    rule_files: Mapping[str, str]
    texts: Mapping[str, str]
    findings: tuple[Diagnostic, ...]


def read_files(project: Project, spec: Spec) -> SpecFiles:
    """All that can be read, and why the others cannot. A path that has an error in the spec is not looked at."""
    faults: list[Path] = []
    findings: list[Diagnostic] = []
    schema: dict[str, str] = {}
    ddl: dict[str, str] = {}
    schema_file = project.shown(project.root / spec.source.schema)
    if names_its_schema(spec):
        try:
            schema[schema_file] = project.read_text(spec.source.schema, spec=spec, key="schema")
        except SpecError as error:
            findings += error.diagnostics
            faults.append(("source", "schema"))
    if not spec.faults.touch("ddl"):
        try:
            ddl.update(project.ddl_files(spec))
        except SpecError as error:
            findings += error.diagnostics
            faults.append(("ddl",))
    rule_files = _rule_files(project, spec, faults, findings)
    rules = {name: _shown(project, rule) for name, rule in spec.sharding.items()}
    named = replace(
        spec,
        source=replace(spec.source, schema=schema_file),
        sharding=rules,
        faults=spec.faults.and_at(faults),
    )
    texts = {**schema, **ddl, **rule_files}
    return SpecFiles(named, schema.get(schema_file, ""), ddl, rule_files, texts, tuple(findings))


def _rule_files(project: Project, spec: Spec, faults: list[Path], findings: list[Diagnostic]) -> Mapping[str, str]:
    texts: dict[str, str] = {}
    for path, file in spec.rule_files():
        if spec.faults.touch(*path):
            continue
        place = project.root / file
        try:
            texts[project.shown(place)] = place.read_text(encoding="utf-8")
            continue
        except OSError as error:
            message = f"cannot read {file}: {error.strerror}"
        except UnicodeDecodeError:
            message = f"{file} is not UTF-8 text"
        findings.append(Diagnostic("SW2120", message, spec.span_of(path)))
        faults.append(path)
    return texts


def _shown(project: Project, rule: ShardingRule) -> ShardingRule:
    vectors = None if rule.vectors is None else project.shown(project.root / rule.vectors)
    file = rule.lookup_file
    options = rule.options if file is None else {**rule.options, "file": project.shown(project.root / file)}
    return replace(rule, vectors=vectors, options=options)
