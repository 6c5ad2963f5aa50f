"""A source whose databases stand on two servers: two logs, one run, one position with a part for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.two_servers import TwoServers
from tests.servers.testbed import Server
from tests.support.commands import status, wait_for
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]


@pytest.fixture
def two(source_server: Server, target_servers: tuple[Server, ...], tmp_path: Path) -> TwoServers:
    for server in (source_server, *target_servers):
        server.make_empty()
    return TwoServers(source_server, target_servers[0], target_servers[1], tmp_path)


@pytest.mark.in_turn
def test_two_servers_are_copied_and_followed_and_one_that_fails_does_not_hold_up_the_other(two: TwoServers) -> None:
    second = two.servers["mall_1"]
    with two.job.run() as process:
        wait_for(two.job, process, "both are followed", lambda reported: bool(reported["caught_up"]))
        assert two.read_orders() == two.orders()
        reported = status(two.job)
        assert reported is not None
        assert [source["source"] for source in reported["sources"]] == ["second", "source"]
        second.stop()
        two.write("mall_0", "UPDATE orders_1 SET note = 'while the other is down' WHERE id < 100")
        two.wait("mall_0's rows come", lambda: any(row[2].startswith("while") for row in two.read_orders()))
        reported = status(two.job)
        assert reported is not None and not reported["caught_up"]
        second.start()
        two.write("mall_1", "UPDATE orders_0 SET note = 'back again', user_id = user_id + 1 WHERE id < 300")
        two.wait("both are equal", lambda: two.read_orders() == two.orders())
    log = two.job.log.read_text(encoding="utf-8")
    assert "second is isolated, the other sources continue" in log
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
    assert (100000, 5, "beside it") in two.read_orders()


@pytest.mark.long
def test_a_spec_may_want_all_sources_to_stop_with_one(two: TwoServers) -> None:
    file = two.job.project / "specs" / "grid.yaml"
    text = file.read_text(encoding="utf-8")
    stopping = text.replace(
        "  schema: schema", "  stream: {format: binlog, unavailable_source: stop}\n  schema: schema"
    )
    file.write_text(stopping, encoding="utf-8")
    two.job.call("compile")
    two.job.run_until_caught_up()
    with two.servers["mall_1"].connect("mall_1") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION binlog_format = 'STATEMENT'")
        cursor.execute("UPDATE orders_0 SET note = 'as a statement' WHERE id = 2")
    two.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=6)
    assert "SW8112" in two.job.end_of_log()
