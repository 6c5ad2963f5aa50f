"""A lab whose run reads the change stream from RocketMQ."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

from tests.queues.connector import Choose, Connector, Form
from tests.queues.queue_lab import TOPIC, QueueLab, queue_example
from tests.servers.jars import ROCKETMQ_CLIENT, jars
from tests.servers.rocketmq import RocketMq
from tests.servers.testbed import Arena
from tests.support.lab import SPARK, Lab

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


class RocketLab(QueueLab):
    """The topic `lab` has the given number of queues."""

    def __init__(self, arena: Arena, folder: Path, rocketmq: RocketMq, *, queues: int) -> None:
        self.rocketmq = rocketmq
        rocketmq.create_topic(TOPIC, queues=queues)
        settings = rocketmq_settings(rocketmq, folder)
        example = queue_example(folder, "canal-json")
        Lab.__init__(self, arena, folder, flat=True, settings=settings, example=example)
        self.create_source()

    @contextmanager
    def connect(self, form: Form, choose: Choose) -> Iterator[Connector]:
        with (
            send_in_order(self.rocketmq) as send,
            Connector(self.arena.source, "lab", form, choose, send).run() as made,
        ):
            yield made


def rocketmq_settings(rocketmq: RocketMq, folder: Path) -> dict[str, Any]:
    place: dict[str, Any] = {"name_servers": rocketmq.name_servers, "topics": [TOPIC], "max_delivery_delay": "1s"}
    for name, key in zip(("access_key", "secret_key"), rocketmq.account or (), strict=False):
        (keys := folder / "secrets").mkdir(exist_ok=True, mode=0o700)
        (file := keys / name).write_text(key, encoding="utf-8")
        place[name] = {"file": str(file)}
    (folder / "spark-log.properties").write_text(_SPARK_AT_DEBUG.format(folder=folder), encoding="utf-8")
    logged = {"spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={folder}/spark-log.properties"}
    conf = {**SPARK["conf"], "spark.jars": ",".join(map(str, jars(ROCKETMQ_CLIENT))), **logged}  # type: ignore[dict-item]
    return {"spark": {"master": "local[4]", "conf": conf}, "stream": {"rocketmq": place}}


@contextmanager
def send_in_order(rocketmq: RocketMq) -> Iterator[Callable[[int, str], None]]:
    """Within, what is given (queue, value) is sent in that order; on leaving all of it is in the queue."""
    waiting: Queue[tuple[int, str] | None] = Queue()

    def send_all() -> None:
        while (found := waiting.get()) is not None:
            rocketmq.send(TOPIC, [(None, found[1])], queue=found[0])

    sender = threading.Thread(target=send_all, daemon=True)
    sender.start()
    # The log's reader must not wait for the broker: it leaves unread what it has not read when it is told to end.
    yield lambda queue, value: waiting.put((queue, value))
    waiting.put(None)
    sender.join(timeout=120)
    assert not sender.is_alive()
