"""The source's server changes, is reset, or purges its log: two real servers, one copying the other (hazards E3-E6,
E8).

MariaDB by default. With SHARDWRIGHT_SERVER naming a mysqld the same tests run on MySQL; those of one kind only are
skipped on the other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pymysql
import pytest

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.run.throttle.replica_lag import replica_gauge, replica_state
from shardwright.runtime.run.throttle.throttler import Throttler
from shardwright.runtime.sources.binlog.ddl_statements import statement_at
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import Kind
from shardwright.runtime.sources.binlog.gtid import parse_gtids
from shardwright.runtime.sources.binlog.gtid_event import History
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.walk import walk
from shardwright.runtime.sources.positions.earlier_place import EarlierPlace
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.servers.xa import commit, prepare, roll_back
from tests.support.replicas import TABLES, Node, Reader, server_kind
from tests.support.waiting import wait_until

pytestmark = pytest.mark.server
OPTIONS = {
    "innodb-flush-log-at-trx-commit": "2",
    "sync-binlog": "0",
    "log-slave-updates": "ON",
    "slave-net-timeout": "5",
}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Node]]:
    folder = tmp_path_factory.mktemp("nodes")
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda number: Node(folder / str(number), number, OPTIONS), (101, 102)))
    yield made[0], made[1]
    for node in made:
        node.remove()


@pytest.fixture
def pair(nodes: tuple[Node, Node]) -> tuple[Node, Node]:
    """A primary with an empty table and a replica that copies it."""
    primary, replica = nodes
    for node in nodes:
        node.start()
        node.forget_everything()
    replica.copy_from(primary)
    primary.run("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v INT)")
    replica.wait_for_table()
    return primary, replica


def insert(node: Node, first: int, last: int) -> None:
    for number in range(first, last + 1):
        node.run(f"INSERT INTO shop.t VALUES ({number}, {number})")


def reader_of(node: Node) -> Reader:
    return Reader(node, node.position(), node.rows())


def test_e5_a_killed_primary_is_replaced_by_its_replica(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 20)
    reader.follow(max_rows=3, batches=2)
    seen = dict(reader.rows)
    assert 0 < len(seen) < 20
    primary.run("UPDATE shop.t SET v = v + 100 WHERE id <= 5", "DELETE FROM shop.t WHERE id = 6")
    replica.wait_for(primary.rows())
    primary.stop()
    replica.stop_copying()
    insert(replica, 21, 30)
    replica.run("UPDATE shop.t SET v = -1 WHERE id = 1")
    decided = reader.go_over_to(replica)
    assert len(decided) == 1
    assert "found by GTID" in decided[0]
    assert reader.position.epoch == 1
    assert reader.position.owed.replay_until is None
    assert reader.rows == seen
    reader.follow(max_rows=4)
    assert reader.rows == replica.rows()
    assert len(reader.rows) == 29
    assert reader.go_over_to(replica) == ()  # the next start finds the same server


def test_e5_e21_a_transaction_that_the_old_server_prepared_is_found_in_the_new_one(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 3)
    prepare(primary.run, "'both'", "UPDATE shop.t SET v = 10 WHERE id = 1", "INSERT INTO shop.t VALUES (10, 10)")
    primary.flush()
    prepare(primary.run, "'late'", "DELETE FROM shop.t WHERE id = 2", "INSERT INTO shop.t VALUES (11, 11)")
    insert(primary, 4, 4)
    reader.follow()
    assert reader.rows == {1: 1, 2: 2, 3: 3, 4: 4}
    commit(primary.run, "'both'")
    replica.wait_for({1: 10, 2: 2, 3: 3, 4: 4, 10: 10})
    replica.flush()
    primary.stop()
    replica.stop_copying()
    commit(replica.run, "'late'")
    reader.go_over_to(replica)
    reader.follow()
    assert reader.rows == replica.rows() == {1: 10, 3: 3, 4: 4, 10: 10, 11: 11}
    primary.start()
    roll_back(primary.run, "'late'")  # else the next test could not drop the table


def test_e5_the_reader_notices_another_server_at_every_connect(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    insert(primary, 1, 3)
    start = primary.position()
    insert(primary, 4, 6)
    replica.wait_for(primary.rows())
    with pytest.raises(StoppedPartWay, match="SW8135"):
        list(dump(replica.log, start, primary.position()))
    for place in (start, replace(start, offset=1 << 30), replace(start, file="other.000001")):
        with pytest.raises(StoppedPartWay, match="SW8135"):
            next_boundary(Log(replica.log, TABLES), place, limits=BatchLimits(max_bytes=1 << 30, max_rows=100))


def test_e5_errant_transactions_of_the_new_server_are_read_with_all_behind_them(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 5)
    replica.wait_for(primary.rows())
    replica.run("UPDATE shop.t SET v = 777 WHERE id IN (1, 2)", "INSERT INTO shop.t VALUES (50, 50)")
    primary.run("UPDATE shop.t SET v = 11 WHERE id = 1", "UPDATE shop.t SET v = 33 WHERE id = 3")
    primary.run("INSERT INTO shop.t VALUES (9, 9)", "DELETE FROM shop.t WHERE id = 9")
    wanted = {1: 11, 2: 777, 3: 33, 4: 4, 5: 5, 50: 50}
    replica.wait_for(wanted)
    reader.follow()
    assert reader.rows == {1: 11, 2: 2, 3: 33, 4: 4, 5: 5}
    replica.stop_copying()
    insert(replica, 60, 62)
    (line,) = reader.go_over_to(replica)
    assert "as one batch" in line
    first = len(reader.batches)
    reader.follow(max_rows=1)
    assert reader.rows == wanted | {60: 60, 61: 61, 62: 62} == replica.rows()
    assert reader.batches[first:] == [
        7,
        1,
        1,
        1,
    ]  # the errant ones and all up to our place, then the limit counts again


def test_e6_a_lagging_replica_is_waited_for_then_refused(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 3)
    replica.wait_for(primary.rows())
    replica.stop_copying()
    insert(primary, 4, 6)
    reader.follow()
    with pytest.raises(
        Refused, match=r"SW8134: .* lacks transactions that were applied already: .*\d.*changes of shop\.t"
    ):
        reader.go_over_to(replica, wait=1)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(reader.go_over_to, replica, wait=200)
        replica.start_copying()
        waiting.result(timeout=200)
    replica.stop_copying()
    insert(replica, 7, 8)
    reader.follow()
    assert reader.rows == replica.rows() == {n: n for n in range(1, 9)}


def test_e3_a_purged_log_is_refused_with_the_gap_and_the_tables(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 4)
    primary.flush()
    insert(primary, 5, 6)
    replica.wait_for(primary.rows())
    primary.purge_to_newest()
    with pytest.raises(Refused, match=r"SW8133: .*purged.*transactions .*shop\.t: start the migration over"):
        reader.go_over_to(primary)
    replica.purge_to_newest()
    with pytest.raises(Refused, match=r"SW8133: .*not applied yet: .*purged: .*changes of shop\.t are lost"):
        reader.go_over_to(replica)


def test_e3_a_purge_of_what_was_applied_does_no_harm(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 4)
    replica.wait_for(primary.rows())
    reader.follow()
    replica.purge_to_newest()
    replica.stop_copying()
    replica.flush()
    insert(replica, 5, 6)
    reader.go_over_to(replica)
    reader.follow()
    assert reader.rows == replica.rows() == {n: n for n in range(1, 7)}


def test_e8_a_reset_log_is_refused_though_file_and_offset_exist_again(pair: tuple[Node, Node]) -> None:
    primary, _ = pair
    insert(primary, 1, 2)
    reader = reader_of(primary)
    insert(primary, 3, 3)
    boundary = next_boundary(
        Log(primary.log, TABLES), reader.position, limits=BatchLimits(max_bytes=1 << 30, max_rows=100)
    )
    assert boundary.end.created is not None
    primary.run("DO SLEEP(1.1)", "RESET BINARY LOGS AND GTIDS" if primary.is_mysql else "RESET MASTER")
    insert(primary, 10, 40)
    assert primary.position() > boundary.end
    with pytest.raises(Refused, match=r"SW8132: .*was reset"):
        reader.go_over_to(primary)
    with pytest.raises(Refused, match=r"SW8132: .*was created .*was reset"):
        list(dump(primary.log, reader.position, boundary.end))


def test_e8_a_server_restored_to_an_older_state_is_refused(pair: tuple[Node, Node]) -> None:
    primary, _ = pair
    insert(primary, 1, 5)
    reader = reader_of(primary)
    primary.run("RESET BINARY LOGS AND GTIDS" if primary.is_mysql else "RESET MASTER")
    with pytest.raises(Refused, match="SW8132"):
        reader.go_over_to(primary)


def test_e5_transactions_lost_with_the_old_server_are_named(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    replica.stop_copying()
    reader = reader_of(primary)
    insert(primary, 1, 2)
    reader.follow()
    primary.stop()
    insert(replica, 5, 6)  # as many, in the same place, but others
    with pytest.raises(Refused, match=r"SW8134"):
        reader.go_over_to(replica, wait=0.5)


def test_e5_it_goes_back_to_the_latest_place_that_the_new_server_has(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    places = []
    for number in (1, 2, 3, 4):
        if number == 3:
            replica.wait_for(primary.rows())
            replica.stop_copying()
        places.insert(0, EarlierPlace(number, reader.position, rows=5 - number, fixed=()))
        primary.run(f"INSERT INTO shop.t VALUES ({number}, {number})")
        reader.follow()
    existing, rows = reader.position, dict(reader.rows)
    primary.stop()
    insert(replica, 5, 6)

    def refused(why: str, *, earlier: list[EarlierPlace]) -> None:
        with pytest.raises(Refused, match=f"SW8134: .*{why}.*changes of shop\\.t"):
            reader.go_over_to(replica, wait=0.5, earlier=earlier)

    refused("what they changed is not known", earlier=[])
    refused("begins before what the run keeps track of", earlier=places[:1])
    refused("failover.reread_rows allows 10", earlier=[replace(place, rows=11) for place in places])
    refused("rows of t changed, which cannot", earlier=[replace(place, fixed=("t",)) for place in places])
    replica.run("SET GLOBAL read_only = 1")
    refused("it is read-only", earlier=places)
    replica.run("SET GLOBAL read_only = 0")
    lost, moved = reader.go_over_to(replica, wait=0.5, earlier=places)
    assert "the keys of 2 rows" in lost
    assert str(existing) in lost
    assert "batch 3 began" in moved
    assert reader.position.owed.repair_from_batch == 3
    assert reader.position.epoch == 1
    reader.follow()  # without what is read again: 3 and 4 stay, which the new server never had
    assert reader.rows == rows | {5: 5, 6: 6}


def between(primary: Node, replica: Node) -> Reader:
    """A reader of the replica, which copies the primary and takes writes of its own."""
    replica.run(
        "CREATE DATABASE IF NOT EXISTS mon", "CREATE TABLE IF NOT EXISTS mon.heartbeat (id INT PRIMARY KEY, n INT)"
    )
    insert(primary, 1, 2)
    replica.wait_for(primary.rows())
    return reader_of(replica)


def beat(replica: Node, count: int) -> None:
    replica.run(*(f"REPLACE INTO mon.heartbeat VALUES (1, {number})" for number in range(count)))


def test_n25_transactions_that_changed_no_followed_table_are_not_missed(pair: tuple[Node, Node]) -> None:
    """A tool writes heartbeats into the replica that is followed. It goes over to the primary, which has none."""
    primary, replica = pair
    reader = between(primary, replica)
    reader.position = replace(reader.position, gtids=primary.position().gtids)  # as if it had been set up later
    for number in (3, 4):
        beat(replica, 5)
        insert(primary, number, number)
        replica.wait_for(primary.rows())
        reader.follow()
    beat(replica, 5)
    reader.follow()
    replica.stop_copying()
    insert(primary, 5, 5)
    moved, reported = reader.go_over_to(primary, wait=0.5)
    assert "found by GTID" in moved and "which changed no followed table" in reported
    reader.follow()
    assert reader.rows == primary.rows()
    assert parse_gtids(reader.position.gtids or "") == parse_gtids(primary.position().gtids or "")


def test_n25_what_is_not_known_is_one_question(pair: tuple[Node, Node]) -> None:
    """The heartbeats of before the migration: the stream has never met them."""
    primary, replica = pair
    reader = between(primary, replica)
    if not replica.is_mysql:
        reader.position = replace(reader.position, gtids=f"{reader.position.gtids},7-102-90")
    beat(replica, 3)
    insert(primary, 3, 3)
    replica.wait_for(primary.rows())
    reader.follow()
    replica.stop_copying()
    insert(primary, 4, 4)
    with pytest.raises(Refused, match=r"SW8166: .*not known.*shardwright run --allow SW8166$") as refused:
        reader.go_over_to(primary, wait=0.5)
    assert "start the migration over" not in refused.value.message
    moved, reported = reader.go_over_to(primary, wait=0.5, without=["SW8166"])
    assert "found by GTID" in moved and "an operator lets the stream continue" in reported
    reader.follow()
    assert reader.rows == primary.rows()


def test_n25b_n26_a_transaction_of_its_own_that_changed_a_followed_table_counts_as_lost(
    pair: tuple[Node, Node],
) -> None:
    """MariaDB numbers it like those of the primary, whose transaction is the last of the domain again (N26)."""
    primary, replica = pair
    reader = between(primary, replica)
    reader.position = replace(reader.position, gtids=primary.position().gtids)
    beat(replica, 3)
    reader.follow()
    place = EarlierPlace(4, reader.position, rows=2, fixed=())
    replica.run("UPDATE shop.t SET v = 77 WHERE id = 1", "INSERT INTO shop.t VALUES (900, 900)")
    beat(replica, 3)
    insert(primary, 3, 3)
    replica.wait_for({1: 77, 2: 2, 3: 3, 900: 900})
    reader.follow()
    replica.stop_copying()
    with pytest.raises(Refused, match=r"SW8134: .*lacks transactions.*changes of shop\.t.*run --allow SW8134$"):
        reader.go_over_to(primary, wait=0.5)
    again = replace(reader)
    lost, moved = again.go_over_to(primary, wait=0.5, earlier=[place])
    assert "the keys of 2 rows" in lost and "batch 4 began" in moved
    assert again.position.owed.repair_from_batch == 4
    with pytest.raises(Refused, match="SW8134"):
        reader.go_over_to(primary, wait=0.5, without=["SW8166"])
    reader.go_over_to(primary, wait=0.5, without=["SW8134"])
    reader.follow()
    assert reader.rows == primary.rows() | {1: 77, 900: 900}, "verify names them"


def test_n18_the_log_of_a_replica_distinguishes_the_phases_of_an_alter_too(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    if not primary.run("SHOW VARIABLES LIKE 'binlog_alter_two_phase'"):
        pytest.skip("MariaDB only: from 10.8 on")
    primary.run("INSERT INTO shop.t VALUES (1, 1), (2, 1)")
    replica.wait_for(primary.rows())
    reader = reader_of(replica)
    with pytest.raises(pymysql.err.IntegrityError):
        primary.run("SET SESSION binlog_alter_two_phase = ON", "ALTER TABLE shop.t ADD UNIQUE KEY (v)")
    insert(primary, 3, 3)
    replica.wait_for(primary.rows())
    reader.follow()
    assert reader.rows == primary.rows()
    primary.run("SET SESSION binlog_alter_two_phase = ON", "ALTER TABLE shop.t COMMENT 'n18', FORCE")
    insert(primary, 4, 4)
    replica.wait_for(primary.rows())
    with pytest.raises(Refused, match="SW8114"):
        reader.follow()


def test_n25_a_position_behind_a_statement_that_was_skipped_keeps_its_transactions(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 2)
    reader.follow()
    primary.run("ALTER TABLE shop.t COMMENT 'n25'")
    found = statement_at(Log(primary.log, TABLES), replace(reader.position, epoch=3))
    assert found is not None and isinstance(found.after, LogPosition)
    assert found.after.epoch == 3 and found.after.server == reader.position.server
    assert found.after.gtids is not None
    assert parse_gtids(found.after.gtids) == parse_gtids(primary.position().gtids or "")
    reader.position = replace(found.after, epoch=0)
    replica.wait_for(primary.rows())
    primary.stop()
    replica.stop_copying()
    insert(replica, 3, 4)
    reader.go_over_to(replica)
    reader.follow()
    assert reader.rows == replica.rows()


def test_g6_an_old_primary_that_comes_back_beside_the_new_one_is_not_read(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    reader = reader_of(primary)
    insert(primary, 1, 3)
    replica.wait_for(primary.rows())
    replica.stop_copying()
    reader.follow()
    insert(primary, 4, 5)  # errant: nobody else has them, and the stream has not seen them
    primary.stop()
    insert(replica, 6, 7)
    reader.go_over_to(replica)
    reader.follow()
    assert reader.rows == {1: 1, 2: 2, 3: 3, 6: 6, 7: 7}
    primary.start()
    insert(primary, 8, 9)
    insert(replica, 10, 10)
    with pytest.raises(StoppedPartWay, match="SW8135"):  # it answers at the address of the new one
        next_boundary(Log(primary.log, TABLES), reader.position, limits=BatchLimits(max_bytes=1 << 30, max_rows=100))
    with pytest.raises(StoppedPartWay, match="SW8135"):
        list(dump(primary.log, reader.position, replica.position()))
    with pytest.raises(Refused, match="SW8134"):
        reader.go_over_to(primary, wait=0.5)
    reader.follow()
    assert reader.rows == replica.rows()


def test_e6_several_domains_one_of_them_idle(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    if primary.is_mysql:
        pytest.skip("MariaDB only: domains")
    primary.run("SET gtid_domain_id = 7", "INSERT INTO shop.t VALUES (70, 70)")
    reader = reader_of(primary)
    for number in range(1, 9):
        primary.run(f"SET gtid_domain_id = {number % 3}", f"INSERT INTO shop.t VALUES ({number}, {number})")
    reader.follow(max_rows=2, batches=2)
    primary.run("SET gtid_domain_id = 1", "UPDATE shop.t SET v = 0 WHERE id = 1")
    replica.wait_for(primary.rows())
    replica.purge_to_newest() if reader.rows == primary.rows() else replica.flush()
    primary.stop()
    replica.stop_copying()
    replica.run("SET gtid_domain_id = 2", "INSERT INTO shop.t VALUES (20, 20)")
    insert(replica, 30, 31)
    reader.go_over_to(replica)
    reader.follow(max_rows=1)
    assert reader.rows == replica.rows()
    # And back to the first server, which must catch up before.
    primary.start()
    primary.copy_from(replica)
    primary.wait_for(replica.rows())
    primary.stop_copying()
    primary.run("SET gtid_domain_id = 7", "DELETE FROM shop.t WHERE id = 70")
    reader.go_over_to(primary)
    assert reader.position.epoch == 2
    reader.follow()
    assert reader.rows == primary.rows()
    assert 70 not in reader.rows


def test_e6_a_replica_made_from_a_backup_knows_what_its_log_never_held(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    insert(primary, 1, 4)
    rows = primary.rows()
    replica.wait_for(rows)
    before, applied = reader_of(primary), reader_of(primary)
    before.position, before.rows = before.position, {}
    insert(primary, 5, 6)
    replica.wait_for(primary.rows())
    _as_if_from_a_backup(replica)
    replica.copy_from(primary)
    applied.follow()
    insert(primary, 7, 8)
    replica.wait_for(primary.rows())
    primary.stop()
    replica.stop_copying()
    insert(replica, 9, 9)
    applied.go_over_to(replica)
    applied.follow()
    assert applied.rows == replica.rows()
    with pytest.raises(Refused, match="SW8133"):  # this one lacks 5 and 6, which no log holds any more
        before.go_over_to(replica)


def _as_if_from_a_backup(replica: Node) -> None:
    if replica.is_mysql:
        executed = replica.run("SELECT @@gtid_executed")[0][0]
        replica.run(
            "STOP REPLICA", "RESET REPLICA ALL", "RESET BINARY LOGS AND GTIDS", f"SET GLOBAL gtid_purged = '{executed}'"
        )
    else:
        position = replica.run("SELECT @@gtid_slave_pos")[0][0]
        replica.run("STOP SLAVE", "RESET SLAVE ALL", "RESET MASTER", f"SET GLOBAL gtid_slave_pos = '{position}'")


def test_a6_a_gtid_counts_only_at_its_transactions_end(pair: tuple[Node, Node]) -> None:
    primary, _ = pair
    start = primary.position()
    primary.run("BEGIN", "INSERT INTO shop.t VALUES (1, 1), (2, 2)", "UPDATE shop.t SET v = 5", "COMMIT")
    insert(primary, 3, 4)
    history = History(start)
    known = [start.gtids]
    for step in walk(Log(primary.log, TABLES), start, primary.position()):
        history.feed(step.event, inside=step.inside)
        gtids = history.at(step.after).gtids
        assert gtids is not None
        assert (gtids != known[-1]) == (step.event.kind == Kind.XID), step.event.kind  # with the commit, nowhere else
        if gtids != known[-1]:
            known.append(gtids)
    assert len(known) == 4
    assert parse_gtids(known[-1]).includes(parse_gtids(primary.position().gtids or ""))


@pytest.fixture(scope="module")
def uncounted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Node]]:
    """MySQL without GTIDs."""
    folder = tmp_path_factory.mktemp("uncounted")
    options = {**OPTIONS, "gtid-mode": "OFF", "enforce-gtid-consistency": "OFF"}
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda number: Node(folder / str(number), number, options), (111, 112)))
    yield made[0], made[1]
    for node in made:
        node.remove()


def _begin(uncounted: tuple[Node, Node]) -> tuple[Node, Node, Reader]:
    """A primary, its replica, and who reads the primary's log: all with one empty table."""
    primary, replica = uncounted
    for node in uncounted:
        node.forget_everything()
    replica.copy_from(primary)
    primary.run("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v INT)", "DO SLEEP(3)")
    replica.wait_for_table()
    return primary, replica, reader_of(primary)


