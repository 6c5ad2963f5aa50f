"""A half-done migration that an earlier version began is ended by this one (hazard J7): `format-N` are the files of one
whose ledger has format N. To keep one before a format changes:

SHARDWRIGHT_KEEP=format-5 .venv/bin/python -m pytest -p no:xdist tests/upgrades/test_half_done.py -k keep
"""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from shardwright.runtime.ledger.upgrade import FORMAT, STEPS
from tests.interleavings.driver import PROJECT, Lab, move, new_family, rekey, remove
from tests.servers.testbed import Arena
from tests.upgrades.half_done import load, save
from tests.variants import usual
from tests.workload.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]

HERE = Path(__file__).parent
KEPT = sorted(int(path.name.removeprefix("format-")) for path in HERE.glob("format-*"))
STEP = ("after-ledger-column-added", "before-ledger-format-set")
DIED_AT = frozenset(STEP)
SMALL_CHUNKS = {"snapshot": {"chunk_rows": 4, "parallel": 1}}
FAMILIES = {number: number % 4 for number in range(1, 25)}


@pytest.mark.skipif("SHARDWRIGHT_KEEP" not in os.environ, reason="only to keep a half-done migration of this version")
@pytest.mark.parametrize("where", ["copying", "applying"])
def test_keep(arena: Arena, tmp_path: Path, where: str) -> None:
    folder = HERE / os.environ["SHARDWRIGHT_KEEP"]
    shutil.copytree(
        PROJECT, folder / "spec", dirs_exist_ok=True, ignore=shutil.ignore_patterns("build", "environments")
    )
    lab = Lab(arena, tmp_path, settings=SMALL_CHUNKS)
    lab.create_source()
    lab.fill(FAMILIES)
    if where == "copying":
        lab.gates.hold("after-chunk-done")
        with lab.running() as run:
            lab.reach(run, "after-chunk-done")
    else:
        lab.finish()
        with lab.running() as run:
            lab.gather(run, *_changes(100))
            lab.gates.hold("after-mark-staged")
            lab.gates.open("before-open-batch")
            lab.reach(run, "after-mark-staged")
    save(lab, folder / where)


def _changes(base: int) -> list[list[str]]:
    return [new_family(base, 1), move(2, 3), rekey(3, base + 1), remove(4), [*move(5, 0), *new_family(base + 2, 2)]]


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("where", usual(["copying", "applying"], only=["applying"]))
def test_j7_a_half_done_migration_of_an_earlier_version_is_ended(
    arena: Arena, tmp_path: Path, kept: int, where: str
) -> None:
    if arena.source.sandbox.kind != "mariadb":
        pytest.skip("MariaDB only: the files were kept there")
    lab = Lab(arena, tmp_path, settings=SMALL_CHUNKS, example=HERE / f"format-{kept}" / "spec")
    load(lab, HERE / f"format-{kept}" / where)
    lab.write_all(_changes(200))
    for name in STEP:
        process = lab.start(until="caught-up", gated=False, failpoints=f"{name}=kill")
        try:
            assert process.wait(timeout=300) == -signal.SIGKILL, lab.job.end_of_log()
        finally:
            kill_tree(process)
    assert lab.at(0, "SELECT format FROM _shardwright_ledger") == [(kept,)], "the number is written last"
    lab.finish()
    assert [lab.at(shard, "SELECT format FROM _shardwright_ledger") for shard in (0, 1)] == [[(FORMAT,)]] * 2
    lab.require_equal()


def test_j7_there_is_a_half_done_migration_of_each_format() -> None:
    assert [number - 1 for number in sorted(STEPS)] == KEPT
