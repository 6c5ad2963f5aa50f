"""The refusal of a plan: apart from what reads plans, so that the command line can name it without loading sqlglot."""

from __future__ import annotations


class PlanRefused(Exception):
    """The plan on disk is not what the compiler wrote, or what was reviewed. `code` is SW8001..SW8003, SW8010, SW8013,
    SW8014."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")
