"""Both directions of a deployment, and a cutover that the command has to itself.

Runs in the process of the command; writes the audit and the record of the first shard.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from shardwright.runtime.cli.attempts import record_attempt
from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.consent import require_consent
from shardwright.runtime.cli.event_log import report_events
from shardwright.runtime.cli.notifying import add_channels
from shardwright.runtime.cli.signals import end_on_signals
from shardwright.runtime.cutover.cutover import Cutover, Limits
from shardwright.runtime.cutover.way_back import require_way_back
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.specs.environment.environment import Environment

_SHORTEST_ANSWER: Final = 30.0
"""Seconds that a statement may take, also where writers may wait for less: those of the gates take a while."""


def ways_of(arguments: argparse.Namespace) -> Ways:
    """A network that falls silent must not keep writers out for `answer_timeout`, which is for long statements."""
    deployed = deployment(arguments)
    require_way_back(deployed.plan)
    seconds = max(_SHORTEST_ANSWER, limits_of(deployed.environment, arguments).max_pause)
    forward, backward = (
        Way(one.plan, one.servers.wait_at_most(seconds), one.environment)
        for one in (deployed, deployed.reverse_deployment())
    )
    return Ways(forward, backward)


def limits_of(environment: Environment, arguments: argparse.Namespace) -> Limits:
    """As the command line or the environment has them."""
    settings = environment.cutover
    return Limits(
        arguments.max_pause or settings.max_pause_seconds, arguments.drain_timeout or settings.drain_timeout_seconds
    )


@contextmanager
def cutover_at_work(ways: Ways, arguments: argparse.Namespace) -> Iterator[Cutover]:
    """While no other command works with the migration's. Raises Refused (SW8911), also without consent."""
    with report_events(arguments) as reporter, record_attempt(ways.forward.servers, ways.migration, arguments):
        if arguments.action not in ("finish", "unfence"):  # these ask once it is known what is lost
            require_consent(ways.environment, arguments, f"{arguments.action} a cutover of {ways.migration}")
        to_shards = arguments.action == "begin"  # what leads back is given in an outage, and needs no channel
        add_channels(reporter, ways.environment, ways.forward.servers, ways.migration, required=to_shards)
        cutover = Cutover(ways, limits_of(ways.environment, arguments), reporter.emit)
        end_on_signals()  # a lost terminal is no reason to leave the fence set
        with cutover.begin():
            yield cutover
