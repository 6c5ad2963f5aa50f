"""The refusals of plans and of project folders. They are apart from what reads plans, so that the command line catches
them without importing sqlglot.
"""

from __future__ import annotations


class _Refusal(Exception):
    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")


class PlanRefused(_Refusal):
    """The plan on disk is not what the compiler wrote, or what was reviewed. `code` is SW8001..SW8003, SW8010, SW8013,
    SW8014."""


class ProjectRefused(_Refusal):
    """The project cannot be worked on. `code` is SW8005, SW8013, SW8810 or SW8863."""

    @property
    def in_files(self) -> bool:
        """Whether a file or link of the project is at fault (exit 1), not the way the command was called or what git
        answered (exit 2)."""
        return self.code == "SW8013"
