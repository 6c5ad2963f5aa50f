"""The CSV files that sharding rules name: lookup tables and conformance vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shardwright.runtime.cli.project import Project
from shardwright.specs.diagnostics import Diagnostic, SpecError
from shardwright.specs.model import ShardingRule, Spec


def with_rule_files(project: Project, spec: Spec) -> tuple[Spec, Mapping[str, str]]:
    """The spec with these files named as findings shall name them, and their texts by that name. Raises SpecError for
    all that cannot be read."""
    texts: dict[str, str] = {}
    findings: list[Diagnostic] = []
    for path, file in spec.rule_files():
        place = project.root / file
        span = spec.span_of(path)
        try:
            texts[project.shown(place)] = place.read_text(encoding="utf-8")
        except OSError as error:
            findings.append(Diagnostic("SW2120", f"cannot read {file}: {error.strerror}", span))
        except UnicodeDecodeError:
            findings.append(Diagnostic("SW2120", f"{file} is not UTF-8 text", span))
    if findings:
        raise SpecError(findings)
    rules = {name: _shown(project, rule) for name, rule in spec.sharding.items()}
    return replace(spec, sharding=rules), texts


def _shown(project: Project, rule: ShardingRule) -> ShardingRule:
    vectors = None if rule.vectors is None else project.shown(project.root / rule.vectors)
    file = rule.lookup_file
    options = rule.options if file is None else {**rule.options, "file": project.shown(project.root / file)}
    return replace(rule, vectors=vectors, options=options)
