"""The broker of the tests does what the tests of the product rely on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors.exceptions.captured import install_exception_handler

from tests.servers.kafka import KafkaBroker

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaBroker]:
    install_exception_handler()  # as in every process that has started Spark
    started = time.monotonic()
    made = KafkaBroker(tmp_path_factory.mktemp("kafka") / "broker")
    print(f"up after {time.monotonic() - started:.1f} s")
    yield made
    made.close()


def test_messages_keep_their_order_and_partition(broker: KafkaBroker) -> None:
    broker.create_topic("plain", partitions=2)
    broker.send("plain", [(f"k{number}", "v") for number in range(20)], partition=1)
    assert broker.ends("plain", 2) == [0, 20]


def test_an_aborted_transaction_takes_offsets(broker: KafkaBroker) -> None:
    broker.create_topic("aborted")
    with broker.transaction(commit=False) as producer:
        broker.send_in(producer, "aborted", [(None, "never")] * 3)
    end = time.monotonic() + 120
    while broker.ends("aborted", 1) != [4]:  # three messages and the marker that takes them back
        assert time.monotonic() < end


def test_retention_and_more_partitions(broker: KafkaBroker) -> None:
    broker.create_topic("changing")
    broker.send("changing", [(None, str(number)) for number in range(5)])
    broker.delete_before("changing", 0, 3)
    broker.raise_partitions("changing", 4)
    assert broker.ends("changing", 4) == [5, 0, 0, 0]


@pytest.mark.in_turn
def test_messages_stay_over_a_restart_and_are_lost_with_the_folder(broker: KafkaBroker, tmp_path: Path) -> None:
    broker.create_topic("kept")
    broker.send("kept", [(None, "value")])
    broker.stop()
    broker.start()
    assert broker.ends("kept", 1) == [1]
    broker.lose_everything()
    broker.start()
    assert broker.topics() == set()
