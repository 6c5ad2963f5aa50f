"""`dead-letters`: which rows are in quarantine because a target refuses them, and what shall become of them?

Runs in the process of the command, beside a run; reads and writes the first shard's ledger. It lists rows, marks them
to be tried again, or gives them up.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.cli.attempts import record_attempt
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent, require_final_consent
from shardwright.runtime.cli.next_commands import LetterFacts, as_json, as_lines
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.comparison import void_verified
from shardwright.runtime.ledger.dead_letters import (
    DeadLetter,
    count_rows,
    forget_dead_letter,
    read_dead_letters,
    set_state,
)
from shardwright.runtime.ledger.tables import require_format
from shardwright.specs.findings.text_table import text_table

_HEADER = ("table", "key", "state", "events", "why, since when, last event")


def execute(arguments: argparse.Namespace) -> int:
    live = deployment(arguments).live_deployments()
    if arguments.action == "list":
        return _execute(live, arguments)
    with record_attempt(live[0].servers, live[0].plan.migration, arguments):
        return _execute(live, arguments)


def _execute(live: Sequence[Deployment], arguments: argparse.Namespace) -> int:
    """Each direction has dead letters of its own; while buckets move one by one, both are live."""
    if arguments.action != "list":
        require_consent(live[0].environment, arguments, f"{arguments.action} dead letters")
    with ExitStack() as connections:
        chosen = []
        for deployed in live:
            control = connections.enter_context(closing(deployed.servers.connect_shard(0)))
            if arguments.action != "list":
                require_format(control)
            found = _choose(arguments, read_dead_letters(control, deployed.plan.migration))
            chosen.append(_Selection(deployed, control, found))
        if (arguments.table or arguments.key) and not any(one.dead_letters for one in chosen):
            raise InputAtFault(
                "SW8513",
                "no row of that table and key is a dead letter: `shardwright dead-letters list` shows them all",
            )
        {"list": _list, "retry": _retry, "discard": _discard}[arguments.action](arguments, chosen)
    return 0


@dataclass(frozen=True, slots=True)
class _Selection:
    """The dead letters of one direction that were asked for."""

    deployed: Deployment
    control: Connection[Any]
    dead_letters: tuple[DeadLetter, ...]

    @property
    def migration(self) -> str:
        return self.deployed.plan.migration

    @property
    def rows(self) -> int:
        """Of how many rows they are."""
        return count_rows(self.dead_letters)


def _choose(arguments: argparse.Namespace, dead_letters: tuple[DeadLetter, ...]) -> tuple[DeadLetter, ...]:
    held = [dead_letter for dead_letter in dead_letters if dead_letter.state != "answered"]
    return tuple(
        dead_letter
        for dead_letter in held
        if arguments.table in (None, dead_letter.held.logical) and arguments.key in (None, _key(dead_letter))
    )


def _list(arguments: argparse.Namespace, chosen: Sequence[_Selection]) -> None:
    rows = sum(one.rows for one in chosen)
    facts = LetterFacts(rows)
    if arguments.format == "json":
        letters = [_data(dead_letter, one.deployed) for one in chosen for dead_letter in one.dead_letters]
        print(json.dumps({"dead_letters": letters, "next": as_json(facts, arguments)}, indent=2))
        return
    for one in chosen:
        if one.dead_letters:
            print(as_table(one.dead_letters))
    print(f"{rows} dead letters\n{as_lines(facts, arguments)}")


def as_table(dead_letters: Sequence[DeadLetter]) -> str:
    """One line for each row, whichever of several source tables it is from."""
    by_row: dict[object, list[DeadLetter]] = defaultdict(list)
    for dead_letter in dead_letters:
        by_row[dead_letter.held.row].append(dead_letter)
    return text_table([_row(some) for some in by_row.values()], header=_HEADER, right=(3,))


def _row(dead_letters: Sequence[DeadLetter]) -> tuple[str, ...]:
    """The key as `--key` takes it. Of several, what the last one has that got an event."""
    dead_letter = max(dead_letters, key=lambda one: (one.last_op is not None, one.last_seen))
    events = sum(one.events for one in dead_letters)
    last = f"last event: {dead_letter.last_op} {dead_letter.image or ''}" if dead_letter.last_op else ""
    why = "\n".join(filter(None, (f"{dead_letter.code} {dead_letter.reason}", f"since {dead_letter.first_seen}", last)))
    state = "to be retried" if dead_letter.state == "retry" else "held"
    return dead_letter.held.logical, shlex.quote(_key(dead_letter)), state, str(events), why


def _retry(_arguments: argparse.Namespace, chosen: Sequence[_Selection]) -> None:
    for one in chosen:
        for dead_letter in one.dead_letters:
            set_state(one.control, one.migration, dead_letter.held, "retry")
    rows = sum(one.rows for one in chosen)
    print(f"{rows} rows are read again at the source by the run, or by the next one once the copy is complete")


def _discard(arguments: argparse.Namespace, chosen: Sequence[_Selection]) -> None:
    rows = sum(one.rows for one in chosen)
    if rows and not (arguments.table or arguments.key):
        require_final_consent(
            chosen[0].deployed.environment, arguments, f"discard {rows} dead letters",
            lost=f"all {rows} dead letters are discarded, with what is known of their events",
        )  # fmt: skip
    moved = [letter for one in chosen for letter in one.dead_letters if len(letter.places) > 1]
    if moved:
        raise Refused(
            "SW8514",
            f"{moved[0].held} moved to another shard while it was a dead letter, so its old row would stay where no "
            "event looks for it: fix the cause of the refusal and use `dead-letters retry`",
        )
    for one in chosen:
        for dead_letter in one.dead_letters:
            void_verified(one.control, one.migration, why=f"{dead_letter.held} was discarded as a dead letter")
            forget_dead_letter(one.control, one.migration, dead_letter.held)
            detail = f"{dead_letter.held}, {dead_letter.events} events: {arguments.reason}"
            audit(one.control, one.migration, "dead letter discarded", detail=detail)
    print(
        f"{rows} rows discarded: the targets keep what they have of them, and their next event is "
        "applied again; `shardwright verify` names what differs"
    )


def _key(dead_letter: DeadLetter) -> str:
    return ",".join(dead_letter.held.key)


def _data(dead_letter: DeadLetter, deployed: Deployment) -> dict[str, Any]:
    return {
        "direction": deployed.plan.direction.value,
        "table": dead_letter.held.logical,
        "source_table": dead_letter.held.source_table,
        "key": list(dead_letter.held.key),
        "state": dead_letter.state,
        "code": dead_letter.code,
        "reason": dead_letter.reason,
        "events": dead_letter.events,
        "last_position": dead_letter.last_position,
        "last_op": dead_letter.last_op,
        "image": json.loads(dead_letter.image) if dead_letter.image else None,
        "first_seen": str(dead_letter.first_seen),
        "last_seen": str(dead_letter.last_seen),
    }
