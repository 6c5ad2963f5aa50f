"""The migrations that a command observes, and the port of their metrics.

Runs in the process of the command; reads plans, environment and secrets, connects to no server yet.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING

from shardwright.compiler.plan.files import read_plan
from shardwright.compiler.plan.refusals import PlanRefused
from shardwright.compiler.project.project import find_project
from shardwright.runtime.cli.arguments.common import Address
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.watch.migration import Migration, migration_of
from shardwright.runtime.watch.observer import Observer

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


def observers_of(arguments: argparse.Namespace, names: Sequence[str]) -> list[Observer]:
    """One for each of these migrations; without names for all that are compiled. Raises as `deployment`."""
    project = find_project(arguments.project)
    compiled = sorted(path.parent.name for path in project.own("build").glob("*/manifest.json"))
    chosen: Sequence[str | None] = names or compiled or [None]
    return [
        Observer(migration_of_deployment(deployment(argparse.Namespace(**{**vars(arguments), "migration": name}))))
        for name in chosen
    ]


def migration_of_deployment(home: Deployment) -> Migration:
    """`home` is the way there."""
    try:
        backward = read_plan(home.project.plan_folder(home.plan.migration) / "backward")
    except PlanRefused:
        backward = None
    return migration_of(home.plan, backward, home.environment, os.environ)


@contextmanager
def serve_at(registry: CollectorRegistry, address: Address) -> Iterator[None]:
    """Within, metrics are served. Raises RuntimeFailure (SW8055)."""
    from shardwright.runtime.watch.metrics.serve import serve

    with serve(registry, *address):
        print(f"metrics: http://{address}/metrics", file=sys.stderr)
        if not _is_loopback(address.host):
            print(
                f"warning: every client that reaches {address} can read names of tables and servers there: it has no "
                "password and no TLS",
                file=sys.stderr,
            )
        yield


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
