"""A run on real servers, a real Prometheus with the rules of the examples, and an alert that fires and ends."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.watch.metrics.families import OBSERVED, OF_A_RUN
from tests.servers import forks
from tests.servers.testbed import Arena
from tests.support.commands import shardwright
from tests.support.dead_letters import on_every_parent
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import Lab
from tests.support.metrics import Metrics, export, scrape
from tests.support.waiting import wait_until
from tests.watch.prometheus import promtool, start_prometheus

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

MONITORING = Path(__file__).parents[2] / "examples" / "monitoring"
KNOWN = {family.full_name: family for family in (*OBSERVED, *OF_A_RUN)}
WATCHER = "watcher"


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> Lab:
    made = Lab(arena, tmp_path)
    spec = made.job.project / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(
        text.replace("weight: 10\n", "weight: 10\n    errors: {policy: quarantine, at_most: 3}\n"), encoding="utf-8"
    )
    made.job.call("compile")
    made.create_source()
    made.fill({1: 0, 2: 1, 3: 2, 4: 3})
    return made


@pytest.mark.in_turn
def test_b4_g7_an_alert_fires_and_ends_and_what_is_not_known_is_left_out(lab: Lab, tmp_path: Path) -> None:
    assert _once(lab).of("begun") == 0
    lab.arena.source.query("SET GLOBAL binlog_expire_logs_seconds = 3600")
    port = free_port()
    run = lab.start(gated=False, arguments=("--metrics", f"127.0.0.1:{port}"))
    try:
        wait_until("the run is caught up", lambda: scrape(port).of("caught_up") == 1, run=run, show=lab.job.end_of_log)
        with start_prometheus(_config(tmp_path, port), tmp_path) as prometheus:
            on_every_parent(lab, "ADD CONSTRAINT no_bad CHECK (note <> 'bad')")
            lab.write("UPDATE parent SET note = 'bad' WHERE id = 1", "UPDATE parent SET note = 'good' WHERE id = 2")
            wait_until("the alert fires", lambda: "ShardwrightDeadLetters" in prometheus.find_firing(), run=run)
            _check_a_run(lab, port)
            on_every_parent(lab, "DROP CONSTRAINT no_bad")
            lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
            wait_until("the alert ends", lambda: "ShardwrightDeadLetters" not in prometheus.find_firing(), run=run)
            assert prometheus.find_firing() == set()
        _check_without_rights(lab)
        taken = shardwright(lab.job.project, "run", "--env", ENVIRONMENT, "--metrics", f"127.0.0.1:{port}")
        assert "SW8055" in taken.require(2).err and run.poll() is None
    finally:
        kill_tree(run)
    try:
        _check_the_purge_clock(lab)
    finally:
        lab.arena.source.query("SET GLOBAL binlog_expire_logs_seconds = DEFAULT")
    _check_an_exporter_that_stays(lab)
    _check_with_servers_away(lab)


def _check_a_run(lab: Lab, port: int) -> None:
    served, printed = scrape(port), _once(lab)
    for page in (served, printed):
        _require_documented(page)
        assert page.of("run_live") == 1 and page.of("snapshot_complete") == 1
        assert page.of("table_copied_rows", table="parent") == 4
        assert page.of("dead_letters", table="parent", state="held", code="SW8511") == 1
        assert page.of("source_lag_seconds", source="source") == 0 == page.of("source_lag_bytes")
        assert page.of("source_position_file") == page.of("source_head_file")
        assert page.of("shard_batch", shard="lab_1") is not None
        assert page.of("writes_to", side="source") == 1 == page.of("cutover_state", state="following")
        assert page.of("source_log_oldest_seconds") is not None and page.of("verify_equal") is None
        left, kept = page.of("source_purge_left_seconds"), page.of("source_log_retention_seconds")
        assert left == kept == 3600, "the file that is written is kept for so long, at least"
    assert printed.names() < served.names()
    assert served.of("run_quarantined_rows_total") == 1
    assert served.of("run_rows_total", table="parent", decision="update") == 2, "what was decided, the refused row too"
    assert (served.of("run_changes_total", table="parent") or 0) >= 1
    assert served.of("run_chunks_total", table="child") == 1
    assert served.of("run_copied_rows_total", table="child") == 8
    assert served.of("run_batch_duration_seconds_count") == served.of("run_batches_total")
    assert "bad" not in served.text and "n1" not in served.text, "no value of a row is in it"
    promtool("check", "metrics", given=printed.text)
    promtool("check", "metrics", given=served.text)


def _require_documented(page: Metrics) -> None:
    for sample in page.samples:
        name, _, labels = sample.partition("{")
        family = KNOWN.get(name) or KNOWN[re.sub(r"_(bucket|sum|count)$", "", name)]
        assert set(re.findall(r'(\w+)="', labels)) - {"le"} == set(family.label_names), sample


def _check_without_rights(lab: Lab) -> None:
    """An account that reads ledgers and asks for the end of the log sees all but what only others' rights show."""
    with _watcher(lab):
        wait_until("the accounts have passed the stream", lambda: _once(lab, env="watch").of("source_lag_seconds") == 0)
        page = _once(lab, env="watch")
    assert page.of("server_up", role="source") == page.of("server_up", role="shard") == 1
    assert page.of("source_purge_left_seconds") is not None and page.of("table_copied_rows", table="child") == 8
    assert page.of("run_live") is None and page.of("source_log_oldest_seconds") is None


