"""Values, keys and rows that have broken systems like this one, through the copy and through the stream, between
servers whose modes, time zones and limits all differ, over TLS only (B4, B6, B10, C9, C19, C21, C24, C25, C28, D14,
D17, E23, G2, G4, G9, I2, I3, I7).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import Popen

import pytest

from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, password_file
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.specs.environment.environment import ClientCertificate
from tests.faults.hard_lab import EDGES, HARD, NAMES, SMALL_PACKET, UNSIGNED, HardLab, kinds, texts
from tests.servers.certificates import Authority, lock_key
from tests.servers.fixtures import FAST
from tests.servers.protected import ProtectedServers, start_protected_servers
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, kill_tree, session_members
from tests.support.lab import SPARK, contents

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.cold]

_TEXTS = "INSERT INTO texts VALUES (%s, %s, %s, %s, %s, %s, %s)"
_NAMED = "INSERT INTO named VALUES (%s, %s)"
_STAMPED = "INSERT INTO stamped VALUES (%s, %s, %s, %s, %s, '2001-02-03 04:05:06', '2001-02-03 04:05:06.070809')"
_CROWD = "INSERT INTO crowd VALUES (%s, %s, %s, 'copied')"
_KINDS = f"INSERT INTO kinds VALUES ({', '.join(['%s'] * 30)})"
_LARGE = "INSERT INTO large VALUES (%s, %s, %s, %s)"


@dataclass
class Hard:
    lab: HardLab
    run: Popen[bytes]
    folder: Path

    def drain(self) -> None:
        self.lab.drain(self.run)

    def read_stamp(self, id_: int, place: int) -> tuple[object, ...]:
        """Note and version of a row on its shard."""
        ((note, version),) = self.lab.at(place, f"SELECT note, version FROM stamped_{place // 2} WHERE id = {id_}")
        return note, version


@pytest.fixture(scope="module")
def protected(servers_folder: Path) -> Iterator[ProtectedServers]:
    """The source and two targets, over TLS only."""
    with start_protected_servers(servers_folder / "protected", ("hard_source", "hard_0", "hard_1"), extra=FAST) as made:
        yield made


@pytest.fixture(scope="module")
def hard_run(protected: ProtectedServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hard]:
    folder = tmp_path_factory.mktemp("hard")
    source_server, *target_servers = protected.servers
    (folder / "events").mkdir()
    spark = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{folder / 'events'}"}
    settings = {
        "spark": {**SPARK, "conf": {**SPARK["conf"], **spark}},  # type: ignore[dict-item]
        "snapshot": {"chunk_rows": 8},
        "batch": {"max_rows": 200},
    }
    lab = HardLab(Arena(source_server, tuple(target_servers), folder), folder, settings=settings, example=HARD)
    protected.secure(lab.job.project / "environments" / f"{ENVIRONMENT}.yaml")
    with lab.set_hard_values():
        lab.create_source()
        _fill(lab)
        zone, os.environ["TZ"] = os.environ.get("TZ"), "America/St_Johns"
        process = lab.start(gated=False)
        try:
            os.environ.pop("TZ")
            os.environ.update({} if zone is None else {"TZ": zone})
            lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
            lab.drain(process)
            yield Hard(lab, process, folder)
        finally:
            kill_tree(process)


def _fill(lab: HardLab) -> None:
    lab.rows(
        (_TEXTS, texts(1)),
        (_NAMED, [(name, at) for at, name in enumerate(NAMES)]),
        ("INSERT INTO edge VALUES (%s, %s, 'copied')", [(id_, at % 4) for at, id_ in enumerate(EDGES)]),
        ("INSERT INTO edge_unsigned VALUES (%s, %s, 'copied')", [(id_, at % 4) for at, id_ in enumerate(UNSIGNED)]),
        (_CROWD, [("many", at % 4, at) for at in range(60)] + [("few", 0, 0), ("zz", 3, 0)]),
        ("INSERT INTO single VALUES (1, 1)", [()]),
        (_STAMPED, [(id_, id_ % 4, f"m{id_}", "copied", 1) for id_ in range(1, 21)]),
        (_KINDS, kinds(0)),
        (_LARGE, [(1, 1, "é" * SMALL_PACKET, None), (2, 1, None, os.urandom(SMALL_PACKET * 3 // 4))]),
    )


@pytest.fixture
def hard(hard_run: Hard) -> Iterator[Hard]:
    """The module's run; in the end the shards hold the source."""
    assert hard_run.run.poll() is None, f"the run has ended:\n{hard_run.lab.job.end_of_log()}"
    yield hard_run
    hard_run.drain()
    hard_run.lab.require_equal()


