"""A lab whose run reads the change stream from Kafka."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymysql
import yaml

from tests.queues.connector import Choose, Connector, Form
from tests.servers.jars import SPARK_KAFKA, jars
from tests.servers.kafka import KafkaBroker
from tests.servers.testbed import Arena
from tests.support.lab import PROJECT, SPARK, Lab

TOPIC = "lab"


class QueueLab(Lab):
    """The broker's topic `lab` has the given number of partitions. `proxied`: it is read through the broker's proxy;
    `secured`: over TLS, with an account."""

    def __init__(
        self,
        arena: Arena,
        folder: Path,
        broker: KafkaBroker,
        *,
        form: str,
        partitions: int,
        delay: str = "1s",
        proxied: bool = False,
        secured: bool = False,
    ) -> None:
        self.broker = broker
        self.partitions = partitions
        if TOPIC in broker.topics():
            broker.delete_topic(TOPIC)
        broker.create_topic(TOPIC, partitions=partitions)
        example = queue_example(folder, form)
        bootstrap = f"127.0.0.1:{broker.proxy.port}" if proxied else broker.bootstrap
        kafka: dict[str, Any] = {"bootstrap": bootstrap, "topics": [TOPIC], "max_delivery_delay": delay}
        if secured:
            password = folder / "kafka-password"
            password.write_text(broker.password, encoding="utf-8")
            login = {"mechanism": "PLAIN", "user": "reader", "password": {"file": str(password)}}
            kafka |= {"bootstrap": f"127.0.0.1:{broker.secured}", "sasl": login}
            kafka |= {"tls": "verify_identity", "ca": str(broker.authority.file)}
        stream = {"kafka": kafka}
        logged = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{folder / 'events'}"}
        (folder / "events").mkdir()
        settings = queue_settings(stream, **(logged if secured else {}))
        super().__init__(arena, folder, flat=True, settings=settings, example=example)
        self.create_source()

    @contextmanager
    def connect(self, form: Form, choose: Choose) -> Iterator[Connector]:
        """Within, a connector sends the source's changes; on leaving all of them are in the queue."""

        def send(partition: int, value: str) -> None:
            self.broker.send_soon(TOPIC, value, partition=partition)

        with Connector(self.arena.source, "lab", form, choose, send).run() as connector:
            yield connector
        self.broker.producer().flush()

    def read_from(self, stream: Mapping[str, Any], **settings: Any) -> None:
        """Change the environment file: the stream is read from another place now, and what else is given."""
        file = self.job.project / "environments" / "test.yaml"
        environment = yaml.safe_load(file.read_text())
        file.write_text(yaml.safe_dump({**environment, "stream": dict(stream), **settings}))

    def batch(self) -> int:
        """How many batches are closed."""
        return int(self._migration("batch") or 0)

    def position(self) -> dict[str, Any]:
        """Where the ledger says that the stream stands."""
        found: dict[str, Any] = json.loads(str(self._migration("position")))["source"]
        return found

    def _migration(self, column: str) -> object:
        try:
            rows = self.at(0, f"SELECT {column} FROM _shardwright_migration")
        except pymysql.err.ProgrammingError:
            return None
        return rows[0][0] if rows else None


def queue_example(folder: Path, form: str) -> Path:
    """The lab's project, whose stream has messages of `form`."""
    example = shutil.copytree(PROJECT, folder / "queue-project")
    spec = example / "specs" / "lab.yaml"
    spec.write_text(spec.read_text().replace("{format: binlog}", f"{{format: {form}}}"))
    return example


def queue_settings(stream: Mapping[str, Any], **conf_too: str) -> dict[str, Any]:
    conf = {**SPARK["conf"], "spark.jars": ",".join(map(str, jars(SPARK_KAFKA))), **conf_too}  # type: ignore[dict-item]
    return {"spark": {"master": "local[4]", "conf": conf}, "stream": dict(stream)}
