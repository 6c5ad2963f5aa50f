"""Finds passwords that were written into an environment file. Says where, never what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Path
from shardwright.specs.yaml.secret_names import speaks_of_a_secret
from shardwright.specs.yaml.source import YamlSource

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_HINT = "write {env: NAME} or {file: PATH}"


def check_literal_secrets(source: YamlSource, findings: Findings) -> frozenset[Path]:
    """Report every value that stands where a secret belongs; returns their paths."""
    found = frozenset(path for path in _literals(source.data, ()) if path not in source.refused)
    for path in sorted(found, key=str):
        message = f"'{path[-1]}' holds a literal value; secrets stand outside this file"
        findings.error("SW7002", message, source.span_of(path), hint=_HINT)
    return found


def _literals(value: object, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items():
            if speaks_of_a_secret(key):
                if not _may_be_reference(item):
                    yield (*path, key)
            else:
                yield from _literals(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _literals(item, (*path, index))


def _may_be_reference(value: object) -> bool:
    """Whether nothing in the value can be the secret itself, so that it may be shown while its shape is checked.

    Spark has boolean settings whose names speak of secrets: a boolean is none.
    """
    if not isinstance(value, dict):
        return value is None or isinstance(value, bool)
    variable = value.get("env", "ABSENT")
    return value.keys() <= {"env", "file"} and isinstance(variable, str) and bool(_VARIABLE.fullmatch(variable))
