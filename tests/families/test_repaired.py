"""`verify`, then `repair`, of families: every kind of fault of parents, children and the lookup table, planted on the
shards; beside writes, ahead of the stream, refused by a target, killed on the way.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.families.driver import FamilyLab, family
from tests.families.repairing import Named, carry, mismatches_in, order, repair, states, verify
from tests.support.job import ENVIRONMENT
from tests.support.lab import SUFFIXES
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark]

IDS = 24
PLACES = "_sw_place_parent"
PARENTS_KILLED_AT = (
    "after-children-read",
    "after-stage",
    "after-mark-staged",
    "after-upsert",
    "after-move-out",
    "before-close-batch",
    "after-dead-letter-answered",
)
CHILDREN_KILLED_AT = (
    "after-dead-letter-answered",  # the parents' batch is done
    "after-dead-letters-read",
    "before-mark-staged",
    "after-mark-staged",
    "after-delete",
    "after-close-batch",
    "after-dead-letter-answered",
)
"""In their order. What a batch has staged is applied by the runs that follow."""


@pytest.mark.long
def test_h6_every_fault_of_a_family_is_repaired_under_writes(lab: FamilyLab, dice: random.Random) -> None:
    _fill(lab)
    lab.finish()
    with lab.run(gated=False) as run:
        lab.write("UPDATE parent SET note = 'the copy is passed' WHERE id = 0")
        lab.drain(run)
        planted = _plant(lab)
        result = verify(lab, code=1)
        assert mismatches_in(result) == planted
        shown = repair(lab, result, "--dry-run", "--delete-extra").require(0)
        assert f"INSERT INTO `{PLACES}`" in shown.out and f"DELETE FROM `lab_0`.`{PLACES}`" in shown.out, shown
        kept = repair(lab, result, "--dry-run").require(1)
        left = [line for line in kept.err.splitlines() if line.startswith("left:")]
        assert len(left) == 3, kept
        assert all("it is not at the source: --delete-extra removes it" in line for line in left), kept
        with _write(lab, dice):
            command = ("repair", str(result), "--env", ENVIRONMENT, "--timeout", "240", "--delete-extra")
            lab.job.call(*command, timeout=900)
        lab.drain(run)
        verify(lab, code=0)
    _require_right(lab)


@pytest.mark.in_turn
def test_h6_d13_rows_that_are_read_ahead_of_the_stream_stay_with_their_parents(lab: FamilyLab) -> None:
    """Between the stream's position and the one where the rows are read, their parents move, come and go."""
    _fill(lab)
    lab.finish()
    with lab.run() as run:
        lab.write("UPDATE parent SET note = 'the copy is passed' WHERE id = 0")
        lab.drain(run)
        lab.at(0, f"DELETE FROM {PLACES} WHERE id IN (1, 9)")
        lab.at(0, f"UPDATE {PLACES} SET sw_at_shard = 0, sw_at_part = 1 WHERE id IN (5, 13)")
        lab.at(0, "DELETE FROM parent_0 WHERE id = 4")
        lab.at(2, "DELETE FROM child_1 WHERE cid IN ('2-0', '6-0')")
        lab.at(3, "DELETE FROM child_1 WHERE cid IN ('3-0', '3-1')")
        lab.gates.hold("before-dead-letters-read")
        order(lab, *(("parent", str(id_)) for id_ in (1, 4, 5, 9, 13)))
        order(lab, *(("child", cid) for cid in ("2-0", "3-0", "3-1", "6-0", "7-0")))
        lab.reach(run, "before-dead-letters-read")
        lab.write("UPDATE parent SET place = 0 WHERE id IN (1, 2)")
        lab.write("UPDATE parent SET place = 3 WHERE id = 1", "UPDATE child SET note = 'goes' WHERE cid = '1-0'")
        lab.write("UPDATE child SET parent_id = 2 WHERE cid IN ('3-0', '5-0')", "DELETE FROM child WHERE cid = '6-0'")
        lab.write("UPDATE parent SET place = 1 WHERE id IN (2, 4)", "DELETE FROM parent WHERE id = 5")
        lab.write("UPDATE parent SET place = 2 WHERE id = 4", "UPDATE child SET parent_id = 4 WHERE cid = '7-0'")
        lab.write("UPDATE parent SET id = 109 WHERE id = 9", "UPDATE child SET parent_id = 109 WHERE parent_id = 9")
        lab.write(
            *family(30, 2), "UPDATE child SET parent_id = 30 WHERE cid = '3-1'", "DELETE FROM parent WHERE id = 3"
        )
        lab.gates.open("before-dead-letters-read")
        lab.drain(run)
        _require_right(lab)
    verify(lab, code=0)


