"""What a fence promises, for each kind: users' writes are stopped, ours are not, and no trace is left."""

from __future__ import annotations

import threading
import time
from typing import Any

import pymysql
import pytest

from shardwright.runtime.cutover.fences import trigger_fence
from shardwright.runtime.mysql.check import Verdict, has_refusal
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from shardwright.specs.environment.cutover import FenceKind
from tests.cutover.fence_lab import DATABASE, FenceLab, store
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

KINDS: tuple[FenceKind, ...] = ("triggers", "read_only", "lock_accounts")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> FenceKind:
    found: FenceKind = request.param
    return found


@pytest.fixture
def lab(arena: Arena, kind: FenceKind) -> FenceLab:
    made = FenceLab(arena)
    made.allow(kind)
    return made


def test_writers_are_stopped_and_continue_after_it(lab: FenceLab, kind: FenceKind) -> None:
    before = lab.state()
    fence = lab.fence(lab.setting(kind))
    assert not has_refusal(fence.checks()), fence.checks()
    undo = store(fence.before())
    assert lab.state() == before and not any(fence.in_force(undo).values())
    with lab.write() as writers:
        began = time.monotonic()
        fence.set(undo, drain_timeout=5.0)
        print(f"{kind}: set in {time.monotonic() - began:.2f} s")
        rows = lab.rows()
        assert fence.in_force(undo) == {f"{server.host}:{server.port}": True for server in lab.servers}
        time.sleep(0.5)
        assert lab.rows() == rows, "somebody has written"
        lab.fence(lab.setting(kind)).set(undo, drain_timeout=5.0)  # once more, as after a crash
        for server in lab.servers:
            with connect(lab.endpoint(server), DATABASE) as ours, ours.cursor() as cursor:
                cursor.execute("INSERT INTO orders (writer, note) VALUES (-1, 'ours')")
                cursor.execute("UPDATE orders SET note = 'ours, changed' WHERE writer = -1")
                cursor.execute("DELETE FROM orders WHERE writer = -1")
        assert lab.rows() == rows
        began = time.monotonic()
        lab.fence(lab.setting(kind)).lift(undo)
        print(f"{kind}: lifted in {time.monotonic() - began:.2f} s")
        assert lab.state() == before
        writers.until_written()
        lab.fence(lab.setting(kind)).lift(undo)
        assert lab.state() == before
    refused = {"triggers": {1644}, "read_only": {1290}, "lock_accounts": {4151, 3118}}[kind]
    assert refused & writers.errors


def test_a_transaction_that_does_not_end_is_killed_and_its_rows_are_gone(lab: FenceLab, kind: FenceKind) -> None:
    fence = lab.fence(lab.setting(kind))
    undo = fence.before()
    connections = [lab.connect(server, autocommit=False) for server in lab.servers]
    for connection in connections:
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO orders (writer, note) VALUES (1, 'open')")
    began = time.monotonic()
    fence.set(undo, drain_timeout=1.0)
    assert 1.0 <= time.monotonic() - began < 6.0
    for server, connection in zip(lab.servers, connections, strict=True):
        with pytest.raises(pymysql.err.MySQLError):
            connection.commit()
        assert lab.count(server, "open") == 0
    fence.lift(undo)


def test_a_transaction_that_ends_in_time_is_waited_for(lab: FenceLab, kind: FenceKind) -> None:
    fence = lab.fence(lab.setting(kind))
    undo = fence.before()
    said: list[int] = []
    (connection,) = (lab.connect(server, autocommit=False) for server in lab.servers[:1])
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO orders (writer, note) VALUES (1, 'in time')")

    def commit() -> None:
        time.sleep(1.0)
        try:
            connection.commit()
            said.append(0)
        except pymysql.err.MySQLError as error:
            said.append(error.args[0])

    thread = threading.Thread(target=commit)
    thread.start()
    fence.set(undo, drain_timeout=20.0)
    thread.join()
    rows = lab.count(lab.servers[0], "in time")
    # A server that is read_only refuses the COMMIT itself.
    assert (said, rows) == (([1290], 0) if kind == "read_only" else ([0], 1))
    fence.lift(undo)


