"""Each documented grant is taken away in turn: the checks before a run name it, and say the GRANT that gives it
(I7)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from shardwright.compiler.plan.files import read_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Verdict
from shardwright.runtime.mysql.grants import NEEDED_ON_TARGETS, ON_TARGETS
from shardwright.runtime.mysql.servers import Servers, servers_of
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, SOURCE_PRIVILEGES
from shardwright.runtime.run.preflight.context import Context, Demands
from shardwright.runtime.run.preflight.preflight import _check_connection, preflight
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.runtime.run.preflight.way_back import shard_log_checks
from shardwright.specs.environment.read import read_environment
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, Job
from tests.workload.shop import PROJECT, create_shop

pytestmark = pytest.mark.server


@dataclass
class Migration:
    """A compiled shop, empty, and the accounts that the sandbox gives it."""

    arena: Arena
    plan: Plan
    servers: Servers

    def check(self) -> None:
        """Raises what the checks before a run say."""
        preflight(self.plan, self.servers)

    def account(self, server: Server) -> str:
        return f"'{RUNTIME_USER}'@'{server.sandbox.account_host}'"

    @contextmanager
    def without(self, server: Server, privilege: str, on: str) -> Iterator[None]:
        server.query(f"REVOKE {privilege} ON {on} FROM {self.account(server)}")
        yield
        server.query(f"GRANT {privilege} ON {on} TO {self.account(server)}")


@pytest.fixture
def migration(arena: Arena, tmp_path: Path) -> Migration:
    job = Job(arena, PROJECT, tmp_path)
    create_shop(arena)
    job.call("compile")
    (manifest,) = job.project.glob("build/*/manifest.json")
    plan = read_plan(manifest.parent)
    file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
    environment = read_environment(str(file), databases=plan.databases)
    return Migration(arena, plan, servers_of(environment, plan, os.environ))


def test_i7_each_documented_grant_that_is_missing_is_named(migration: Migration) -> None:
    source, target = migration.arena.source, migration.arena.placement["order_db_3"]
    migration.check()
    needed = [(source, name, "*.*", name) for name in SOURCE_PRIVILEGES[source.sandbox.kind] if name not in _NOT_ASKED]
    needed += [(target, name, r"`order\_db\_3`.*", ", ".join(ON_TARGETS)) for name in NEEDED_ON_TARGETS]
    for server, privilege, on, wanted in needed:
        with migration.without(server, privilege, on), pytest.raises(Refused) as caught:
            migration.check()
        assert caught.value.code == "SW8125", caught.value
        said = rf"{privilege} in order_db_3 on .*: GRANT {wanted} ON" if server is target else f"GRANT {wanted} ON"
        assert re.search(f"{said} .* TO {migration.account(server)}", caught.value.message), (privilege, caught.value)
    with migration.without(source, "SELECT", "`shop`.*"):
        with pytest.raises(Refused, match=r"SW8102.*denies access to database shop: .*GRANT SELECT ON `shop`\.\* TO"):
            migration.check()
        source.query(f"GRANT SELECT ON shop.users TO {migration.account(source)}")
        with pytest.raises(Refused, match=rf"SW8125.*GRANT SELECT ON `shop`\.\* TO {migration.account(source)}"):
            migration.check()
    migration.check()


_NOT_ASKED = ("SLAVE MONITOR", "RELOAD")
"""The first is not needed: without it nobody knows whether the source is a replica. The second is asked for where it is
used."""


def test_s17_a_grant_that_is_missing_is_reported_once(migration: Migration) -> None:
    """The check that needs it is denied; that is no server which does not answer."""
    source = migration.arena.source
    privilege = "BINLOG MONITOR" if source.sandbox.kind == "mariadb" else "REPLICATION CLIENT"
    opened = partial(migration.servers.connect_source, migration.plan.tables[0].sources[0].database)
    asked = partial(
        shard_log_checks, Context(migration.plan, migration.servers, Tolerance.NONE, Demands()), held=(), where="s"
    )
    with migration.without(source, privilege, "*.*"):
        found = _check_connection("s", opened, asked)
    assert [check.name for check in found if check.code == "SW8125"] == ["grants"]
    assert all(check.verdict is not Verdict.UNKNOWN for check in found), found


def test_i7_an_account_without_any_right_on_a_target(migration: Migration) -> None:
    target = migration.arena.placement["order_db_3"]
    target.query(f"REVOKE ALL PRIVILEGES ON `order\\_db\\_3`.* FROM {migration.account(target)}")
    wanted = rf"order_db_3 on .*: GRANT {', '.join(ON_TARGETS)} ON `order\\_db\\_3`\.\* TO {migration.account(target)}"
    with pytest.raises(Refused, match=f"SW8125.*lacks SELECT, .*{wanted}"):
        migration.check()
    target.query(f"GRANT ALL PRIVILEGES ON `order_db\\__`.* TO {migration.account(target)}")
    migration.check()
    target.query(f"GRANT ALL PRIVILEGES ON `order\\_db\\_3`.* TO {migration.account(target)}")
