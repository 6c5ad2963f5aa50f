"""A <-> B -> C: while buckets of A move to B's shards and back, B's shards are the source of the next migration.

The log of B has the writes of B's applications, and what the first migration brings from A. The next migration takes
both. The first one takes back to A what applications wrote, and leaves out its own.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from tests.rescale.lab import Rescaled
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.waiting import repeat_until_it_passes

pytestmark = [pytest.mark.server, pytest.mark.spark]

_BUCKETS = 64
Parcel = tuple[int, int, str]
"""Id, owner and note."""


def _owners(lab: Rescaled) -> dict[str, int]:
    """By side: an owner of parcels whose bucket the side writes."""
    rows = lab.old.query("depot_0", "SELECT bucket, writer FROM `_shardwright_bucket` WHERE migration = 'depot'")
    writers = {int(bucket): str(writer) for bucket, writer in rows}
    return {writers[zlib.crc32(str(owner).encode()) % _BUCKETS]: owner for owner in range(500)}


def _write_on_both(lab: Rescaled, id_: int) -> set[Parcel]:
    """One parcel on each side that has buckets. Returns them."""
    written = set()
    for side, owner in _owners(lab).items():
        id_ += 1
        parcel = (id_, owner, f"written on the {side} side")
        if side == "source":
            lab.arena.source.query(f"INSERT INTO parcel VALUES {parcel}", database="depot")
        else:
            database, suffix = lab.old.place(owner)
            lab.old.query(database, f"INSERT INTO parcel{suffix} (id, owner_id, note) VALUES {parcel}")
        written.add(parcel)
    return written


def _wait_everywhere(lab: Rescaled, written: set[Parcel]) -> None:
    repeat_until_it_passes(lambda: _require_everywhere(lab, written), seconds=120)


def _require_everywhere(lab: Rescaled, written: set[Parcel]) -> None:
    """As servers have them: on A, on B's shards, and on C's."""
    on_a = set(lab.arena.source.query("SELECT id, owner_id, note FROM parcel WHERE id > 900000", database="depot"))
    on_shards = [{row[:3] for row in side.rows()["parcel"] if row[0] > 900_000} for side in (lab.old, lab.new)]
    assert on_a == written and all(found == written for found in on_shards)


@pytest.mark.long
def test_h8_a_change_of_either_side_reaches_the_next_migration_once(arena: Arena, tmp_path: Path) -> None:
    lab = Rescaled(arena, tmp_path, arena.targets)
    spec = lab.job.project / "specs" / "depot.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("div 2) % 2\n", f"div 2) % 2\n    buckets: {_BUCKETS}\n"), encoding="utf-8")
    lab.fill(500)
    lab.allow_first_cutover()
    first = lab.job.start_run()
    try:
        lab.until_log("caught up with", after=f"--env {ENVIRONMENT} --until forever")
        lab.rescale()
        with lab.run():
            lab.until_copied()
            lab.first("verify")
            written: set[Parcel] = set()
            for number, moves in enumerate(
                (("--percent", "50"), ("--buckets", "7-9"), ("rollback", "--buckets", "all"))
            ):
                lab.first("cutover", *moves)
                written |= _write_on_both(lab, 900_000 + 10 * number)
                _wait_everywhere(lab, written)
                lab.first("verify")
                lab.call("verify")
            lab.arena.source.query("UPDATE parcel SET note = 'last' WHERE id > 900000", database="depot")
            last = {(id_, owner, "last") for id_, owner, _ in written}
            _wait_everywhere(lab, last)
    finally:
        kill_tree(first)
