"""`run` with its stream in Kafka: a real source, a connector that reads its log, a real broker, shards that are equal
at the end.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from tests.queues.connector import canal, debezium
from tests.queues.queue_lab import TOPIC, QueueLab
from tests.queues.real_maxwell import running_maxwell
from tests.servers.kafka import KafkaBroker
from tests.servers.proxy import Fault
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, kill_tree, session_members
from tests.support.lab import SUFFIXES, contents, move, new_family, rekey, remove

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.mark.in_turn
@pytest.mark.cold
def test_i3_i7_a_run_follows_one_partition_over_tls_is_killed_and_continues(
    arena: Arena, tmp_path: Path, broker: KafkaBroker
) -> None:
    lab = QueueLab(arena, tmp_path, broker, form="canal-json, ddl: apply", partitions=1, secured=True)
    lab.fill({number: number % 4 for number in range(40)})
    with lab.connect(canal, lambda _change: 0):
        process = lab.start()
        try:
            lab.until(process, "it has begun", lambda: "starting at" in lab.job.end_of_log())
            for number in range(40, 60):
                lab.write(*new_family(number, number % 4))
            lab.write_all([move(3, 1), remove(4), rekey(5, 500), move(500, 2), new_family(4, 3)])
            lab.until(process, "the stream has applied a batch", lambda: lab.batch() > 0)
            commands = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in session_members(process.pid)]
        finally:
            kill_tree(process)
        lab.write_all([move(500, 3), remove(41), rekey(42, 4200)])
        lab.write("ALTER TABLE parent ADD INDEX by_note (note)")  # E14: the queue's DDL goes the way of the log's
        lab.write_all([move(43, 1), remove(44)])
    lab.finish()
    lab.require_equal()
    for place in range(4):
        assert lab.at(place, f"SHOW INDEX FROM parent{SUFFIXES[place // 2]} WHERE Key_name = 'by_note'")
    (((what,),)) = lab.at(0, "SELECT what FROM _shardwright_audit WHERE what LIKE 'stream DDL%'")
    assert what == "stream DDL: apply"
    assert broker.read_committed("shardwright-lab") == {(TOPIC, 0): broker.ends(TOPIC, 1)[0]}
    _require_secret(lab, tmp_path, commands)


def _require_secret(lab: QueueLab, folder: Path, commands: list[bytes]) -> None:
    """I3: the queue's password is in nothing that was printed, planned, logged by Spark, started or kept in the
    ledgers."""
    canary = lab.broker.password.rpartition(";")[2].encode()
    places = {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    assert places.pop(str(folder / "kafka-password")) == lab.broker.password.encode()
    assert any(canary not in text and b"SparkListener" in text for name, text in places.items() if "events" in name)
    places |= {f"command {number}": text for number, text in enumerate(commands)}
    places["the shards"] = repr(contents(lab)).encode()
    assert [name for name, text in places.items() if canary in text] == []


@pytest.mark.long
def test_a_lost_queue_is_replaced_by_the_sources_log(arena: Arena, tmp_path: Path, broker: KafkaBroker) -> None:
    lab = QueueLab(arena, tmp_path, broker, form="canal-json", partitions=1)
    time.sleep(5 + 2)  # the margin must not reach back to the CREATE TABLEs, at which a stream stops
    lab.fill({number: number % 4 for number in range(20)})
    with lab.connect(canal, lambda _change: 0):
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


@pytest.mark.long
def test_e14_columns_that_change_in_the_queue_wait_for_a_plan_at_that_very_message(
    arena: Arena, tmp_path: Path, broker: KafkaBroker
) -> None:
    lab = QueueLab(arena, tmp_path, broker, form="canal-json, ddl: apply", partitions=1)
    lab.fill({number: number % 4 for number in range(20)})
    lab.finish()
    with lab.connect(canal, lambda _change: 0):
        lab.write_all([move(3, 1), new_family(30, 2)])
        lab.write("ALTER TABLE parent ADD COLUMN grade INT NULL")
        lab.write("UPDATE parent SET grade = id WHERE id < 10", "INSERT INTO parent VALUES (31, 1, 'n31', '', 7)")
    lab.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=5)
    assert "SW8548" in lab.job.end_of_log(), lab.job.end_of_log()
    assert lab.places(3) == [1] and lab.places(30) == [2] and lab.places(31) == []
    schema = lab.job.project / "schema" / "lab.sql"
    text, key = schema.read_text(encoding="utf-8"), "  PRIMARY KEY (`id`),\n"
    assert text.count(key) == 1
    schema.write_text(text.replace(key, f"  `grade` int DEFAULT NULL,\n{key}"), encoding="utf-8")
    lab.job.call("compile")
    lab.finish()
    lab.require_equal()
    assert lab.places(31) == [1]


@pytest.mark.long
def test_a16_f3_rows_in_four_partitions_by_key_through_a_network_that_breaks(
    arena: Arena, tmp_path: Path, broker: KafkaBroker
) -> None:
    """Debezium's messages hold their place in the log, so a key that changes may go from one partition to another."""
    form = "debezium-json, nulls: kept"
    lab = QueueLab(arena, tmp_path, broker, form=form, partitions=4, proxied=True)
    lab.fill({number: number % 4 for number in range(40)})
    with (
        lab.connect(debezium, lambda change: int(change.row_after["id"]) % 4),
        lab.run(gated=False) as process,
    ):
        lab.until(process, "all is copied", lambda: "caught up with" in lab.job.end_of_log())
        lab.write_all([move(3, 1), remove(4), rekey(5, 502), move(502, 2), new_family(4, 3)])
        lab.until(process, "row 502 has come", lambda: lab.places(502) == [2])
        assert broker.proxy.cut() > 0
        lab.write_all([move(502, 3), rekey(6, 601), remove(7)])
        lab.until(process, "row 601 has come", lambda: lab.places(601) == [2] and lab.places(7) == [])
        with broker.proxy.fail(Fault.SILENT):
            lab.write_all([move(8, 3), rekey(601, 602), rekey(602, 604)])
            lab.until(process, "it is said", lambda: "SW8451" in lab.job.end_of_log())
        lab.until(process, "row 604 has come", lambda: lab.places(604) == [2] and lab.places(8) == [3])
    lab.finish()
    lab.require_equal()


