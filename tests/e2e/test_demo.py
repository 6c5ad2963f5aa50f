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


def test_h9_the_demo_ends_equal(tmp_path: Path) -> None:
    examples, scratch = tmp_path / "examples", tmp_path / "scratch"
    shutil.copytree(ROOT / "examples", examples, ignore=shutil.ignore_patterns("build", "reports"))
    scratch.mkdir()
    demo = subprocess.run(
        [sys.executable, str(examples / "shop" / "demo.py")],
        env={**os.environ, **SMALL, "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert demo.returncode == 0, demo.stdout[-2000:] + demo.stderr
    assert "verdict: equal" in demo.stdout and "== everything is equal, after" in demo.stdout
    # The checkout has been there and back and there, and kept a record of its orders.
    switches = re.findall(r"checkout: writes go to the (\w+) \(generation (\d)\)", demo.stdout)
    assert switches == [("shards", "1"), ("source", "2"), ("shards", "3")]
    assert re.search(r"checkout: [1-9][\d,]* transactions, 0 lost, 0 doubled; longest pause", demo.stdout)
    assert re.search(r"pauses +rehearsal [\d.]+ s, cutover [\d.]+ s, rollback [\d.]+ s, second cutover", demo.stdout)
    assert "shop-split is finished: writes go to the shards" in demo.stdout
    assert list(scratch.glob("shardwright*")) == []