def test_half_of_it_is_lifted_by_another_process(
    lab: FenceLab, kind: FenceKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = lab.state()
    setting = lab.setting(kind)
    undo = store(lab.fence(setting).before())
    if kind == "triggers":
        _stop_after(monkeypatch, 2)
        with pytest.raises(RuntimeError, match="killed"):
            lab.fence(setting).set(undo, drain_timeout=5.0)
        monkeypatch.undo()
    else:
        lab.fence(setting, servers=lab.servers[:1]).set(undo, drain_timeout=5.0)
    assert lab.state() != before and not all(lab.fence(setting).in_force(undo).values())
    lab.fence(setting).lift(undo)
    assert lab.state() == before


def test_half_of_it_is_completed_by_another_process(
    lab: FenceLab, kind: FenceKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = lab.state()
    setting = lab.setting(kind)
    undo = store(lab.fence(setting).before())
    if kind == "triggers":
        _stop_after(monkeypatch, 4)
        with pytest.raises(RuntimeError, match="killed"):
            lab.fence(setting).set(undo, drain_timeout=5.0)
        monkeypatch.undo()
    else:
        lab.fence(setting, servers=lab.servers[1:]).set(undo, drain_timeout=5.0)
    lab.fence(setting).set(undo, drain_timeout=5.0)
    assert all(lab.fence(setting).in_force(undo).values())
    lab.fence(setting, servers=lab.servers[:1]).lift(undo)  # lifting is killed half-way, too
    lab.fence(setting).lift(undo)
    assert lab.state() == before


def test_missing_grants_are_named_as_the_statements_that_give_them(arena: Arena, kind: FenceKind) -> None:
    lab = FenceLab(arena)
    fence = lab.fence(lab.setting(kind))
    for _ in range(10):
        found = [check for check in fence.checks() if check.verdict is Verdict.REFUSED]
        if not found:
            break
        assert {check.code for check in found} == {"SW8125"}, found
        for check in found:
            (server,) = (each for each in lab.servers if check.where == f"{each.host}:{each.port}")
            assert check.way_out.startswith("GRANT "), check
            server.query(check.way_out)
    assert not has_refusal(fence.checks()), fence.checks()
    undo = fence.before()
    fence.set(undo, drain_timeout=1.0)
    fence.lift(undo)


def test_a_prepared_transaction_is_no_connection_to_kill(lab: FenceLab, kind: FenceKind) -> None:
    """MySQL commits it in spite of read_only, and MariaDB creates triggers beside it."""
    fence = lab.fence(lab.setting(kind))
    undo = fence.before()
    server = lab.servers[0]
    connection = lab.connect(server)
    with connection.cursor() as cursor:
        for statement in (
            "XA START 'x'", "INSERT INTO orders (writer, note) VALUES (1, 'prepared')", "XA END 'x'", "XA PREPARE 'x'"
        ):  # fmt: skip
            cursor.execute(statement)
    connection.close()
    try:
        time.sleep(0.3)
        (check,) = (check for check in fence.checks() if check.verdict is Verdict.WARNING and "XA" in check.way_out)
        assert check.where == f"{server.host}:{server.port}"
        with pytest.raises(Exception, match=r"SW8903.*XA RECOVER") as caught:
            fence.set(undo, drain_timeout=1.0)
        print(caught.value)
    finally:
        server.query("XA ROLLBACK 'x'")
    fence.set(undo, drain_timeout=1.0)
    fence.lift(undo)
    assert lab.count(server, "prepared") == 0


def test_an_account_with_almost_our_name_is_stopped(lab: FenceLab, kind: FenceKind) -> None:
    if kind == "lock_accounts":
        pytest.skip("it stops the accounts that are named")
    server = lab.servers[0]
    names = [RUNTIME_USER.upper(), f"{RUNTIME_USER}2", f"{RUNTIME_USER}@evil"]
    try:
        for name in names:
            server.query("CREATE USER %s@%s IDENTIFIED BY 'x'", (name, server.sandbox.account_host))
            server.query(f"GRANT ALL PRIVILEGES ON {DATABASE}.* TO %s@%s", (name, server.sandbox.account_host))
        fence = lab.fence(lab.setting(kind))
        undo = fence.before()
        fence.set(undo, drain_timeout=1.0)
        for name in names:
            with server.connect(DATABASE, user=name, password="x") as connection, connection.cursor() as cursor:
                for statement in (
                    "INSERT INTO orders (writer) VALUES (1)",
                    "REPLACE INTO orders (id, writer) VALUES (1, 1)",
                ):
                    with pytest.raises(pymysql.err.MySQLError) as caught:
                        cursor.execute(statement)
                    assert caught.value.args[0] == (1644 if kind == "triggers" else 1290), name
        fence.lift(undo)
    finally:
        for name in names:
            server.query("DROP USER IF EXISTS %s@%s", (name, server.sandbox.account_host))


def test_an_unreachable_server_is_named_and_the_others_are_fenced(lab: FenceLab, kind: FenceKind) -> None:
    fence = lab.fence(lab.setting(kind))
    undo = fence.before()
    lab.servers[1].stop()
    try:
        with pytest.raises(Exception, match=f"{lab.servers[1].port}"):
            fence.set(undo, drain_timeout=1.0)
        assert lab.fence(lab.setting(kind), servers=lab.servers[:1]).in_force(undo) == {
            f"{lab.servers[0].host}:{lab.servers[0].port}": True
        }
    finally:
        lab.servers[1].start()
    fence.lift(undo)


def _stop_after(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """As if the process were killed behind so many triggers."""
    there: list[Any] = []
    right = trigger_fence._replace
    lock = threading.Lock()

    def replace(connection: Any, trigger: Any) -> None:
        with lock:
            there.append(trigger)
            last = len(there) > number
        if last:
            raise RuntimeError("killed")
        right(connection, trigger)

    monkeypatch.setattr(trigger_fence, "_replace", replace)
