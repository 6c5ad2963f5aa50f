"""What tasks find on executors that share neither folder nor packages with the driver, and a run whose worker dies with a
chunk that it has committed and not reported.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.mysql.secret_files import CarriedFile, carry_files
from shardwright.runtime.run.order import RunOrder, Until
from shardwright.runtime.run.progress.listeners import PlainLines, Reporter
from shardwright.runtime.run.run import Run
from shardwright.specs.environment.environment import ClientCertificate
from tests.cluster.standalone import Cluster, standalone_cluster
from tests.servers.spark_archive import SHORT_RUNS
from tests.servers.spark_jvm import own_jvm
from tests.servers.testbed import Arena
from tests.support.lab import Lab, move, new_family, rekey, remove
from tests.support.waiting import PATIENCE
from tests.support.way_back import deploy

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

FAMILIES = 60
WORKERS = 2


def test_a4_executors_have_all_they_need_also_when_one_dies(arena: Arena, tmp_path: Path) -> None:
    secret = tmp_path / "key.pem"
    secret.write_text("the key", encoding="utf-8")
    shown = ClientCertificate(CarriedFile(str(secret)), CarriedFile(str(secret)))

    def look(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pymysql
        import sqlglot

        from shardwright.runtime.stream.stage import stage

        for _ in batches:
            files = [str(module.__file__) for module in (stage, sqlglot, pymysql)]
            yield pa.RecordBatch.from_pydict(
                {
                    "modules": [files],
                    "home": [os.environ["HOME"]],
                    "key": [shown.key],
                    "said": [Path(shown.key).read_text()],
                }
            )

    with standalone_cluster(tmp_path / "cluster", workers=WORKERS) as cluster:
        gate = tmp_path / "gate"
        lab = _fill(arena, tmp_path, cluster, gate)
        settings = deploy(lab.job).environment.spark
        try:
            with own_jvm(settings, name="shipping") as spark:
                assert int(str(spark.newSession().conf.get("spark.sql.shuffle.partitions"))) == WORKERS
                frame = spark.range(0, 8, 1, 8).mapInArrow(
                    look, "modules array<string>, home string, key string, said string"
                )
                kept = frame.persist()
                rows = kept.collect()
                assert all("shardwright-tasks.zip" in file for row in rows for file in row["modules"]), (
                    cluster.executors_said()
                )
                assert all(row["home"].startswith(str(cluster.folder)) for row in rows)
                assert {row["said"] for row in rows} == {"the key"}
                assert str(secret) not in {row["key"] for row in rows}
                _a_worker_dies_in_a_run(lab, cluster, gate)
                assert len(kept.collect()) == 8  # what the dead one kept is made again
        finally:
            carry_files(to_other_machines=False)
            os.environ.pop("PYSPARK_PYTHON", None)


def _fill(arena: Arena, folder: Path, cluster: Cluster, gate: Path) -> Lab:
    """A migration on the cluster. Its tasks stop where they have committed a chunk on a shard, until `gate` is there."""
    conf = {
        "spark.pyspark.python": str(cluster.interpreter),
        "spark.executor.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.extraJavaOptions": SHORT_RUNS,
        f"spark.executorEnv.{VARIABLE}": f"after-chunk-commit=wait:{gate}",
    }
    settings = {"spark": {"master": cluster.master, "conf": conf}, "snapshot": {"chunk_rows": 20}}
    lab = Lab(arena, folder, flat=True, settings=settings)
    lab.create_source()
    lab.fill({number: number % 4 for number in range(FAMILIES)})
    return lab


def _a_worker_dies_in_a_run(lab: Lab, cluster: Cluster, gate: Path) -> None:
    """The shards have what its task does not tell any more: the next attempt must neither fail nor write it twice."""
    one = deploy(lab.job)
    with lab.job.log.open("a", encoding="utf-8") as log, ThreadPoolExecutor(1) as pool:
        reporter = Reporter([PlainLines(log)])
        order = RunOrder(one.plan, one.servers, one.environment, reporter, Until.CAUGHT_UP, threading.Event())
        running = pool.submit(Run(order).execute)
        try:
            end = time.monotonic() + PATIENCE
            while len(_read_chunks(lab)) < WORKERS:  # each worker runs one task
                assert not running.done() and time.monotonic() < end, (_read_chunks(lab), lab.job.end_of_log())
                time.sleep(0.1)
            assert not lab.at(0, "SELECT 1 FROM _shardwright_chunk WHERE state = 'done'")
            cluster.kill_a_worker()
            lab.write_all([move(3, 1), remove(4), rekey(5, 500), new_family(600, 2)])
        finally:
            gate.touch()
        result = running.result(timeout=PATIENCE)
    assert result.caught_up, lab.job.end_of_log()
    lab.require_equal()


def _read_chunks(lab: Lab) -> list[tuple[object, ...]]:
    """The chunks that each shard has."""
    found = []
    for shard in range(2):
        if lab.at(shard, "SHOW TABLES LIKE '\\_shardwright\\_chunk\\_done'"):
            found += lab.at(shard, "SELECT * FROM _shardwright_chunk_done")
    return found
