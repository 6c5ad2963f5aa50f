"""The refusals of plans and of project folders. They are apart from what reads plans, so that the command line catches
them without importing sqlglot.
"""

from __future__ import annotations


class PlanRefused(Exception):
    """The plan on disk is not what the compiler wrote, or what was reviewed. `code` is SW8001..SW8003, SW8010, SW8013,
    SW8014."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")


class ProjectRefused(Exception):
    """`code` is SW8005, SW8013, SW8810 or SW8863. `in_files`: what a file or link of the project is, is at fault (exit
    1), not the
    way the command was called or what git said (exit 2)."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")

    @property
    def in_files(self) -> bool:
        return self.code == "SW8013"