@pytest.mark.in_turn
def test_b4_the_run_says_when_the_log_is_kept_for_less_than_a_day(hard: Hard) -> None:
    assert "warning: source keeps its log for 1 h: " in hard.lab.job.log.read_text(encoding="utf-8", errors="replace")


@pytest.mark.mysql
def test_b6_b10_c9_c19_c21_c24_c25_g2_g4_i2_everything_was_copied(hard: Hard) -> None:
    """What the lab was filled with, before anything comes by the stream."""
    hard.lab.require_equal()


@pytest.mark.in_turn
@pytest.mark.mysql
def test_b10_c9_c19_c21_c24_c25_g4_i2_every_value_comes_by_the_stream(hard: Hard) -> None:
    """As new rows, and in rows that have another value and move; keys of every kind are deleted and come back. What
    came by the copy is compared with the source by the same judge, so the two ways agree."""
    change = "UPDATE texts SET place = %s, fixed = %s, free = %s, bytes = %s, instant = %s, digits = %s WHERE id = %s"
    for turn in (1, 2, 5):
        hard.lab.rows(
            (_TEXTS, texts(1000 * turn, turn=turn)),
            (change, [(*row[1:], row[0]) for row in texts(1, turn=turn)]),
            (_KINDS, kinds(10 * turn)),
        )
    hard.lab.rows(("DELETE FROM named WHERE name = %s", [(name,) for name in NAMES[::2]]))
    hard.drain()
    hard.lab.require_equal()
    hard.lab.rows(
        (_NAMED, [(name, -at) for at, name in enumerate(NAMES[::2])]),
        ("UPDATE named SET name = CONCAT(name, %s) WHERE name = %s", [("!", name) for name in NAMES[1::2]]),
    )


def test_b6_the_ends_of_key_types_and_tables_that_were_empty(hard: Hard) -> None:
    hard.lab.rows(
        ("UPDATE edge SET note = 'changed', place = (place + 1) MOD 4 WHERE id = %s", [(id_,) for id_ in EDGES[::2]]),
        ("DELETE FROM edge WHERE id = %s", [(id_,) for id_ in EDGES[1::4]]),
        ("UPDATE edge_unsigned SET note = 'changed' WHERE id = %s", [(id_,) for id_ in UNSIGNED[::2]]),
        ("DELETE FROM edge_unsigned WHERE id = %s", [(id_,) for id_ in UNSIGNED[1::2]]),
        ("INSERT INTO nothing VALUES (%s, %s)", [(id_, id_ % 4) for id_ in range(-8, 8)]),
        ("DELETE FROM single", [()]),
    )


def test_c28_no_write_of_ours_sets_the_time_of_change(hard: Hard) -> None:
    """The source changes rows and keeps their times: a write on the shards that fired ON UPDATE would show the time of
    now."""
    kept = "changed = changed, exactly = exactly"
    hard.lab.write(f"UPDATE stamped SET note = 'late', version = version + 1, {kept} WHERE id < 12")
    hard.lab.write(
        f"UPDATE stamped SET mark = NULL, {kept} WHERE id = 4",
        f"UPDATE stamped SET mark = 'm4', {kept} WHERE id = 8",
        f"UPDATE stamped SET mark = 'm8', {kept} WHERE id = 4",
        f"UPDATE stamped SET place = (place + 1) MOD 4, {kept} WHERE id IN (5, 6)",
    )
    hard.drain()
    times = {row for place in range(4) for row in hard.lab.at(place, f"SELECT exactly FROM stamped_{place // 2}")}
    assert {str(time) for (time,) in times} == {"2001-02-03 04:05:06.070809"}


def test_g9_a_row_that_somebody_wrote_later_on_the_shard_is_kept(hard: Hard) -> None:
    """A higher version stays, an equal one gives way: the log is right about the rows it wrote itself."""
    lab = hard.lab
    lab.rows((_STAMPED, [(id_, 2, None, "ours", 1) for id_ in (101, 102, 103)]))
    hard.drain()
    for id_, version in ((101, 50), (102, 7), (103, 6)):
        lab.at(2, f"UPDATE stamped_1 SET note = 'theirs', version = {version} WHERE id = {id_}")
    lab.write("UPDATE stamped SET note = 'again', version = 7 WHERE id IN (101, 102, 103)")
    hard.drain()
    assert [hard.read_stamp(id_, 2) for id_ in (101, 102, 103)] == [("theirs", 50), ("again", 7), ("again", 7)]
    lab.write("UPDATE stamped SET note = 'newer', version = 51 WHERE id = 101")
    hard.drain()
    assert hard.read_stamp(101, 2) == ("newer", 51)


