"""Does the operator agree: that something is written to an environment with `protected: true`, and, in every
environment, to what cannot be undone?

Runs in the process of the command; writes nothing.
"""

from __future__ import annotations

import argparse
import sys

from shardwright.runtime.failures import Refused
from shardwright.specs.environment.environment import Environment


def require_consent(environment: Environment, arguments: argparse.Namespace, what: str) -> None:
    """Returns when the operator agrees to `what`: by `--yes`, or by the environment's name typed at a terminal.

    Returns at once where the environment is not protected. Raises Refused (SW8216) otherwise.
    """
    if not environment.protected or arguments.yes:
        return
    refusal = Refused(
        "SW8216", f"environment {environment.name} is protected and nothing was done: repeat with --yes to {what}"
    )
    _ask(f"environment {environment.name} is protected: type its name to {what}: ", environment, refusal)


def require_final_consent(environment: Environment, arguments: argparse.Namespace, what: str, *, lost: str) -> None:
    """Says what is lost for good, and returns when the operator agrees to `what`, as above, in every environment.
    Raises Refused (SW8226) otherwise."""
    print(f"this cannot be undone: {lost}", file=sys.stderr)
    if arguments.yes:
        return
    refusal = Refused("SW8226", f"this cannot be undone, and nothing was done: repeat with --yes to {what}")
    _ask(f"type the environment's name, {environment.name}, to {what}: ", environment, refusal)


def _ask(question: str, environment: Environment, refusal: Refused) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise refusal
    print(question, end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() != environment.name:
        raise refusal
