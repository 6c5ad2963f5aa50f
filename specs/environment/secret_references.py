"""References to secrets: how a file says where a secret is found, and `resolve_secret`, which looks there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.specs.yaml.document import mapping, text


@dataclass(frozen=True, slots=True)
class SecretReference:
    """Where a secret is found at run time: `{env: NAME}` or `{file: PATH}`. Never the secret itself."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{{{self.kind}: {self.name}}}"


def reference(node: Mapping[str, object], key: str) -> SecretReference | None:
    """The reference under `key`; None when there is none."""
    for kind in ("env", "file"):
        name = text(mapping(node, key), kind)
        if name is not None:
            return SecretReference(kind, name)
    return None


_MAX_BYTES = 64 * 1024


class SecretUnavailable(Exception):
    """The secret is not where its reference says. Names the place, never a value."""

    code = "SW7003"

    def __init__(self, reference: SecretReference, reason: str) -> None:
        self.reference = reference
        self.reason = reason
        super().__init__(f"no secret found for {reference}: {reason}")


def resolve_secret(reference: SecretReference, environ: Mapping[str, str]) -> str:
    """The secret itself. Raises SecretUnavailable, whose text lists the place that was looked in."""
    if reference.kind == "env":
        return _from_variable(reference, environ)
    if reference.kind == "file":
        return _from_file(reference)
    raise SecretUnavailable(reference, f"unknown kind of reference '{reference.kind}'")


def _from_variable(reference: SecretReference, environ: Mapping[str, str]) -> str:
    value = environ.get(reference.name)
    if value is None:
        raise SecretUnavailable(reference, f"looked in the environment variable {reference.name}: it is not set")
    if not value:
        raise SecretUnavailable(reference, f"looked in the environment variable {reference.name}: it is empty")
    return value


def _from_file(reference: SecretReference) -> str:
    place = f"looked in the file {os.path.abspath(reference.name)}"
    try:
        with open(reference.name, "rb") as file:
            content = file.read(_MAX_BYTES + 1)
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise SecretUnavailable(reference, f"{place}: it is not UTF-8 text") from None  # the cause holds the bytes
    except (OSError, ValueError) as error:
        raise SecretUnavailable(reference, f"{place}: {getattr(error, 'strerror', None) or error}") from error
    if len(content) > _MAX_BYTES:
        raise SecretUnavailable(reference, f"{place}: it is larger than 64 KiB")
    # Editors and `echo` end a file with a line break; no password has one.
    secret = text.removesuffix("\n").removesuffix("\r")
    if not secret:
        raise SecretUnavailable(reference, f"{place}: it is empty")
    return secret
