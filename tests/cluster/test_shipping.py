"""What tasks find on executors that share neither folder nor packages with the driver, before and after one of them
dies.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from shardwright.runtime.mysql.secret_files import CarriedFile, carry_files
from shardwright.specs.environment.environment import ClientCertificate, SparkSettings
from tests.cluster.standalone import standalone_cluster
from tests.servers.spark_archive import SHORT_RUNS
from tests.servers.spark_jvm import own_jvm

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_a4_executors_have_all_they_need_also_when_one_dies(tmp_path: Path) -> None:
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

    with standalone_cluster(tmp_path / "cluster", workers=2) as cluster:
        conf = {"spark.pyspark.python": str(cluster.interpreter), "spark.executor.memory": "512m"}
        conf |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        conf |= {"spark.executor.extraJavaOptions": SHORT_RUNS}
        try:
            with own_jvm(SparkSettings(cluster.master, conf), name="shipping") as spark:
                assert int(str(spark.newSession().conf.get("spark.sql.shuffle.partitions"))) == 2
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
                cluster.kill_a_worker()
                assert len(kept.collect()) == 8  # what the dead one kept is made again
        finally:
            carry_files(to_other_machines=False)
            os.environ.pop("PYSPARK_PYTHON", None)
