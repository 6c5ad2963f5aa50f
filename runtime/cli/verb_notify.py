"""`notify --test`: does each channel of the environment take a message? Exit 0, or 4 where one does not.

Runs in the process of the command; sends one message to each channel, and writes the audit on the first shard.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from shardwright.runtime.cli.attempts import note
from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.notify.channel import DeliveryFailed
from shardwright.runtime.notify.message import TEST, Origin, make_test_message
from shardwright.runtime.notify.open import open_transport
from shardwright.specs.environment.environment import Environment
from shardwright.specs.environment.notifications import ChannelSetting
from shardwright.specs.findings.text_table import text_table
from shardwright.specs.findings.wording import did_you_mean


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    environment, migration = deployed.environment, deployed.plan.migration
    chosen = _choose(environment, arguments.test)
    message = make_test_message(Origin(migration, environment.name))
    transports = [(each, open_transport(each, os.environ, folder=environment.on_event.folder)) for each in chosen]
    rows, failures = [], 0
    for channel, transport in transports:
        try:
            answer, what = transport.deliver(message, seconds=channel.timeout_seconds), "notification delivered"
        except DeliveryFailed as failure:
            answer, what, failures = failure.answer, "notification failed", failures + 1
        rows.append((channel.name, "failed" if what.endswith("failed") else "ok", str(answer)))
        note(deployed.servers, migration, what, detail=f"{channel.name}: {TEST}: {answer.how}")
    print(text_table(rows))
    return Exit.UNREACHABLE if failures else Exit.DONE


def _choose(environment: Environment, names: Sequence[str]) -> Sequence[ChannelSetting]:
    """The channels of these names, or all. Raises InputAtFault (SW8007)."""
    channels = {channel.name: channel for channel in environment.on_event.channels}
    if not channels:
        raise InputAtFault("SW8007", f"environment {environment.name} names no channels: add on_event to its file")
    for name in names:
        if name not in channels:
            hint = did_you_mean(name, channels) or f"known: {', '.join(channels)}"
            raise InputAtFault("SW8007", f"environment {environment.name} has no channel '{name}': {hint}")
    return [channels[name] for name in names or channels]