def test_d14_shard_keys_in_the_key_beside_it_and_computed(hard: Hard) -> None:
    """Rows change their keys, their places, and both at once."""
    hard.lab.rows(
        ("UPDATE crowd SET place = (place + 1) MOD 4 WHERE prefix = 'many' AND line < %s", [(20,)]),  # in the key
        ("UPDATE stamped SET place = (place + 2) MOD 4 WHERE id BETWEEN %s AND 20", [(12,)]),  # beside it
        ("UPDATE texts SET id = id + 100000, place = (place + 3) MOD 4 WHERE id <= %s", [(10,)]),
        (_NAMED, [(f"name {at}", at) for at in range(40)]),
        ("UPDATE named SET name = CONCAT('other ', name) WHERE name LIKE 'name %%'", [()]),  # computed from it
    )


def test_d17_nearly_everything_happens_to_one_row_and_on_one_shard(hard: Hard) -> None:
    """A batch is as large as it may be, however few rows its events are about."""
    lab, batches = hard.lab, hard.lab.ledger_state().batch
    hot = "UPDATE stamped SET note = %s, version = version + 1 WHERE id = 16"
    for turn in range(8):
        lab.rows(
            (hot, [(f"{turn}-{at}",) for at in range(80)]),
            (_TEXTS, [(50_000 + turn * 10 + at, 0, "x", "y", b"z", None, None) for at in range(10)]),
        )
    hard.drain()
    assert lab.ledger_state().batch >= batches + 4, "720 events in batches of 200 at the most"


def test_g2_rows_larger_than_a_shards_packets(hard: Hard) -> None:
    """LOAD DATA is no statement: it comes in small packets, and a row may be of any size."""
    size = SMALL_PACKET
    hard.lab.rows(
        (_LARGE, [(11, 1, "x" * (3 * size), None), (12, 3, "é" * size, os.urandom(3 * size))]),
        ("UPDATE large SET words = %s WHERE id = 1", [("y" * (2 * size),)]),
        ("UPDATE large SET place = 0 WHERE id = 2", [()]),
    )
    hard.drain()


def test_e23_what_the_log_does_not_hold_is_found_by_verify(hard: Hard) -> None:
    lab = hard.lab
    last = EDGES[-1]
    _execute_unlogged(
        lab, f"UPDATE edge SET note = 'unseen' WHERE id = {last}", "DELETE FROM crowd WHERE prefix = 'few'"
    )
    try:
        with (
            lab.at_ease()
        ):  # with its small packets a shard could not tell the sum of a larger value, and verify says so
            said = lab.job.call("verify", "--env", ENVIRONMENT, expect=1)
        assert f"{last}" in said and "source 'unseen', target 'copied'" in said
        assert "few" in said and "DIFFERENT (2 mismatches" in said
    finally:
        lab.at(3, f"UPDATE edge_1 SET note = 'unseen' WHERE id = {last}")
        lab.at(0, "DELETE FROM crowd_0 WHERE prefix = 'few'")


def _execute_unlogged(lab: HardLab, *statements: str) -> None:
    with lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
        for statement in ("SET SESSION sql_log_bin = 0", *statements):
            cursor.execute(statement)


def _connects(address: Endpoint) -> None:
    connect(address, None).close()


def _reads_the_log(address: Endpoint) -> None:
    log_head(address)