@pytest.mark.long
def test_h6_a_row_of_a_family_that_a_target_refuses_is_a_dead_letter(lab: FamilyLab) -> None:
    """A child and a parent: their run continues, also with the rows that their parents and children have meanwhile. A
    retry brings them where they belong by then."""
    _fill(lab)
    lab.finish()
    with lab.run() as run:
        lab.write("UPDATE parent SET note = 'the copy is passed' WHERE id = 0")
        lab.drain(run)
        for place in range(4):
            for table in ("parent", "child"):
                name = f"{table}{SUFFIXES[place // 2]}"
                lab.at(place, f"ALTER TABLE {name} ADD CONSTRAINT {name}_note CHECK (note <> 'refused')")
        lab.at(2, "DELETE FROM child_1 WHERE cid = '2-0'")
        lab.at(0, f"DELETE FROM {PLACES} WHERE id = 6")
        lab.gates.hold("before-dead-letters-read")
        order(lab, ("child", "2-0"), ("parent", "6"))
        lab.reach(run, "before-dead-letters-read")
        lab.write("UPDATE child SET note = 'refused' WHERE cid = '2-0'")
        lab.write("UPDATE parent SET place = 1, note = 'refused' WHERE id = 6")
        lab.gates.open("before-dead-letters-read")
        lab.until(run, "both are held", lambda: states(lab) == {"held"})
        lab.write("UPDATE parent SET place = 3 WHERE id = 2", "UPDATE parent SET place = 0 WHERE id = 6")
        lab.drain(run)
        assert lab.children(2) == {3: 1} and lab.children(6) == {0: 2}, "they follow their parents, who is held or not"
        lab.write("UPDATE child SET note = '' WHERE cid = '2-0'", "UPDATE parent SET note = '' WHERE id = 6")
        lab.drain(run)
        lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
        lab.until(run, "none waits", lambda: not states(lab) & {"held", "retry"})
        lab.drain(run)
        _require_right(lab)
    verify(lab, code=0)


@pytest.mark.long
@pytest.mark.parametrize("killed_at", [PARENTS_KILLED_AT, CHILDREN_KILLED_AT], ids=["parents", "children"])
def test_h6_a1_killed_while_a_family_is_repaired(lab: FamilyLab, killed_at: Sequence[str]) -> None:
    """In the parents' batch, and in their children's behind it."""
    _fill(lab)
    lab.finish()
    _plant(lab)
    result = verify(lab, code=1)
    killed = repair(lab, result, "--run", "--delete-extra", failpoints="before-dead-letters-read=kill")
    assert killed.code == -9, killed
    for name in killed_at:
        lab.gates.open_all()
        lab.gates.forget()
        lab.gates.hold(name)
        with lab.run() as run:
            lab.reach(run, name)
        require_sound(lab.arena, lab.ledger_state())
    lab.write("UPDATE parent SET place = (place + 1) % 4")
    lab.finish()
    verify(lab, code=0)
    _require_right(lab)


def _fill(lab: FamilyLab) -> None:
    for id_ in range(IDS):
        lab.write(*family(id_, id_ % 4))
    lab.write("INSERT INTO child VALUES ('orphan', 4711, 'o', NULL, ''), ('none', NULL, 'p', NULL, '')")


