"""Strict YAML: the parser's events go to our own builder, and what it cannot read becomes a finding.

Events rather than composed nodes: an alias is seen where it is written, and refused, before anything is expanded.
"""

from __future__ import annotations

import yaml

from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span
from shardwright.specs.yaml.builder import DocumentBuilder, TooDeep
from shardwright.specs.yaml.document import YamlSource
from shardwright.specs.yaml.text import clean, decode, read_bytes

__all__ = ["YamlSource", "parse_yaml", "read_yaml"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: str, findings: Findings, *, root: str | None = None) -> YamlSource | None:
    """Read and parse a file; None when findings leave nothing to work with. `root` is the project that the file has to
    stand in, links followed."""
    content = read_bytes(path, findings, root=root)
    text = None if content is None else decode(content, path, findings)
    return None if text is None else _parse(text, path, findings)


def parse_yaml(text: str, file: str, findings: Findings) -> YamlSource | None:
    """Parse a text as if it stood in `file`; None when findings leave nothing to work with."""
    cleaned = clean(text, file, findings)
    return None if cleaned is None else _parse(cleaned, file, findings)


def _parse(text: str, file: str, findings: Findings) -> YamlSource | None:
    builder = DocumentBuilder(file, tuple(text.split("\n")), findings)
    try:
        return builder.document(yaml.parse(text, Loader=_LOADER))
    except TooDeep:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        span = Span(file, 1, 1) if mark is None else builder.clamped(mark.line, mark.column)
        context = f"{error.context}: " if error.context else ""
        findings.error("SW1002", f"not valid YAML: {context}{error.problem}", span)
    except yaml.YAMLError as error:
        findings.error("SW1002", f"not valid YAML: {error}".replace("\n", " "), Span(file, 1, 1))
    return None
