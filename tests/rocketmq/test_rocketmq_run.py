"""`run` with its stream in RocketMQ: a real source, a connector that reads its log as Canal does, a real broker."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.interleavings.driver import PROJECT, SPARK, Lab, contents, move, new_family, rekey, remove
from tests.queues.connector import Choose, Connector, Form, canal
from tests.queues.queue_lab import TOPIC, QueueLab
from tests.servers.jars import ROCKETMQ_CLIENT, jars
from tests.servers.rocketmq import RocketMq
from tests.servers.testbed import Arena
from tests.workload.job import kill_tree, session_members

# Spark sets the root's level for itself; loggers of their own keep theirs.
_SPARK_AT_DEBUG = """\
rootLogger.level = error
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {folder}/spark-debug.log
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %p %c %m%n%ex
logger.org.name = org
logger.org.level = debug
logger.io.name = io
logger.io.level = debug
logger.com.name = com
logger.com.level = debug
logger.py4j.name = py4j
logger.py4j.level = debug
"""

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


class RocketLab(QueueLab):
    """The topic `lab` has the given number of queues."""

    def __init__(self, arena: Arena, folder: Path, rocketmq: RocketMq, *, queues: int) -> None:
        self.rocketmq = rocketmq
        rocketmq.create_topic(TOPIC, queues=queues)
        example = shutil.copytree(PROJECT, folder / "queue-project")
        spec = example / "specs" / "lab.yaml"
        spec.write_text(spec.read_text().replace("{format: binlog}", "{format: canal-json}"))
        place: dict[str, Any] = {"name_servers": rocketmq.name_servers, "topics": [TOPIC], "max_delivery_delay": "1s"}
        for name, key in zip(("access_key", "secret_key"), rocketmq.account or (), strict=False):
            (keys := folder / "secrets").mkdir(exist_ok=True, mode=0o700)
            (file := keys / name).write_text(key, encoding="utf-8")
            place[name] = {"file": str(file)}
        (folder / "spark-log.properties").write_text(_SPARK_AT_DEBUG.format(folder=folder), encoding="utf-8")
        logged = {"spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={folder}/spark-log.properties"}
        conf = {**SPARK["conf"], "spark.jars": ",".join(map(str, jars(ROCKETMQ_CLIENT))), **logged}  # type: ignore[dict-item]
        settings = {"spark": {"master": "local[4]", "conf": conf}, "stream": {"rocketmq": place}}
        Lab.__init__(self, arena, folder, flat=True, settings=settings, example=example)
        self.create_source()

    @contextmanager
    def connected(self, form: Form, choose: Choose) -> Iterator[Connector]:
        waiting: Queue[tuple[int, str] | None] = Queue()

        def send_all() -> None:
            while (found := waiting.get()) is not None:
                self.rocketmq.send(TOPIC, [(None, found[1])], queue=found[0])

        sender = threading.Thread(target=send_all, daemon=True)
        sender.start()
        # The log's reader must not wait for the broker: it leaves unread what it has not read when it is told to end.
        reader = Connector(self.arena.source, "lab", form, choose, lambda queue, value: waiting.put((queue, value)))
        with reader.running() as connector:
            yield connector
        waiting.put(None)
        sender.join(timeout=120)
        assert not sender.is_alive()


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


def test_i3_f9_a_run_follows_canal_in_two_queues_by_key_is_killed_and_goes_on(
    arena: Arena, tmp_path: Path, rocketmq: RocketMq
) -> None:
    lab = RocketLab(arena, tmp_path, rocketmq, queues=2)
    lab.fill({number: number % 4 for number in range(40)})
    with lab.connected(canal, lambda change: int(change.row_after["id"]) % 2):
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
    with lab.running() as process:
        with lab.connected(canal, lambda change: int(change.row_after["id"]) % 2):
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
