"""References to secrets, as a file of the user's states them."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.specs.environment.secret_reference import SecretReference
from shardwright.specs.yaml.fields import mapping, text


def reference(node: Mapping[str, object], key: str) -> SecretReference | None:
    """The reference under `key`; None when there is none."""
    for kind in ("env", "file"):
        name = text(mapping(node, key), kind)
        if name is not None:
            return SecretReference(kind, name)
    return None
