"""Failpoints of a run as gates: a test closes one, waits until the run has reached it, and opens it again."""

from __future__ import annotations

from pathlib import Path

from shardwright.runtime.failpoints import NAMES, VARIABLE


class Gates:
    """Failpoints a test closes and opens while the run goes on. All are open at first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        for name in NAMES:
            self._gate(name).touch()

    def hold(self, *names: str) -> None:
        """The next one to come to `names` stops there. Close a gate only while nothing can be passing it."""
        for name in names:
            assert name in NAMES, name
            self._gate(name).unlink(missing_ok=True)
            self._mark_of(name).unlink(missing_ok=True)

    def open(self, *names: str) -> None:
        for name in names:
            self._gate(name).touch()

    def open_all(self) -> None:
        self.open(*NAMES)

    def is_reached(self, name: str) -> bool:
        """Whether somebody stands at a gate, or has passed it since it was last closed."""
        return self._mark_of(name).exists()

    def forget(self) -> None:
        """As if nobody had passed any gate yet."""
        for name in NAMES:
            self._mark_of(name).unlink(missing_ok=True)

    def environ(self) -> dict[str, str]:
        return {VARIABLE: ";".join(f"{name}=wait:{self._gate(name)}" for name in NAMES)}

    def _gate(self, name: str) -> Path:
        return self._folder / name

    def _mark_of(self, name: str) -> Path:
        return self._folder / f"{name}.reached"
