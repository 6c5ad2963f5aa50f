"""A source whose databases stand on two servers: two logs, one run, one position with a part for each."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from shardwright.runtime.sandbox.accounts import RUNTIME_USER, create_databases, create_source_accounts, password_file
from tests.e2e.driver import PATIENCE, SMALL_CHUNKS, status, wait_for
from tests.servers.testbed import Arena, Server
from tests.workload.job import ENVIRONMENT, Job

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

EXAMPLE = Path(__file__).with_name("grid")
SHARDS = ("part_0", "part_1", "part_2")


class TwoServers:
    """mall_0 stands on the arena's source, mall_1 on a server of its own; the shards on a third one."""

    def __init__(self, source: Server, target: Server, second: Server, folder: Path) -> None:
        self.servers = {"mall_0": source, "mall_1": second}
        self.arena = Arena(source, (target,), folder)
        self.job = Job(self.arena, EXAMPLE, folder, settings={**SMALL_CHUNKS, "network": {"retry_for": "4s"}})
        secrets = folder / "secrets"
        create_databases(second.sandbox, ("mall_1",))
        create_source_accounts(second.sandbox, ("mall_1",), secrets=secrets)
        file = self.job.project / "environments" / f"{ENVIRONMENT}.yaml"
        environment = yaml.safe_load(file.read_text(encoding="utf-8"))
        environment["servers"]["second"] = {
            "host": second.host,
            "port": second.port,
            "user": RUNTIME_USER,
            "password": {"file": str(password_file(RUNTIME_USER, secrets=secrets))},
        }
        environment["source_databases"] = {"mall_1": "second"}
        file.write_text(yaml.safe_dump(environment, sort_keys=False), encoding="utf-8")
        source.query("DROP DATABASE mall_1")  # it is not looked for here
        for number, database in enumerate(self.servers):
            self.servers[database].run_script(EXAMPLE / "schema" / "mall.sql", database=database)
            for name in ("orders", "notes"):
                self.write(database, f"CREATE TABLE {name}_1 LIKE {name}_0")
            self.write(database, f"INSERT INTO region VALUES (1, 'north {number}'), (2, 'south {number}')")
            self.write(database, f"INSERT INTO job_lock VALUES ('sweep {number}', {number})")
            for part in range(2):
                ids = range(2 * number + part, 800, 4)
                orders = ", ".join(f"({id_}, {id_ % 97}, 'first')" for id_ in ids)
                self.write(database, f"INSERT INTO orders_{part} VALUES {orders}")
        self.job.call("compile")

    def write(self, database: str, sql: str) -> None:
        self.servers[database].query(sql, database=database)

    def orders(self) -> list[tuple[Any, ...]]:
        """Of both sources."""
        return sorted(
            row
            for database, server in self.servers.items()
            for part in range(2)
            for row in server.query(f"SELECT id, user_id, note FROM orders_{part}", database=database)
        )

    def sharded_orders(self) -> list[tuple[Any, ...]]:
        return sorted(
            row
            for shard in SHARDS
            for part in ("_00", "_01")
            for row in self.arena.placement[shard].query(f"SELECT id, user_id, note FROM orders{part}", database=shard)
        )

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"it still does not hold that {what}\n{self.job.end_of_log()}"
            time.sleep(0.2)


@pytest.fixture
def two(source_server: Server, target_servers: tuple[Server, ...], tmp_path: Path) -> TwoServers:
    for server in (source_server, *target_servers):
        server.make_empty()
    return TwoServers(source_server, target_servers[0], target_servers[1], tmp_path)


def test_two_servers_are_copied_and_followed_and_one_that_fails_does_not_hold_up_the_other(two: TwoServers) -> None:
    second = two.servers["mall_1"]
    with two.job.running() as process:
        wait_for(two.job, process, "both are followed", lambda told: bool(told["caught_up"]))
        assert two.sharded_orders() == two.orders()
        told = status(two.job)
        assert told is not None
        assert [source["source"] for source in told["sources"]] == ["second", "source"]
        second.stop()
        two.write("mall_0", "UPDATE orders_1 SET note = 'while the other is down' WHERE id < 100")
        two.wait("mall_0's rows come", lambda: any(row[2].startswith("while") for row in two.sharded_orders()))
        told = status(two.job)
        assert told is not None and not told["caught_up"]
        second.start()
        two.write("mall_1", "UPDATE orders_0 SET note = 'back again', user_id = user_id + 1 WHERE id < 300")
        two.wait("both are equal", lambda: two.sharded_orders() == two.orders())
    log = two.job.log.read_text(encoding="utf-8")
    assert "second is set aside, the other sources go on" in log
    assert "second can be read again" in log
    assert "equal" in two.job.call("verify", "--env", ENVIRONMENT)
    # What cannot be followed in one log is no reason to stop the other one; the run's end tells it.
    with second.connect("mall_1") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION binlog_format = 'STATEMENT'")
        cursor.execute("UPDATE orders_0 SET note = 'as a statement' WHERE id = 2")
    two.write("mall_0", "INSERT INTO orders_0 VALUES (100000, 5, 'beside it')")
    two.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=5)
    said = two.job.end_of_log()
    assert "SW8212" in said and "SW8112" in said, said
    assert (100000, 5, "beside it") in two.sharded_orders()


@pytest.mark.long
def test_a_spec_may_want_all_sources_to_stop_with_one(two: TwoServers) -> None:
    file = two.job.project / "specs" / "grid.yaml"
    text = file.read_text(encoding="utf-8")
    stopping = text.replace("  schema: schema", "  stream: {format: binlog, when_one_fails: stop}\n  schema: schema")
    file.write_text(stopping, encoding="utf-8")
    two.job.call("compile")
    two.job.run_until_caught_up()
    with two.servers["mall_1"].connect("mall_1") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION binlog_format = 'STATEMENT'")
        cursor.execute("UPDATE orders_0 SET note = 'as a statement' WHERE id = 2")
    two.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=6)
    assert "SW8112" in two.job.end_of_log()