@pytest.mark.skipif(server_kind() != "mysql", reason="MySQL only: MariaDB always counts its transactions")
def test_e5_without_gtids_the_last_applied_transaction_is_found_by_its_commit_time(
    uncounted: tuple[Node, Node],
) -> None:
    primary, replica, reader = _begin(uncounted)
    insert(primary, 1, 9)
    primary.run("UPDATE shop.t SET v = 100 WHERE id < 3", "DELETE FROM shop.t WHERE id = 4")
    reader.follow()
    replica.wait_for(primary.rows())
    replica.stop_copying()
    insert(replica, 20, 24)
    rows = dict(reader.rows)
    (line,) = reader.go_over_to(replica, margin=1.0)
    assert "by commit time" in line
    assert reader.position.gtids is None
    assert reader.rows == rows
    reader.follow(max_rows=1)
    assert reader.rows == replica.rows()
    assert 4 not in reader.rows
    with pytest.raises(Refused, match=r"SW8133: .*does not reach back"):
        reader.go_over_to(primary, margin=3600.0)
    with pytest.raises(Refused, match=r"SW8134: .*does not hold the last transaction"):
        reader.go_over_to(primary, margin=1.0, wait=0.5)


@pytest.mark.skipif(server_kind() != "mysql", reason="MySQL only: MariaDB always counts its transactions")
def test_e5_without_gtids_lost_transactions_lead_back_to_a_commit_time(uncounted: tuple[Node, Node]) -> None:
    primary, replica, reader = _begin(uncounted)
    insert(primary, 1, 3)
    reader.follow()
    replica.wait_for(primary.rows())
    replica.stop_copying()
    common = EarlierPlace(2, reader.position, rows=2, fixed=())
    insert(primary, 4, 4)
    reader.follow()
    later = EarlierPlace(3, reader.position, rows=1, fixed=())
    insert(primary, 5, 5)
    reader.follow()
    insert(replica, 6, 7)
    lost, moved = reader.go_over_to(replica, margin=1.0, wait=0.5, earlier=[later, common])
    assert "does not hold the last transaction" in lost
    assert "batch 2 began" in moved
    assert reader.position.owed.repair_from_batch == 2
    reader.follow()
    assert reader.rows == {n: n for n in range(1, 8)}  # 4 and 5 are what is read again by key


