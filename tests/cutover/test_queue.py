"""A cutover of a stream that is read from Kafka or RocketMQ: a marker shows that the queue holds everything that was
written before the fence (H8).
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.sources.queue.marker import TABLE as MARKERS
from tests.cutover.lab import CutoverLab
from tests.queues.connector import Change, Connector, Form, canal, debezium
from tests.queues.queue_lab import TOPIC, queue_example, queue_settings
from tests.rocketmq.rocket_lab import rocketmq_settings, send_in_order
from tests.servers.kafka import KafkaBroker
from tests.servers.rocketmq import RocketMq
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


class QueueCutover(CutoverLab):
    """The topics `lab` and, where `apart`, one of markers alone."""

    def __init__(
        self,
        arena: Arena,
        folder: Path,
        broker: KafkaBroker,
        form: str,
        *,
        partitions: int = 1,
        apart: bool = False,
        **limits: str,
    ) -> None:
        self.broker = broker
        self.captured = True
        topics = [TOPIC, *([MARKERS] if apart else [])]
        for topic in topics:
            if topic in broker.topics():
                broker.delete_topic(topic)
            broker.create_topic(topic, partitions=partitions if topic == TOPIC else 1)
        kafka = {"bootstrap": broker.bootstrap, "topics": topics, "max_delivery_delay": "2s"}
        settings = queue_settings({"kafka": kafka})
        super().__init__(arena, folder, settings=settings, example=queue_example(folder, form), **limits)

    @contextmanager
    def connect(self, form: Form, choose: Callable[[Change], int]) -> Iterator[None]:
        """Within, a connector sends the source's changes, those of markers only while they are `captured`."""

        def place(change: Change) -> int:
            return -1 if change.table == MARKERS else choose(change)

        def send(partition: int, value: str) -> None:
            topic = TOPIC
            if partition < 0:
                if not self.captured:
                    return
                message = json.loads(value)
                topic, partition = self.marker_place(int((message.get("after") or message["data"][0])["id"]))
            self.broker.send_soon(topic, value, partition=partition)

        with Connector(self.arena.source, "lab", form, place, send).run():
            yield
        self.broker.producer().flush()

    def marker_place(self, id_: int) -> tuple[str, int]:
        return TOPIC, 0

    def drain_forward(self, process: subprocess.Popen[bytes]) -> None:
        """The application rests, or its newest rows may be missing yet."""
        self.until(process, "the shards have what the source has", self._is_equal)

    def _is_equal(self) -> bool:
        try:
            self.equal()
        except AssertionError:
            return False
        return True


class RocketCutover(QueueCutover):
    """Through RocketMQ, with two queues by key."""

    def __init__(self, arena: Arena, folder: Path, rocketmq: RocketMq) -> None:
        self.rocketmq = rocketmq
        rocketmq.create_topic(TOPIC, queues=2)
        settings, example = rocketmq_settings(rocketmq, folder), queue_example(folder, "canal-json")
        CutoverLab.__init__(self, arena, folder, settings=settings, example=example)

    @contextmanager
    def connect(self, form: Form, choose: Callable[[Change], int]) -> Iterator[None]:
        with send_in_order(self.rocketmq) as send, Connector(self.arena.source, "lab", form, choose, send).run():
            yield


class Partitioned(QueueCutover):
    """The connector deals rows out by their keys, markers as well."""

    def marker_place(self, id_: int) -> tuple[str, int]:
        return TOPIC, id_ % 2


class TopicOfItsOwn(QueueCutover):
    """The connector has a topic for each table, as Debezium has."""

    def marker_place(self, id_: int) -> tuple[str, int]:
        return MARKERS, 0


def test_h8_there_and_back_through_a_queue(arena: Arena, tmp_path: Path, broker: KafkaBroker) -> None:
    lab = QueueCutover(arena, tmp_path, broker, "canal-json")
    lab.begin()
    with lab.connect(canal, lambda _change: 0), lab.live() as run:
        said = lab.expect_refusal(code=Exit.REFUSED)
        (missing,) = re.findall(r"SW8102: .*(GRANT .*)", said)
        arena.source.query(missing)  # as it says
        lab.cutover()
        lab.writes_on(run)
        lab.cutover("rollback")
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
    lab.equal()


def test_h8_a_marker_that_does_not_come_and_the_end(arena: Arena, tmp_path: Path, broker: KafkaBroker) -> None:
    lab = QueueCutover(arena, tmp_path, broker, "canal-json", max_lag="40s")
    lab.begin()
    _allow_markers(arena)
    with lab.connect(canal, lambda _change: 0), lab.live() as run:
        lab.captured = False  # the producer does not send the markers
        said = lab.expect_refusal(code=Exit.REFUSED)
        assert "SW8920" in said and MARKERS in said and lab.status()["fences"] == {}, said
        lab.captured = True
        _there_and_back(lab, run)
        lab.cutover("finish")
    assert not lab.source(f"SHOW TABLES LIKE '{MARKERS}'")
    lab.equal()


def test_f3_h8_there_and_back_through_two_partitions(arena: Arena, tmp_path: Path, broker: KafkaBroker) -> None:
    lab = Partitioned(arena, tmp_path, broker, "debezium-json, nulls: kept", partitions=2)
    lab.begin()
    _allow_markers(arena)
    with lab.connect(debezium, lambda change: int(change.row_after["id"]) % 2), lab.live() as run:
        _there_and_back(lab, run)


def test_h8_there_and_back_where_markers_have_a_topic_of_their_own(
    arena: Arena, tmp_path: Path, broker: KafkaBroker
) -> None:
    lab = TopicOfItsOwn(arena, tmp_path, broker, "canal-json", apart=True)
    lab.begin()
    _allow_markers(arena)
    with lab.connect(canal, lambda _change: 0), lab.live() as run:
        _there_and_back(lab, run)


def test_h8_there_and_back_through_rocketmq(
    arena: Arena, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rocketmq = RocketMq(tmp_path_factory.mktemp("rocketmq"))
    try:
        lab = RocketCutover(arena, tmp_path, rocketmq)
        lab.begin()
        _allow_markers(arena)
        with lab.connect(canal, lambda change: int(change.row_after["id"]) % 2), lab.live() as run:
            _there_and_back(lab, run)
    finally:
        rocketmq.close()


def _allow_markers(arena: Arena) -> None:
    account = f"shardwright@'{arena.source.sandbox.account_host}'"
    arena.source.query(f"GRANT SELECT, INSERT, UPDATE, CREATE, DROP ON lab.{MARKERS} TO {account}")


def _there_and_back(lab: QueueCutover, run: subprocess.Popen[bytes]) -> None:
    lab.cutover()
    lab.writes_on(run)
    lab.cutover("rollback")
    lab.writes_on(run)
    lab.cutover()
    lab.writes_on(run)
    lab.application.stop()
    lab.follow_to_end(run)
    lab.equal()
