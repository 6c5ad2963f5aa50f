"""`make demo`, smaller: the first thing that a newcomer runs ends with its verdict, and leaves nothing behind. It fails
when its checkout has lost an order (`test_checkout`: it notices).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
SMALL = {"DEMO_SECONDS": "3", "DEMO_ORDERS": "2000", "DEMO_RATE": "20"}
MADE = {"build", "reports", "environments", "__pycache__"}
THERE_AND_BACK = [("shards", "1"), ("source", "2"), ("shards", "3")]


def test_h9_the_demo_ends_equal(tmp_path: Path) -> None:
    said = _demo(tmp_path)
    assert "verdict: equal" in said
    # The checkout has been there and back and there, and kept a record of its orders.
    assert _switches(said) == THERE_AND_BACK
    assert re.search(
        r"pauses +rehearsal [\d.]+ s, 1 % of the users [\d.]+ s, .*cutover [\d.]+ s, rollback [\d.]+ s, second", said
    )
    assert "shop-split is finished: writes go to the shards" in said


@pytest.mark.long
def test_the_shops_shards_are_rescaled(tmp_path: Path) -> None:
    """Four databases of four tables become eight of eight, and the first migration is the same as without it."""
    first, _, second = _demo(tmp_path, DEMO_RESCALE="1").partition("the shards become the source of the next migration")
    assert _switches(first) == _switches(second) == THERE_AND_BACK
    assert "order_db_0/_0 -> part_0/_0, part_0/_2, part_0/_4, part_0/_6 25 % each" in second
    assert re.search(r"pauses +cutover [\d.]+ s, rollback [\d.]+ s, second cutover [\d.]+ s", second)
    assert "shop-split-8x8 is finished: writes go to the shards" in second


def _switches(said: str) -> list[tuple[str, str]]:
    """Of one checkout, whose verdict is good."""
    assert re.search(r"checkout: [1-9][\d,]* transactions, 0 lost, 0 doubled; longest pause", said)
    return re.findall(r"checkout: writes go to the (\w+) \(generation (\d)\)", said)


def _demo(folder: Path, **more: str) -> str:
    """What it prints. It leaves no servers, and nothing in the project that git would see."""
    examples, scratch = folder / "examples", folder / "scratch"
    shutil.copytree(ROOT / "examples", examples, ignore=shutil.ignore_patterns(*MADE))
    scratch.mkdir()
    before = _files(examples)
    demo = subprocess.run(
        [sys.executable, str(examples / "shop" / "demo.py")],
        env={**os.environ, **SMALL, **more, "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert demo.returncode == 0, demo.stdout[-2000:] + demo.stderr
    assert "== everything is equal, after" in demo.stdout
    assert list(scratch.glob("shardwright*")) == []
    assert _files(examples) == before
    return demo.stdout


def _files(folder: Path) -> dict[Path, bytes]:
    """All but what git ignores."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not MADE & set(path.parts)}
