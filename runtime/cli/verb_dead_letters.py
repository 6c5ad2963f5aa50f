"""`dead-letters`: which rows are in quarantine because a target refuses them, and what shall become of them?

Runs in the process of the command, beside a run; reads and writes the first shard's ledger. It lists rows, marks them
to be tried again, or gives them up.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.dead_letters import (
    Letter,
    forget_letter,
    read_letters,
    set_state,
)
from shardwright.runtime.ledger.tables import require_format
from shardwright.specs.findings.text_table import text_table

_HEADER = ("table", "key", "state", "events", "why, since when, last event")


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    if arguments.action != "list":
        require_consent(deployed.environment, arguments, f"{arguments.action} dead letters")
    control = deployed.servers.connect_shard(0)
    try:
        if arguments.action != "list":
            require_format(control)
        chosen = _Chosen(deployed, control, _chosen(arguments, read_letters(control, deployed.plan.migration)))
        return {"list": _list, "retry": _retry, "discard": _discard}[arguments.action](arguments, chosen)
    finally:
        control.close()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The letters that were asked for."""

    deployed: Deployment
    control: Connection[Any]
    letters: tuple[Letter, ...]

    @property
    def migration(self) -> str:
        return self.deployed.plan.migration


def _chosen(arguments: argparse.Namespace, letters: tuple[Letter, ...]) -> tuple[Letter, ...]:
    held = [letter for letter in letters if letter.state != "answered"]
    found = tuple(
        letter
        for letter in held
        if arguments.table in (None, letter.held.logical) and arguments.key in (None, _key(letter))
    )
    if not found and (arguments.table or arguments.key):
        raise InputAtFault(
            "SW8513", "no row of that table and key is a dead letter: `shardwright dead-letters list` shows them all"
        )
    return found


def _list(arguments: argparse.Namespace, chosen: _Chosen) -> int:
    if arguments.format == "json":
        print(json.dumps([_data(letter) for letter in chosen.letters], indent=2))
        return 0
    if chosen.letters:
        print(as_table(chosen.letters))
    print(f"{len(chosen.letters)} dead letters")
    return 0


def as_table(letters: Sequence[Letter]) -> str:
    return text_table([_row(letter) for letter in letters], header=_HEADER, right=(3,))


def _row(letter: Letter) -> tuple[str, ...]:
    """The key as `--key` takes it."""
    last = f"last event: {letter.last_op} {letter.image or ''}" if letter.last_op else ""
    why = "\n".join(filter(None, (f"{letter.code} {letter.reason}", f"since {letter.first_seen}", last)))
    state = "to be retried" if letter.state == "retry" else "held"
    return letter.held.logical, shlex.quote(_key(letter)), state, str(letter.events), why


def _retry(_arguments: argparse.Namespace, chosen: _Chosen) -> int:
    for letter in chosen.letters:
        set_state(chosen.control, chosen.migration, letter.held, "retry")
    print(
        f"{len(chosen.letters)} rows are read again at the source by the run, or by the next one once the copy is "
        "complete"
    )
    return 0


def _discard(arguments: argparse.Namespace, chosen: _Chosen) -> int:
    moved = [letter for letter in chosen.letters if len(letter.places) > 1]
    if moved:
        raise Refused(
            "SW8514",
            f"{moved[0].held} moved to another shard while it was a dead letter, so its old row would stay where no "
            "event looks for it: fix the cause of the refusal and use `dead-letters retry`",
        )
    for letter in chosen.letters:
        forget_letter(chosen.control, chosen.migration, letter.held)
        detail = f"{letter.held}, {letter.events} events: {arguments.reason}"
        audit(chosen.control, chosen.migration, "dead letter discarded", detail=detail)
    print(
        f"{len(chosen.letters)} rows discarded: the targets keep what they have of them, and their next event is "
        "applied again; `shardwright verify` names what differs"
    )
    return 0


def _key(letter: Letter) -> str:
    return ",".join(letter.held.key)


def _data(letter: Letter) -> dict[str, Any]:
    return {
        "table": letter.held.logical,
        "source_table": letter.held.source_table,
        "key": list(letter.held.key),
        "state": letter.state,
        "code": letter.code,
        "reason": letter.reason,
        "events": letter.events,
        "last_position": letter.last_position,
        "last_op": letter.last_op,
        "image": json.loads(letter.image) if letter.image else None,
        "first_seen": str(letter.first_seen),
        "last_seen": str(letter.last_seen),
    }
