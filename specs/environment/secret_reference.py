"""How a file says where a secret is found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretReference:
    """Where a secret is found at run time: `{env: NAME}` or `{file: PATH}`. Never the secret itself."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{{{self.kind}: {self.name}}}"