@pytest.mark.long
def test_a_real_maxwell_is_followed_in_four_partitions(arena: Arena, tmp_path: Path, broker: KafkaBroker) -> None:
    """Its messages hold file, offset and row, so a key that changes may go from one partition to another."""
    lab = QueueLab(arena, tmp_path, broker, form="maxwell-json", partitions=4)
    lab.fill({number: number % 4 for number in range(40)})

    def send(line: str) -> None:
        message = json.loads(line)
        partition = int(message["data"]["id"]) % 4 if "data" in message else 0
        broker.send_soon(TOPIC, line, partition=partition)

    with lab.run(gated=False) as process:
        with running_maxwell(arena.source, "lab", tmp_path / "maxwell", send):
            lab.until(process, "all is copied", lambda: "caught up with" in lab.job.end_of_log())
            lab.write_all([move(3, 1), remove(4), rekey(5, 502), move(502, 2), new_family(4, 3)])
            lab.until(process, "row 502 has come", lambda: lab.places(502) == [2])
            lab.write_all(
                [move(502, 3), rekey(6, 601), rekey(601, 602), remove(7), new_family(7, 1), new_family(70, 2)]
            )
        broker.producer().flush()
        lab.until(process, "row 70 has come", lambda: lab.places(602) == [2] and lab.places(70) == [2])
    lab.finish()
    lab.require_equal()
    assert sum(broker.ends(TOPIC, 4)) > 20


@pytest.mark.long
def test_f6_retention_that_passes_a_run_stops_it_and_the_next_one_names_the_gap(
    arena: Arena, tmp_path: Path, broker: KafkaBroker
) -> None:
    lab = QueueLab(arena, tmp_path, broker, form="canal-json", partitions=1)
    lab.fill({number: number % 4 for number in range(8)})
    with lab.run() as process:
        with lab.connect(canal, lambda _change: 0):
            lab.until(process, "all is copied", lambda: "caught up with" in lab.job.end_of_log())
            lab.gates.hold("before-open-batch")
            lab.write(*move(3, 1))
            lab.reach(process, "before-open-batch")
            for number in range(10, 20):
                lab.write(*new_family(number, number % 4))
        end = broker.ends(TOPIC, 1)[0]
        broker.delete_before(TOPIC, 0, end - 2)
        lab.gates.open_all()
        lab.wait_for_end(process, code=6, saying="SW8455")
    lab.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=6)
    said = rf"SW8455: topic lab, partition 0: offsets \d+ to {end - 3} were not read and are deleted"
    assert re.search(said, lab.job.end_of_log()), lab.job.end_of_log()
