"""`run` with its stream in Kafka: a real source, a connector that reads its log, a real broker, shards that are equal at the end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.interleavings.driver import move, new_family, rekey, remove
from tests.queues.connector import canal
from tests.queues.queue_lab import TOPIC, QueueLab
from tests.servers.kafka import KafkaBroker
from tests.servers.testbed import Arena
from tests.workload.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]


def test_a_run_follows_one_partition_is_killed_and_goes_on(arena: Arena, tmp_path: Path, broker: KafkaBroker) -> None:
    lab = QueueLab(arena, tmp_path, broker, form="canal-json", partitions=1)
    lab.fill({number: number % 4 for number in range(40)})
    with lab.connected(canal, lambda _change: 0):
        process = lab.start()
        try:
            for number in range(40, 60):
                lab.write(*new_family(number, number % 4))
            lab.write_all([move(3, 1), remove(4), rekey(5, 500), move(500, 2), new_family(4, 3)])
            lab.until(process, "the stream has applied a batch", lambda: lab.batch() > 0)
        finally:
            kill_tree(process)
        lab.write_all([move(500, 3), remove(41), rekey(42, 4200)])
    lab.finish()
    lab.require_equal()
    assert broker.committed("shardwright-lab") == {(TOPIC, 0): broker.ends(TOPIC, 1)[0]}


@pytest.mark.long
def test_a_lost_queue_is_replaced_by_the_sources_log(arena: Arena, tmp_path: Path, broker: KafkaBroker) -> None:
    lab = QueueLab(arena, tmp_path, broker, form="canal-json", partitions=1)
    time.sleep(5 + 2)  # the margin must not reach back to the CREATE TABLEs, at which a stream stops
    lab.fill({number: number % 4 for number in range(20)})
    with lab.connected(canal, lambda _change: 0):
        lab.finish()
        lab.write_all([move(3, 1), new_family(30, 2)])
    lab.finish()
    lab.write_all([move(3, 2), remove(4), rekey(5, 500), new_family(31, 1)])  # these never reach the queue
    broker.lose_everything()
    broker.start()
    lab.read_from({"binlog": {"instead_of_queue": True}}, failover={"margin": "5s"})
    lab.finish()
    lab.require_equal()
    ((_what, detail),) = lab.at(0, "SELECT what, detail FROM _shardwright_audit WHERE what = 'source changed'")
    assert "queue at lab/0:" in detail
