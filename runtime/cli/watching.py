"""The migrations that a command observes, and the ports of their metrics and of the page.

Runs in the process of the command; reads plans, environment and secrets, connects to no server yet.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.compiler.project.project import find_project
from shardwright.runtime.cli.arguments.common import Address
from shardwright.runtime.cli.connecting import Deployment, deployment_of
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.run.progress.listeners import Listener
from shardwright.runtime.watch.migration import Migration, migration_of
from shardwright.runtime.watch.newest import Newest
from shardwright.runtime.watch.observer import Observer
from shardwright.runtime.watch.page.access import Access, is_loopback
from shardwright.runtime.watch.page.feed import Feed, feed_of
from shardwright.runtime.watch.page.history import History
from shardwright.runtime.watch.page.serve import serve_page

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


def observers_of(arguments: argparse.Namespace, names: Sequence[str]) -> list[Observer]:
    """One for each of these migrations; without names for all that are compiled. Raises as `deployment`."""
    project = find_project(arguments.project)
    compiled = sorted(path.parent.name for path in project.own("build").glob("*/manifest.json"))
    chosen: Sequence[str | None] = names or compiled or [None]
    return [Observer(migration_of_deployment(deployment_of(arguments, name))) for name in chosen]


def migration_of_deployment(home: Deployment) -> Migration:
    """`home` is the way there."""
    back = home.find_way_back()
    return migration_of(home.plan, None if back is None else back.plan, home.environment, os.environ)


@contextmanager
def serve_at(registry: CollectorRegistry, address: Address) -> Iterator[None]:
    """Within, metrics are served. Raises RuntimeFailure (SW8055)."""
    from shardwright.runtime.watch.metrics.serve import serve

    with serve(registry, *address):
        print(f"metrics: http://{address}/metrics", file=sys.stderr)
        if not is_loopback(address.host):
            print(
                f"warning: every client that reaches {address} can read names of tables and servers there: it has no "
                "password and no TLS",
                file=sys.stderr,
            )
        yield


@contextmanager
def watch_run(home: Deployment, arguments: argparse.Namespace) -> Iterator[Sequence[Listener]]:
    """Within, metrics and the page are served where that was asked for, and the listeners follow the run's events.
    Raises RuntimeFailure (SW8055, SW8058). `home` is the way there."""
    migration = migration_of_deployment(home)
    newest = Newest(Observer(migration).observe)
    listeners: list[Listener] = []
    with ExitStack() as services:
        if arguments.metrics is not None:
            # Only here the library that serves them is loaded.
            from shardwright.runtime.watch.metrics.of_run import RunMetrics
            from shardwright.runtime.watch.metrics.serve import registry_of

            registry = registry_of([newest])
            listeners.append(RunMetrics(migration.name, registry))
            services.enter_context(serve_at(registry, arguments.metrics))
        if arguments.page is not None:
            history = History()
            listeners.append(history)
            access = access_of(arguments.page, arguments.page_token_file)
            services.enter_context(show_page(feed_of(migration, newest, history), access))
        yield listeners


def access_of(address: Address, token_file: str | None) -> Access:
    """Raises RuntimeFailure (SW8058) where the address needs a token, or its file has none."""
    if token_file is None:
        return Access(*address)
    try:
        token = Path(token_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise RuntimeFailure("SW8058", f"cannot read the token in {token_file}: {error}") from None
    return Access(*address, token)


@contextmanager
def show_page(feed: Feed, access: Access) -> Iterator[None]:
    """Within, the page is served. Raises RuntimeFailure (SW8055)."""
    with serve_page(feed.hub, access), feed.keep_current():
        address = Address(access.host, access.port)
        token = "" if access.token is None else "?token=TOKEN, with the token of the file"
        print(f"page: http://{address}/{token}", file=sys.stderr)
        if not is_loopback(access.host):
            print(f"warning: {address} has no TLS: who reads the network reads the token", file=sys.stderr)
        yield
