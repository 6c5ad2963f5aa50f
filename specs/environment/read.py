"""Reads an environment file, offline: no secret is resolved and no server is asked. A password that was written into
the file is refused; the finding says where, never what.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.specs.environment.build import build_environment
from shardwright.specs.environment.environment import Environment
from shardwright.specs.environment.secret_references import SecretUnavailable, resolve_secret
from shardwright.specs.findings.diagnostics import Findings, Path, SpecError
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.shape.shape import check_shape
from shardwright.specs.yaml.document import mapping
from shardwright.specs.yaml.scalars import speaks_of_a_secret
from shardwright.specs.yaml.source import YamlSource, parse_yaml, read_yaml
from shardwright.specs.yaml.topology import TopologyFault, expand

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_HINT = "write {env: NAME} or {file: PATH}"


def check_literal_secrets(source: YamlSource, findings: Findings) -> frozenset[Path]:
    """Report every value that stands where a secret belongs; returns their paths."""
    found = frozenset(path for path in _literals(source.data, ()) if path not in source.refused)
    for path in sorted(found, key=str):
        message = f"'{path[-1]}' holds a literal value; secrets are kept outside this file"
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


__all__ = ["SecretUnavailable", "parse_environment", "read_environment", "resolve_secret"]


def read_environment(
    path: str, *, databases: tuple[str, ...] | None = None, named: str | None = None, root: str | None = None
) -> Environment:
    """The environment in a file. `databases` are the target databases that must have a server, `named` is what the
    environment must call itself: a copy of another one's file is the accident that this finds. `root` is the project
    that the file has to stand in, links followed; None: it may stand anywhere.

    Raises SpecError with all findings; none of them repeats what may be a secret.
    """
    findings = Findings()
    return _check_and_build(read_yaml(path, findings, root=root), findings, databases, named)


def parse_environment(text: str, file: str, *, databases: tuple[str, ...] | None = None) -> Environment:
    """The environment in a text, as if it stood in `file`. Otherwise as `read_environment`."""
    findings = Findings()
    return _check_and_build(parse_yaml(text, file, findings), findings, databases, None)


def _check_and_build(
    source: YamlSource | None, findings: Findings, databases: tuple[str, ...] | None, named: str | None
) -> Environment:
    if source is None:
        raise SpecError(findings.items)
    literal = check_literal_secrets(source, findings)
    malformed = check_shape(source, "environment", findings, known=literal)
    environment = build_environment(source, malformed, findings)
    # A missing server says nothing new while the mapping itself is broken.
    if databases is not None and not any(path[:1] == ("shards",) for path in malformed):
        _check_all_have_servers(environment, databases, source=source, findings=findings)
    if named is not None and environment.name and environment.name != named:
        message = f"this file says that it is environment '{environment.name}', and it is called '{named}'"
        hint = f"write environment: {named}, or give the file its environment's name"
        findings.error("SW7017", message, source.span_of(("environment",)), hint=hint)
    findings.raise_errors()
    return environment


def _check_all_have_servers(
    environment: Environment, databases: tuple[str, ...], *, source: YamlSource, findings: Findings
) -> None:
    mentioned = {name for key in mapping(source.data, "shards") for name in _expand(key)}
    # One that is placed on an unknown server has its finding (SW7004) already.
    missing = [name for name in databases if name not in environment.shards and name not in mentioned]
    if not missing:
        return
    names = ", ".join(missing[:4]) + (f" and {len(missing) - 4} more" if len(missing) > 4 else "")
    others = [
        name for name in environment.shards if name not in databases
    ]  # a database of the target is no misspelling
    hint = did_you_mean(missing[0], others[:1000]) or f"add a line: {missing[0]}: SERVER"
    findings.error("SW7005", f"no server is given for {names}", source.key_span_of(("shards",)), hint=hint)


def _expand(topology: object) -> tuple[str, ...]:
    try:
        return expand(topology) if isinstance(topology, str) else ()
    except TopologyFault:
        return ()