@pytest.mark.parametrize("reach", [_connects, _reads_the_log])
def test_i7_the_run_goes_over_tls_and_a_server_that_is_not_verified_gets_nothing(
    hard: Hard, protected: ProtectedServers, source_server: Server, reach: Callable[[Endpoint], None]
) -> None:
    """Its servers take no plain text, so chunks, the log, look-ups and LOAD DATA all go over TLS."""
    good, other = protected.authority.file, Authority(hard.folder / "other").file
    passes = _as_administrator(protected.servers[0], "verify_identity", good)
    reach(passes)
    reach(replace(passes, host="localhost", tls=replace(passes.tls, mode="verify_ca")))
    with pytest.raises((Refused, Unreachable), match=r"Access denied|takes no plain text"):
        reach(replace(passes, tls=Tls("off")))
    plain = _as_administrator(source_server, "verify_ca", good)
    # MySQL makes itself a certificate that nobody knows, MariaDB 10.11 none.
    plainly = (
        "offers no TLS, and the environment says tls: verify_ca"
        if source_server.sandbox.kind == "mariadb"
        else "is not who it should be"
    )
    for address, said in (
        (replace(passes, tls=Tls("verify_identity")), "an authority that this machine trusts"),
        (replace(passes, tls=Tls("verify_identity", str(other))), "is not who it should be"),
        (replace(passes, tls=Tls("verify_ca", str(other))), "is not who it should be"),
        (replace(passes, host="localhost"), "'localhost'"),
        (replace(passes, tls=Tls("verify_identity", str(hard.folder / "nothing.pem"))), "cannot be read"),
        (plain, plainly),
    ):
        with pytest.raises(Unreachable) as caught:
            reach(address)
        assert caught.value.code == "SW8105" and said in caught.value.message, caught.value


def test_i7_the_run_shows_its_certificate_where_the_accounts_require_one(
    hard: Hard, protected: ProtectedServers, tmp_path: Path
) -> None:
    """Its accounts REQUIRE X509, so chunks, the log, look-ups and LOAD DATA all show it."""
    source, ours = protected.servers[0], protected.client
    password = password_file(RUNTIME_USER, secrets=hard.folder / "secrets").read_text(encoding="utf-8").strip()
    ca = str(protected.authority.file)
    passes = Endpoint(source.host, source.port, RUNTIME_USER, password, Tls("verify_identity", ca, ours))
    foreign = Authority(tmp_path).certificate("client")
    unusable = (
        (replace(ours, key=str(foreign.key)), rf"cannot be shown with the key in {foreign.key}: .*MISMATCH"),
        (replace(ours, file="/nothing.pem"), "the client's certificate in /nothing.pem cannot be read: No such file"),
        (replace(ours, key="/nothing.key"), "the client's key in /nothing.key cannot be read: No such file"),
        (replace(ours, key=str(lock_key(Path(ours.key)))), "the key has a passphrase"),
    )
    for reach in (_connects, _reads_the_log):
        reach(passes)
        with pytest.raises((Refused, Unreachable), match="Access denied"):
            reach(_show_certificate(passes, None))
        with pytest.raises((Refused, Unreachable), match=f"shown the certificate in {foreign.file}"):
            reach(_show_certificate(passes, ClientCertificate(str(foreign.file), str(foreign.key))))
        for shown, said in unusable:
            with pytest.raises(Unreachable, match=said) as caught:
                reach(_show_certificate(passes, shown))
            assert caught.value.code == "SW8105" and password not in caught.value.message, caught.value


def _show_certificate(endpoint: Endpoint, certificate: ClientCertificate | None) -> Endpoint:
    return replace(endpoint, tls=replace(endpoint.tls, certificate=certificate))


def _as_administrator(server: Server, tls: str, ca: Path) -> Endpoint:
    password = server.sandbox.admin_password_file.read_text(encoding="utf-8")
    return Endpoint(server.host, server.port, "root", password, Tls(tls, str(ca)))


def test_i3_the_passwords_are_nowhere(hard: Hard) -> None:
    """Not in what was printed, the plan, Spark's event log and scratch files, the process list, the ledgers,
    reports."""
    lab = hard.lab
    printed = [lab.job.call("--debug", "status", "--env", ENVIRONMENT), lab.job.call("--debug", "explain", "SW7003")]
    places = {"printed": "\n".join(printed).encode(), "the shards": repr(contents(lab)).encode()}
    for pid in session_members(hard.run.pid):
        places[f"the command line of {pid}"] = Path(f"/proc/{pid}/cmdline").read_bytes()
    secrets = hard.folder / "secrets"
    for file in hard.folder.rglob("*"):
        if file.is_file() and secrets not in file.parents:
            places[str(file)] = file.read_bytes()
    assert any("events" in name and content for name, content in places.items()), "Spark's event log was to be read"
    passwords = [file.read_bytes().strip() for file in secrets.iterdir()]
    assert len(passwords) >= 2 and all(len(password) > 8 for password in passwords)
    assert [name for name, content in places.items() for password in passwords if password in content] == []
