"""Commands that cannot be undone ask, and nobody is there to answer in a test."""

from __future__ import annotations

from typing import Final

_FINAL: Final = frozenset({"finish", "unfence", "discard", "--delete-extra", "--recopy", "--leave-out"})


def with_consent(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """With `--yes` where the command would ask whatever the environment."""
    asks = not _FINAL.isdisjoint(arguments) and "--dry-run" not in arguments
    return (*arguments, "--yes") if asks and "--yes" not in arguments else arguments
