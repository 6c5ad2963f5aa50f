"""Writes go to the shards bucket by bucket, and back, while the application writes on both sides."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.mysql.servers import ledger_database_of
from tests.cutover.application import Application, Layers
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.lab import PROJECT

pytestmark = [pytest.mark.server, pytest.mark.spark]

_OWNERS = "SELECT bucket, writer, generation FROM `_shardwright_bucket` WHERE migration = 'lab'"


@dataclass
class BucketLayers(Layers):
    """Each place of the lab is a bucket. A row that says `nobody`, or an older generation, changes nothing."""

    owners: dict[int, tuple[str, int]] = field(default_factory=dict)

    def side_of(self, place: int) -> str:
        return self.owners.get(place, (self.writes_to, -1))[0]

    def ask(self, *, every: float = 0.0) -> None:
        super().ask(every=every)
        for database in (ledger_database_of("lab"), *self.application.databases):
            try:
                rows = self._query(database, _OWNERS)
            except pymysql.err.MySQLError:
                self._close(database)
                continue
            for bucket, writer, generation in rows:
                if writer != "nobody" and int(generation) > self.owners.get(int(bucket), ("", -1))[1]:
                    self.owners[int(bucket)] = (str(writer), int(generation))


def make_project(folder: Path) -> Path:
    """The lab's project with a bucket for each place."""
    made = shutil.copytree(PROJECT, folder / "by-bucket")
    spec = made / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("table: (place div 2) % 2", "table: (place div 2) % 2\n    buckets: place % 4"))
    return made


def make_lab(arena: Arena, folder: Path) -> CutoverLab:
    lab = CutoverLab(arena, folder, example=make_project(folder))
    lab.application = Application(arena, lab.shards, layers=BucketLayers)
    lab.begin()
    return lab


def owners(lab: CutoverLab, side: str) -> dict[int, str]:
    """As the first ledger of the side has it."""
    server, database = (
        (lab.arena.source, ledger_database_of("lab"))
        if side == "source"
        else (lab.arena.placement[lab.shards[0]], lab.shards[0])
    )
    return {int(bucket): str(writer) for bucket, writer, _ in server.query(_OWNERS, database=database)}


def test_h8_one_bucket_there_and_back_and_then_all(arena: Arena, tmp_path: Path) -> None:
    lab = make_lab(arena, tmp_path)
    with lab.live() as run:
        print(lab.cutover("--buckets", "1"))
        assert owners(lab, "source") == owners(lab, "shards")
        assert owners(lab, "shards") == {0: "source", 1: "shards", 2: "source", 3: "source", 4: "source"}
        lab.writes_on(run, more=60)
        assert lab.status()["state"] == "sharing"
        print(lab.cutover("rollback", "--buckets", "1"))
        lab.writes_on(run)
        assert lab.status()["state"] == "following"
        print(lab.cutover("--percent", "50"))
        lab.writes_on(run, more=60)
        print(lab.cutover("--buckets", "all"))
        assert lab.status()["state"] == "reversing"
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
        lab.equal()
        lab.cutover("finish")
        assert run.wait(timeout=60) == 0, lab.job.end_of_log()
