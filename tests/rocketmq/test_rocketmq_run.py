"""`run` with its stream in RocketMQ: a real source, a connector that reads its log as Canal does, a real broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.queues.connector import canal
from tests.rocketmq.rocket_lab import RocketLab
from tests.servers.rocketmq import RocketMq
from tests.servers.testbed import Arena
from tests.support.job import kill_tree, session_members
from tests.support.lab import contents, move, new_family, rekey, remove

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


@pytest.fixture
def rocketmq(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RocketMq]:
    running = RocketMq(tmp_path_factory.mktemp("rocketmq"), secured=True)
    yield running
    running.close()


@pytest.fixture
def open_rocketmq(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RocketMq]:
    """It asks nobody for an account."""
    running = RocketMq(tmp_path_factory.mktemp("rocketmq"))
    yield running
    running.close()


@pytest.mark.cold
def test_i3_f9_a_run_follows_canal_in_two_queues_by_key_is_killed_and_continues(
    arena: Arena, tmp_path: Path, rocketmq: RocketMq
) -> None:
    lab = RocketLab(arena, tmp_path, rocketmq, queues=2)
    lab.fill({number: number % 4 for number in range(40)})
    with lab.connect(canal, lambda change: int(change.row_after["id"]) % 2):
        process = lab.start()
        try:
            lab.until(process, "it has begun", lambda: "starting at" in lab.job.end_of_log())
            for number in range(40, 60):
                lab.write(*new_family(number, number % 4))
            lab.write_all([move(3, 1), remove(4), rekey(5, 501), move(501, 2), new_family(4, 3)])
            lab.until(process, "the stream has applied a batch", lambda: lab.batch() > 0)
            commands = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in session_members(process.pid)]
        finally:
            kill_tree(process)
        lab.write_all([move(501, 3), remove(41), rekey(42, 4200)])
    lab.finish()
    lab.require_equal()
    _require_secret(lab, tmp_path, commands)


def test_f9_the_broker_restarts_under_a_run(arena: Arena, tmp_path: Path, open_rocketmq: RocketMq) -> None:
    """Name server and broker are killed while a batch's messages wait in them; the run says so, and goes on when they
    are back."""
    lab = RocketLab(arena, tmp_path, open_rocketmq, queues=2)
    lab.fill({number: number % 4 for number in range(40)})
    with lab.run() as process:
        with lab.connect(canal, lambda change: int(change.row_after["id"]) % 2):
            lab.until(process, "all is copied", lambda: "caught up with" in lab.job.end_of_log())
            lab.gates.hold("before-open-batch")
            lab.write_all([new_family(number, number % 4) for number in range(40, 60)])
            lab.reach(process, "before-open-batch")
            lab.write_all([move(3, 1), remove(4), rekey(5, 501), move(501, 2), new_family(4, 3)])
        open_rocketmq.stop()
        lab.gates.open_all()
        lab.until(process, "the run says so", lambda: "SW8481" in lab.job.end_of_log())
        open_rocketmq.start()
        lab.until(process, "the last row has come", lambda: lab.places(501) == [2] and lab.places(4) == [3])
    lab.finish()
    lab.require_equal()


def _require_secret(lab: RocketLab, folder: Path, commands: list[bytes]) -> None:
    """No key and no password is in what was printed, planned, logged by Spark at DEBUG, started or kept in the
    ledgers."""
    secrets = {file: file.read_bytes().strip() for file in (folder / "secrets").iterdir()}
    assert {b"access_key", b"secret_key"} <= {file.name.encode() for file in secrets} and len(secrets) >= 4
    places = {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file() and file not in secrets}
    assert b"DEBUG org.apache.spark" in places[str(folder / "spark-debug.log")], "Spark was to log at DEBUG"
    places |= {f"command {number}": text for number, text in enumerate(commands)}
    places["the shards"] = repr(contents(lab)).encode()
    assert any(b"java" in text for text in commands)
    assert [name for name, text in places.items() for secret in secrets.values() if secret in text] == []