@contextmanager
def _wait_in_thread(throttler: Throttler) -> Iterator[threading.Thread]:
    thread = threading.Thread(target=throttler.wait, daemon=True)
    thread.start()
    yield thread
    thread.join(timeout=200)
    assert not thread.is_alive()


def _until(holds: Callable[[], bool]) -> None:
    wait_until("it is so", holds)


def test_g7_writing_pauses_while_a_replica_lags_stops_or_cannot_be_asked(pair: tuple[Node, Node]) -> None:
    primary, replica = pair
    insert(primary, 1, 1)
    replica.wait_for({1: 1})
    said: list[str] = []
    ending = threading.Event()
    found = Endpoint(replica.server.host, replica.server.port, "root", replica.password)

    def throttler(address: Endpoint = found) -> Throttler:
        said.clear()
        return Throttler("writing", [replica_gauge("spare", address, 0.5)], emit_lines(said.append), ending.is_set)

    _until(lambda: not replica_state("spare", found, 0.5).holds)
    throttler().wait()
    assert said == []
    with replica.server.connect() as reader:
        reader.query("LOCK TABLES shop.t READ")  # a report that holds up what the replica copies
        insert(primary, 2, 2)
        _until(lambda: replica_state("spare", found, 0.5).holds)
        with _wait_in_thread(throttler()) as thread:
            _until(lambda: bool(said))
            assert thread.is_alive() and said == ["writing pauses: replica spare is more than 0.5 s behind"]
            reader.query("UNLOCK TABLES")
    assert said[1].endswith("s: replica spare has caught up") and len(said) == 2
    replica.stop_copying()
    with _wait_in_thread(throttler()) as thread:
        _until(lambda: bool(said))
        assert thread.is_alive() and said == ["writing pauses: replica spare gives no reading (it does not copy now)"]
        replica.start_copying()
    assert len(said) == 2
    nowhere = replace(found, port=free_port())
    with _wait_in_thread(throttler(nowhere)) as thread:
        _until(lambda: bool(said))
        assert thread.is_alive() and "gives no reading (cannot reach" in said[0]
        ending.set()  # whoever stops the run does not wait for a replica
    assert len(said) == 1
    itself = replace(found, port=primary.server.port, password=primary.password)
    assert replica_state("itself", itself, 0.5).why == "it is no replica"
