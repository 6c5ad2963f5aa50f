"""`cutover finish` beside a live run: both end in good order."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.mysql.grants import grant
from tests.cutover.lab import CutoverLab
from tests.notify.receivers import Notebook
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.metrics import export
from tests.support.waiting import repeat_until_it_passes

pytestmark = [pytest.mark.server, pytest.mark.spark]


def test_s10_finish_asks_and_ends_the_live_run_without_an_error(arena: Arena, tmp_path: Path) -> None:
    notebook = Notebook(tmp_path)
    lab = CutoverLab(arena, tmp_path, settings={"on_event": {"channels": {"notebook": notebook.channel}}})
    lab.begin()
    with lab.live() as run:
        lab.cutover()
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
        _asks(lab, "finish", "there is no rollback of lab any more")
        assert lab.status()["state"] == "reversing"
        # What the run writes to its ledger is in a shard's log, too: it is behind until it has read its own writes.
        repeat_until_it_passes(lambda: _check_metrics_of_the_way_back(lab))
        before = lab.job.log.stat().st_size
        _create_views(lab)
        lab.cutover("finish")
        assert run.wait(timeout=60) == 0, lab.job.end_of_log()
        said = lab.job.log.read_bytes()[before:].decode()
        for line in ("lab_0.child: the view of the old table is dropped", "lab_0.parent: the view of", "lab_1.parent"):
            assert line in said, said
        assert [_views(lab, database) for database in lab.shards] == [[], ["child"]], said
        assert "lab is finished" in said and not any(code in said for code in ("SW8305", "SW8151", "error")), said
    assert _of_cutovers(notebook) == ["fence_set", "switched", "finished"]
    metrics = export(lab.job.project)
    assert metrics.of("finished") == 1 and metrics.of("source_lag_seconds") is None
    _asks(lab, "unfence", "clients may write to 2 old tables of the source again")
    file = lab.job.project / "environments" / f"{ENVIRONMENT}.yaml"
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    content["on_event"]["channels"]["chat"] = {"http": {"url": {"env": "SHARDWRIGHT_TEST_NO_SUCH_SECRET"}}}
    file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    lab.cutover("unfence")
    assert "warning: on_event: SW7003: channel chat: no secret found" in lab.job.end_of_log()


def _create_views(lab: CutoverLab) -> None:
    """Of both old tables on each shard; one is replaced by a view of the team's own."""
    for database in lab.shards:
        server = lab.arena.placement[database]
        for statement in filter(None, lab.job.call("router", "--views", database).strip().split(";")):
            server.query(statement)
        server.query(grant(("SHOW VIEW",), database, f"shardwright@'{server.sandbox.account_host}'"))
    server.query("CREATE OR REPLACE VIEW lab_1.child AS SELECT id FROM lab_1.child_0 WHERE note = 'own'")


def _views(lab: CutoverLab, database: str) -> list[str]:
    found = lab.arena.placement[database].query(
        f"SELECT table_name FROM information_schema.views WHERE table_schema = '{database}' ORDER BY 1"
    )
    return [str(name) for (name,) in found]


def _of_cutovers(notebook: Notebook) -> list[str]:
    """Kinds of what the commands have sent; runs send beside them."""
    theirs = ("CutoverProgress", "CutoverGivenUp", "MigrationFinished")
    return [document["kind"] for document in notebook.documents if document["event"]["event"] in theirs]


def _check_metrics_of_the_way_back(lab: CutoverLab) -> None:
    """Each server of shards has a log, for which a clock runs."""
    metrics = export(lab.job.project)
    assert metrics.of("direction", direction="backward") == 1 == metrics.of("cutover_state", state="reversing")
    assert metrics.of("writes_to", side="shards") == 1 == metrics.of("run_live")
    assert (metrics.of("cutover_last_pause_seconds") or 0) > 0 == metrics.of("cutover_pause_seconds")
    assert metrics.of("verify_equal") == 1 and metrics.of("snapshot_complete") == 1
    for server in lab.shards:
        assert metrics.of("source_lag_bytes", source=server) == 0
        assert metrics.of("source_log_bytes", source=server) is not None
    assert metrics.of("shard_batch", shard="_shardwright_lab") is not None


def _asks(lab: CutoverLab, action: str, lost: str) -> None:
    """S10: in an environment that is not protected, too, and before anything is done."""
    command = [*lab.job.command("cutover", "status", "--env", ENVIRONMENT)]
    command[command.index("status")] = action
    ended = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, check=False)
    assert ended.returncode == Exit.REFUSED, ended
    assert f"this cannot be undone: {lost}" in ended.stderr and "SW8226" in ended.stderr, ended
