"""A project that cannot be worked on: no specs, a link that leads out of it, a base version that git does not give."""

from __future__ import annotations


class ProjectRefused(Exception):
    """`code` is SW8005, SW8013, SW8810 or SW8863. `in_files`: what a file or link of the project is, is at fault (exit 1), not the
    way the command was called or what git said (exit 2)."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")

    @property
    def in_files(self) -> bool:
        return self.code == "SW8013"
