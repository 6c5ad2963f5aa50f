"""How does `shardwright --help` list the verbs? By what a team does with them, in the order in which it does so.

Pure.
"""

from __future__ import annotations

import argparse
from typing import Final

HELP_GROUPS: Final = {
    "design": (
        "init",
        "advise",
        "import",
        "validate",
        "compile",
        "diff",
        "show",
        "route",
        "router",
        "conform",
        "rescale",
    ),
    "rehearse": ("test", "dry-run", "sandbox", "forecast", "preflight"),
    "run": ("run", "status", "control", "verify", "repair", "ddl", "conflicts", "dead-letters", "cutover"),
    "look after": ("exporter", "page", "notify", "explain-row", "report"),
    "the program": ("doctor", "explain", "jsonschema", "completion", "spark-cache", "version"),
}
"""Heading -> verbs. Each verb is under one of them, which a test sees to."""
VERBS_BY_USE: Final = tuple(verb for verbs in HELP_GROUPS.values() for verb in verbs)


class GroupedHelp(argparse.HelpFormatter):
    """argparse's own form; only verbs are listed below the headings of HELP_GROUPS."""

    def add_argument(self, action: argparse.Action) -> None:
        if not isinstance(action, argparse._SubParsersAction):
            super().add_argument(action)
            return
        listed = {each.dest: each for each in action._get_subactions()}
        for heading, verbs in HELP_GROUPS.items():
            self.start_section(heading)
            self.add_arguments([listed[verb] for verb in verbs if verb in listed])
            self.end_section()
