"""Scratch files lie in one private folder, which goes with its process; what a killed one left goes at the next
start.
"""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.spark import scratch

_HOLDS = """
import sys
from shardwright.runtime.spark.scratch import scratch_below, scratch_folder
scratch_below(sys.argv[1])
folder = scratch_folder()
assert scratch_folder() == folder
(folder / "blockmgr").mkdir()
print(folder, flush=True)
sys.stdin.read()
"""


def _start(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(parent)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def _end(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_the_folder_is_private_and_goes_with_its_process(tmp_path: Path) -> None:
    process, folder = _start(tmp_path / "work" / "dir")
    assert folder.parent == tmp_path / "work" / "dir" and stat.S_IMODE(folder.stat().st_mode) == 0o700
    _end(process)
    assert list((tmp_path / "work" / "dir").iterdir()) == []


def test_what_a_killed_process_left_goes_at_the_next_start_and_nothing_else(tmp_path: Path) -> None:
    killed, left = _start(tmp_path)
    alive, kept = _start(tmp_path)
    killed.send_signal(signal.SIGKILL)
    killed.wait(timeout=60)
    others = tmp_path / "shardwright-files"
    others.mkdir()
    (tmp_path / "shardwright-scratch-link").symlink_to(others)
    assert left.exists()
    after, own = _start(tmp_path)
    assert not left.exists() and kept.exists() and own.exists() and others.exists()
    _end(alive)
    _end(after)
    assert {path.name for path in tmp_path.iterdir()} == {"shardwright-files", "shardwright-scratch-link"}


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(scratch, "_parent", str(tmp_path / "file" / "work"))
    with pytest.raises(RuntimeFailure) as caught:
        scratch.scratch_folder.__wrapped__()
    assert caught.value.code == "SW8054" and str(tmp_path / "file" / "work") in str(caught.value)
