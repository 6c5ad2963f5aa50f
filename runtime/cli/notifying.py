"""Whom does a command notify? The channels that `on_event` of its environment names; each delivery is a line of the
audit.

Runs in the process of the command; writes the audit on the first shard, from the threads of the channels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shardwright.runtime.cli.attempts import note
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.events.run import CheckWarning
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.mysql.servers import Servers
from shardwright.specs.environment.environment import Environment

if TYPE_CHECKING:
    from shardwright.runtime.notify.notifier import Notifier


def notifier_of(environment: Environment, servers: Servers, migration: str, emit: Emit) -> Notifier | None:
    """None where the environment names no channel. `emit` gets what a channel did not take. Raises InputAtFault for
    secrets and templates that are not there."""
    if not environment.on_event.channels:
        return None
    from shardwright.runtime.notify.channel import Report
    from shardwright.runtime.notify.message import Origin
    from shardwright.runtime.notify.notifier import open_notifier

    report = Report(lambda what, detail: note(servers, migration, what, detail=detail), emit)
    return open_notifier(environment.on_event, Origin(migration, environment.name), os.environ, report)


@contextmanager
def open_channels(
    environment: Environment, servers: Servers, migration: str, emit: Emit, *, required: bool = True
) -> Iterator[Emit]:
    """What notifies of an event, besides `emit`. On leaving it waits for the channels, a few seconds at most. Where
    they are not `required`, a channel that cannot be used is a warning, and no one is notified."""
    try:
        notifier = notifier_of(environment, servers, migration, emit)
    except InputAtFault as error:
        if required:
            raise
        emit(CheckWarning("on_event", "", f"{error}: no one is notified"))
        notifier = None
    if notifier is None:
        yield ignore
        return
    try:
        yield notifier.handle
    finally:
        notifier.close()
