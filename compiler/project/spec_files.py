"""The files that a spec names: its schema file, its DDL folder, the lookup tables and conformance vectors of its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from shardwright.compiler.project.project import Project
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.findings.span import Path
from shardwright.specs.spec.model import ShardingRule, Spec


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

    def read(at: Path, texts: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
        if spec.faults.touch(*at):
            return {}
        try:
            return texts()
        except SpecError as error:
            findings.extend(error.diagnostics)
            faults.append(at)
            return {}

    def one(at: Path, file: str) -> Mapping[str, str]:
        return read(at, lambda: {project.shown(project.root / file): project.read_text(file, spec=spec, at=at)})

    schema = one(("source", "schema"), spec.source.schema)
    ddl = read(("ddl",), lambda: project.ddl_files(spec))
    rule_files: dict[str, str] = {}
    for path, file in spec.rule_files():
        rule_files |= one(path, file)
    schema_file = project.shown(project.root / spec.source.schema)
    named = replace(
        spec,
        source=replace(spec.source, schema=schema_file),
        sharding={name: _shown(project, rule) for name, rule in spec.sharding.items()},
        faults=spec.faults.and_at(faults),
    )
    texts = {**schema, **ddl, **rule_files}
    return SpecFiles(named, schema.get(schema_file, ""), ddl, rule_files, texts, tuple(findings))


def _shown(project: Project, rule: ShardingRule) -> ShardingRule:
    vectors = None if rule.vectors is None else project.shown(project.root / rule.vectors)
    file = rule.lookup_file
    options = rule.options if file is None else {**rule.options, "file": project.shown(project.root / file)}
    return replace(rule, vectors=vectors, options=options)
