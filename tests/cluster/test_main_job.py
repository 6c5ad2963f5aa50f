"""The main job on a Spark cluster of processes that share nothing with the driver, one of which dies half-way."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymysql
import pytest
import yaml

from shardwright.runtime.rehearsal.sandbox.local import free_port
from tests.cluster.standalone import Cluster, standalone_cluster
from tests.e2e.shop_judge import require_equal
from tests.oracle.tables import ORDER_DATABASES
from tests.servers.fixtures import FAST, NAMES
from tests.servers.protected import start_protected_servers
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, Job
from tests.support.waiting import wait_until
from tests.workload.shop import PROJECT, count_writes, fill_shop, write

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

ORDERS = 4_000


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with standalone_cluster(tmp_path / "cluster", workers=2) as started:
        yield started


def test_a4_i3_g8_worker_killed_while_copying(
    cluster: Cluster, servers_folder: Path, tmp_path: Path, seed: int
) -> None:
    """The certificates' paths are relative: executors, which run elsewhere, could not open them."""
    with start_protected_servers(servers_folder / "cluster", NAMES, extra=FAST) as protected:
        arena = Arena(protected.servers[0], protected.servers[1:], tmp_path)
        page = free_port()
        job = Job(arena, PROJECT, tmp_path, settings=_settings(cluster, page))
        fill_shop(arena, orders=ORDERS)
        environment = job.project / "environments" / f"{ENVIRONMENT}.yaml"
        protected.secure(environment)
        _relative(environment, job.project)
        job.call("compile")
        with job.run() as run:
            with write(arena, seed=seed, rate=20.0) as applications:
                _wait_until(run, job, "a chunk of order_info is written", lambda: _chunks_done(arena, "order_info") > 0)
                described = {str(each.get("description")) for each in _ask(page, "jobs")}
                cluster.kill_a_worker()
                assert not _is_copied(arena), "the copy was over before the worker died"
                _wait_until(run, job, "everything is copied", lambda: _is_copied(arena))
            assert count_writes(applications).total() > 0
            _wait_until(run, job, "the stream has drained", lambda: _is_caught_up(job))
            lost = [each for each in _ask(page, "allexecutors") if each["id"] != "driver" and not each["isActive"]]
            reported = json.dumps([_ask(page, name) for name in ("environment", "jobs", "stages", "sql?details=true")])
        require_equal(arena)
        assert len(lost) == 1, "the worker that died did not work for us"
        job.call("verify", "--env", ENVIRONMENT)
        assert any(each.startswith("order_info: ") for each in described), described
        for file in (tmp_path / "secrets").iterdir():
            assert file.read_text("utf-8").strip() not in reported, f"Spark's pages tell {file.name}"


def _settings(cluster: Cluster, page: int) -> dict[str, Any]:
    conf = {
        "spark.pyspark.python": str(cluster.interpreter),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.speculation": "true",
        "spark.ui.enabled": "true",
        "spark.ui.port": str(page),
    }
    return {"spark": {"master": cluster.master, "conf": conf}, "snapshot": {"chunk_rows": 250, "parallel": 2}}


def _relative(environment: Path, folder: Path) -> None:
    """Make the certificates' paths relative to the folder in which commands run."""
    text = yaml.safe_load(environment.read_text("utf-8"))
    for server in (text["source"], *text["servers"].values()):
        for name in ("ca", "client_certificate", "client_key"):
            server[name] = os.path.relpath(server[name], folder)
    environment.write_text(yaml.safe_dump(text, sort_keys=False), "utf-8")


def _wait_until(run: Any, job: Job, what: str, holds: Any) -> None:
    wait_until(what, holds, run=run, show=job.end_of_log)


def _is_caught_up(job: Job) -> bool:
    return bool(json.loads(job.call("status", "--env", ENVIRONMENT, "--format", "json"))["caught_up"])


def _in_ledger(arena: Arena, sql: str) -> int:
    """What the first shard's ledgers answer; 0 while they are not there."""
    try:
        with arena.shard(ORDER_DATABASES[0]) as connection, connection.cursor() as cursor:
            cursor.execute(sql)
            row = cursor.fetchone()
    except pymysql.err.ProgrammingError:
        return 0
    return int(row[0]) if row else 0


def _chunks_done(arena: Arena, table: str) -> int:
    return _in_ledger(arena, f"SELECT COUNT(*) FROM _shardwright_chunk WHERE logical = '{table}' AND state = 'done'")


def _is_copied(arena: Arena) -> bool:
    return bool(_in_ledger(arena, "SELECT COUNT(*) FROM _shardwright_migration WHERE snapshot_end IS NOT NULL"))


def _ask(page: int, what: str) -> Any:
    """Spark's REST API."""
    base = f"http://127.0.0.1:{page}/api/v1/applications"
    with urllib.request.urlopen(base, timeout=60) as answer:
        application = json.load(answer)[0]["id"]
    with urllib.request.urlopen(f"{base}/{application}/{what}", timeout=60) as answer:
        return json.load(answer)
