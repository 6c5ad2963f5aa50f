"""Whom does a command notify? The channels that `on_event` of its environment names; each delivery is a line of the
audit.

Runs in the process of the command; writes the audit on the first shard, from the threads of the channels.
"""

from __future__ import annotations

import os

from shardwright.runtime.cli.attempts import note
from shardwright.runtime.events.run import CheckWarning
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.progress.listeners import Reporter
from shardwright.specs.environment.environment import Environment


def add_channels(
    reporter: Reporter, environment: Environment, servers: Servers, migration: str, *, required: bool = True
) -> None:
    """From now on the channels of the environment get the reporter's events. Its end waits for them, a few seconds at
    most. Where they are not `required`, a channel that cannot be used is a warning, and no one is notified. Raises
    InputAtFault for secrets and templates that are not there."""
    if not environment.on_event.channels:
        return
    from shardwright.runtime.notify.channel import Report
    from shardwright.runtime.notify.message import Origin
    from shardwright.runtime.notify.notifier import open_notifier

    report = Report(lambda what, detail: note(servers, migration, what, detail=detail), reporter.emit)
    try:
        reporter.add(open_notifier(environment.on_event, Origin(migration, environment.name), os.environ, report))
    except InputAtFault as error:
        if required:
            raise
        reporter.emit(CheckWarning("on_event", "", f"{error}: no one is notified"))
