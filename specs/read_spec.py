"""Read a migration spec: text in, the typed model out, or every finding at once."""

from __future__ import annotations

from shardwright.specs.build_spec import build_spec
from shardwright.specs.cross_references import check_references
from shardwright.specs.diagnostics import Findings, SpecError
from shardwright.specs.model import Spec
from shardwright.specs.shape import check_shape
from shardwright.specs.unsupported import unsupported
from shardwright.specs.yaml_source import YamlSource, parse_yaml, read_yaml


def read_spec(path: str) -> Spec:
    """The spec in a file. Raises SpecError with all findings; their places name the file as given here."""
    findings = Findings()
    return _checked(read_yaml(path, findings), findings)


def parse_spec(text: str, file: str) -> Spec:
    """The spec in a text, as if it stood in `file`. Raises SpecError with all findings."""
    findings = Findings()
    return _checked(parse_yaml(text, file, findings), findings)


def _checked(source: YamlSource | None, findings: Findings) -> Spec:
    if source is None:
        raise SpecError(findings.items)
    malformed = check_shape(source, "spec", findings)
    spec = build_spec(source, findings)
    check_references(spec, malformed, findings)
    findings.items.extend(unsupported(spec, malformed))
    findings.raise_errors()
    return spec
