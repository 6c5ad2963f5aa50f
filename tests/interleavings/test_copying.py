"""A chunk that stands still while the stream goes on, and the other way round (C4; hazards A10, B1, B2).

The same things happen to the rows of a chunk at three places: before the chunk is read (it then holds rows from a
later position than the stream's), between its read and its write (it then holds rows that the stream has outrun), and
while its transaction is open (the stream then waits for its locks).
"""

from __future__ import annotations

from pathlib import Path
from subprocess import Popen

import pytest

from tests.interleavings.scenarios import rename
from tests.servers.testbed import Arena
from tests.support.lab import Lab, Write, move, new_family, rekey, remove

pytestmark = [pytest.mark.server, pytest.mark.spark]

FAMILIES = {id_: id_ % 4 for id_ in range(100, 160)}
"""Every kind of change happens to four families, one at each place."""

KINDS = ("updated", "deleted", "reinserted", "replaced", "moved", "toured", "rekeyed", "swapped", "handed", "waited")


def _ids(kind: str) -> list[int]:
    first = 100 + 4 * KINDS.index(kind)
    return list(range(first, first + 4))


def changes() -> list[Write]:
    """Transactions, in order; later ones build on earlier ones."""
    done: list[Write] = []
    for id_ in _ids("updated"):
        done += [f"UPDATE parent SET note = 'one' WHERE id = {id_}", f"UPDATE child SET note = 'one' WHERE id = {id_}"]
        done += [f"UPDATE parent SET note = 'two' WHERE id = {id_}"]
    for id_ in _ids("deleted"):
        done += [remove(id_)]
    for id_ in _ids("reinserted"):
        done += [remove(id_), new_family(id_, id_ % 4, note="again")]
    for id_ in _ids("replaced"):
        # Deleted, and another family takes its name; then it comes back elsewhere and goes for good.
        done += [remove(id_), new_family(id_ + 500, id_ % 4, name=f"n{id_}")]
        done += [new_family(id_, (id_ + 1) % 4, name=f"back{id_}"), remove(id_)]
    for id_ in _ids("moved"):
        done += [move(id_, (id_ + 1) % 4)]
    for id_ in _ids("toured"):
        done += [move(id_, (id_ + step) % 4, note=f"step {step}") for step in (1, 2, 4)]
    for id_ in _ids("rekeyed"):
        done += [rekey(id_, id_ + 600), rekey(id_ + 600, id_ + 700), move(id_ + 700, (id_ + 2) % 4)]
    first, second, third, fourth = _ids("swapped")
    # Brought to one table, where their names meet.
    done += [move(id_, first % 4) for id_ in (second, third, fourth)]
    done += [rename((first, f"n{second}"), (second, f"n{first}")), rename((third, f"n{fourth}"), (fourth, f"n{third}"))]
    for id_ in _ids("handed"):
        done += [remove(id_), new_family(id_ + 800, id_ % 4, name=f"n{id_}", note="heir")]
    first, second, third, fourth = _ids("waited")
    done += [[*rename((first, "gone"), (second, f"n{first}")), *move(first, second % 4), *move(second, first % 4)]]
    done += [
        [*rename((third, f"n{fourth}"), (fourth, f"n{third}")), *move(third, fourth % 4), *move(fourth, third % 4)]
    ]
    return done


@pytest.mark.in_turn
def test_b2_chunk_outrun_by_the_stream(lab: Lab) -> None:
    """Read, then held; the stream applies everything in many batches; then the chunk is written."""
    lab.fill(FAMILIES)
    lab.gates.hold("after-chunk-read")
    with lab.run() as run:
        lab.reach(run, "after-chunk-read")
        written = changes()
        middle = len(written) // 2
        for part in (written[:middle], written[middle:]):
            lab.write_all(part)
            lab.drain(run)
        assert lab.ledger_state().tombstones > 0
        lab.gates.hold("before-chunk-commit")
        lab.gates.open("after-chunk-read")
        lab.reach(run, "before-chunk-commit")
        lab.gates.open_all()
        _finish(lab, run)


@pytest.mark.long
def test_a10_chunk_holds_its_transaction_open(lab: Lab) -> None:
    """The stream's sub-steps wait for the chunk's locks, or the chunk for theirs: both get through."""
    lab.fill(FAMILIES)
    lab.gates.hold("before-chunk-commit")
    with lab.run() as run:
        lab.reach(run, "before-chunk-commit")
        lab.write_all(changes())
        lab.until(run, "a sub-step waits for the chunk", lab.lock_waits)
        lab.gates.open_all()
        _finish(lab, run)


@pytest.mark.long
def test_b2_parents_are_not_seen_before_the_details_they_belong_to(arena: Arena, tmp_path: Path) -> None:
    """Families that come between the details' chunk and the parents' one, and while the latter is held."""
    lab = Lab(arena, tmp_path)
    lab.create_source()
    lab.fill(FAMILIES)
    lab.gates.hold("after-chunk-done")
    with lab.run() as run, lab.observe():
        lab.reach(run, "after-chunk-done")
        lab.write_all([new_family(700, 0), move(101, 2), remove(102)])
        lab.drain(run)
        assert (lab.lines(700, 0), lab.places(700)) == (2, []), (
            "the details' stream goes on, the parents' has not begun"
        )
        lab.gates.hold("after-chunk-read")
        lab.gates.open("after-chunk-done")
        lab.reach(run, "after-chunk-read")
        lab.write_all([new_family(701, 1), move(700, 3), move(103, 0), remove(104)])
        lab.drain(run)
        lab.gates.open_all()
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(run)
    lab.require_equal()


@pytest.mark.in_turn
def test_b1_chunk_newer_than_the_stream(lab: Lab) -> None:
    """Everything has happened before the chunk is read; its rows stand when the stream comes by with older events."""
    lab.fill(FAMILIES)
    lab.gates.hold("before-chunk-read", "before-open-batch")
    with lab.run() as run:
        lab.reach(run, "before-chunk-read")
        lab.write_all(changes())
        lab.reach(run, "before-open-batch")
        lab.gates.open("before-chunk-read")
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.gates.open_all()
        _finish(lab, run)


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> Lab:
    """Small batches, so that one transaction after another takes effect; chunks that do not wait for the stream."""
    made = Lab(arena, tmp_path, flat=True, settings={"batch": {"max_rows": 40}})
    made.create_source()
    return made


def _finish(lab: Lab, run: Popen[bytes]) -> None:
    lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
    lab.drain(run)
    lab.require_equal()
    # From here on readers see what belongs together: nothing may come back any more.
    with lab.observe():
        lab.one_batch(run, remove(100), move(101, 2), new_family(900, 0))
    lab.require_equal()
    lab.until(run, "the tombstones are gone", lambda: lab.ledger_state().tombstones == 0)
