"""The disk under a run's scratch files fills up (A15): it says so, waits for room, and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import kill_tree
from tests.support.lab import Lab, move, new_family

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

SMALL_DISK = (
    "unshare",
    "--user",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs -o size=16m none "$TMPDIR" && exec "$@"',
    "run",
)
"""A disk of 16 MiB that only the run sees. Linux lets every user have one."""


def test_a15_disk_full(arena: Arena, tmp_path: Path) -> None:
    lab = Lab(arena, tmp_path)
    lab.create_source()
    lab.fill({id_: id_ % 4 for id_ in range(100, 120)})
    process = lab.start(gated=False, within=SMALL_DISK)
    try:
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(process)
        ballast = Path(f"/proc/{process.pid}/root{lab.scratch}/ballast")
        assert _fill(ballast) > 1 << 20
        lab.write_all([new_family(200 + k, k % 4) for k in range(20)])
        lab.until(process, "the run says so", lambda: "SW8306" in lab.job.end_of_log())
        ballast.unlink()
        lab.write_all([move(200 + k, (k + 1) % 4) for k in range(20)])
        lab.drain(process)
    finally:
        kill_tree(process)
    lab.require_equal()
    lab.finish()
    lab.require_equal()


def _fill(ballast: Path) -> int:
    """Write until nothing more fits. Returns how much did."""
    written = 0
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    written += file.write(bytes(size))
            except OSError as full:
                assert full.errno == 28
    return written