def _plant(lab: FamilyLab) -> Named:
    """One fault of every kind, each in a family of its own. What `verify` has to name."""
    lab.at(1, "UPDATE parent_0 SET note = 'planted' WHERE id = 1")
    lab.at(2, "DELETE FROM parent_1 WHERE id = 2")
    carry(lab, "parent", "id = 3", start=3, end=0)
    lab.at(1, "INSERT INTO parent_0 VALUES (900, 1, NULL, 'nobody')")
    lab.at(1, "UPDATE child_0 SET note = 'planted' WHERE cid = '5-0'")
    lab.at(2, "DELETE FROM child_1 WHERE cid = '6-0'")
    carry(lab, "child", "cid = '7-0'", start=3, end=2)
    carry(lab, "child", "cid = '8-0'", start=0, end=3, stays=True)
    lab.at(3, "UPDATE child_1 SET mark = NULL WHERE cid = '8-0'")
    lab.at(1, "INSERT INTO child_0 VALUES ('nobody', 9, NULL, NULL, '')")
    lab.at(0, f"DELETE FROM {PLACES} WHERE id = 10")
    lab.at(0, f"UPDATE {PLACES} SET sw_at_shard = 0, sw_at_part = 0 WHERE id = 11")
    lab.at(0, f"INSERT INTO {PLACES} VALUES (901, 1, 1)")
    lab.at(1, "DELETE FROM detail_0 WHERE belongs_to = 13 AND line = 0")
    for table, key in (("parent", "id = 14"), ("child", "parent_id = 14"), ("detail", "belongs_to = 14")):
        carry(lab, table, key, start=2, end=3)
    lab.at(0, f"UPDATE {PLACES} SET sw_at_shard = 1, sw_at_part = 1 WHERE id = 14")
    beside = {("child", "2-0"), ("child", "2-1"), ("child", "3-0"), ("child", "3-1")}
    beside |= {("detail", f"{id_},{line}") for id_ in (2, 3) for line in (0, 1)}
    parents = {("parent", key) for key in ("1", "2", "3", "14", "900")}
    children = {("child", key) for key in ("5-0", "6-0", "7-0", "8-0", "nobody")}
    return beside | parents | children | {("detail", "13,0")} | {(PLACES, key) for key in ("10", "11", "14", "901")}


def _require_right(lab: FamilyLab) -> None:
    """The rows, and the lookup table."""
    lab.require_equal()
    wanted = {(int(id_), int(place)) for id_, place in lab.arena.source.query("SELECT id, place FROM lab.parent")}
    found = {(int(id_), int(s) + 2 * int(p)) for id_, s, p in lab.at(0, f"SELECT * FROM {PLACES}")}
    assert found == wanted


@contextmanager
def _write(lab: FamilyLab, dice: random.Random) -> Iterator[None]:
    """Some transactions a second at the source, about the same families."""
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(0.2):
            one, other = dice.randrange(IDS), dice.randrange(IDS)
            lab.write(*dice.choice(_changes(dice, one, other)))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()


def _changes(dice: random.Random, one: int, other: int) -> list[list[str]]:
    """Of unique values that change hands a planted second copy would make a collision."""
    return [
        [f"UPDATE parent SET place = {dice.randrange(4)} WHERE id = {one}"],
        [f"UPDATE child SET parent_id = {other} WHERE parent_id = {one} LIMIT 1"],
        [f"UPDATE child SET note = '{dice.random()}' WHERE parent_id = {one}"],
        [f"UPDATE detail SET note = '{dice.random()}' WHERE `of` = {one}"],
        [f"DELETE FROM parent WHERE id = {one}", f"INSERT INTO parent VALUES ({one}, {other % 4}, NULL, '')"],
        [f"DELETE FROM child WHERE cid = '{one}-1'"],
    ]