def _check_the_purge_clock(lab: Lab) -> None:
    """Without a run, the clock of the file in which it has ended begins when the server closes it."""
    source = lab.arena.source
    source.query("FLUSH BINARY LOGS")
    lab.write("UPDATE parent SET note = 'unread' WHERE id = 2")
    page = _once(lab)
    assert page.of("run_live") == 0 and (page.of("source_lag_bytes") or 0) > 0
    assert 3500 < (page.of("source_purge_left_seconds") or 0) < 3600
    source.query(f"PURGE BINARY LOGS TO '{source.log_end()[0]}'")
    assert _once(lab).of("source_purge_left_seconds") == 0


def _check_an_exporter_that_stays(lab: Lab) -> None:
    """A source that hangs holds up no scrape, and what it would say is missing once that is known."""
    port, took = free_port(), list[float]()
    with (lab.scratch / "exporter.log").open("wb") as log:
        command = ("exporter", "--env", ENVIRONMENT, "--listen", f"127.0.0.1:{port}")
        exporter = forks.start(lab.job.project, *command, out=log)

    def is_silent() -> bool:
        began = time.monotonic()
        page = scrape(port)
        took.append(time.monotonic() - began)
        assert page.of("quarantined_rows") == 0
        return page.of("server_up", role="source") == 0 and page.of("source_lag_bytes") is None

    try:
        wait_until("the exporter answers", lambda: scrape(port).of("begun") == 1, run=exporter)
        with lab.arena.source.freeze():
            wait_until("the source is silent", is_silent, run=exporter, pause=0.5)
        assert max(took) < 4, took
        exporter.terminate()
        assert exporter.wait(timeout=60) == 0, (lab.scratch / "exporter.log").read_text(encoding="utf-8")
    finally:
        kill_tree(exporter)


def _check_with_servers_away(lab: Lab) -> None:
    away = lab.arena.placement["lab_1"]
    away.stop()
    page = _once(lab)
    assert page.of("server_up", server=f"{away.host}:{away.port}", role="shard") == 0
    assert page.of("shard_batch", shard="lab_1") is None and page.of("shard_batch", shard="lab_0") is not None
    assert page.of("source_lag_seconds") is not None
    away.start()
    lab.arena.source.stop()
    page = _once(lab)
    assert page.of("server_up", role="source") == 0 == page.of("quarantined_rows")
    assert page.of("source_lag_seconds") is None and page.of("source_purge_left_seconds") is None
    lab.arena.source.start()


@contextmanager
def _watcher(lab: Lab) -> Iterator[None]:
    """Within, the environment `watch` has an account that may only read ledgers, and ask for the end of the log."""
    project, secret = lab.job.project / "environments", lab.scratch / "watcher"
    secret.write_text("watch-2-watch", encoding="utf-8")
    content = yaml.safe_load((project / f"{ENVIRONMENT}.yaml").read_text(encoding="utf-8"))
    content["environment"] = "watch"
    for server in (content["source"], *content["servers"].values()):
        server |= {"user": WATCHER, "password": {"file": str(secret)}}
    (project / "watch.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    servers = [lab.arena.source, *lab.arena.targets]
    host = lab.arena.source.sandbox.account_host
    for server in servers:
        server.query(f"CREATE USER {WATCHER}@'{host}' IDENTIFIED BY 'watch-2-watch'")
        server.learn_password(WATCHER, secret)
    lab.arena.source.query(f"GRANT REPLICATION CLIENT ON *.* TO {WATCHER}@'{host}'")
    for database in lab.shards:
        lab.arena.placement[database].query(f"GRANT SELECT ON {database}.* TO {WATCHER}@'{host}'")
    try:
        yield
    finally:
        for server in servers:
            server.query(f"DROP USER {WATCHER}@'{host}'")


def _config(folder: Path, port: int) -> Path:
    """That of the example, which asks and decides each second."""
    config = yaml.safe_load((MONITORING / "prometheus.yml").read_text(encoding="utf-8"))
    del config["alerting"]
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    config["rule_files"] = [str(MONITORING / name) for name in config["rule_files"]]
    config["scrape_configs"][0]["static_configs"] = [{"targets": [f"127.0.0.1:{port}"]}]
    file = folder / "prometheus.yml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    return file


def _once(lab: Lab, *, env: str = ENVIRONMENT) -> Metrics:
    return export(lab.job.project, env=env)
