"""Is the row right, and if not: which step of its path did not hold? A function of the facts.

Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from shardwright.runtime.history.facts import Change, RowFacts


class Step(StrEnum):
    """Where a row is on its way, or where it was lost."""

    RIGHT = "right"
    NOWHERE = "nowhere"
    FILTERED = "left out by the row filter"
    KEPT = "kept after its delete"
    NOT_COPIED = "not copied yet"
    CHUNK_NOT_WRITTEN = "in a chunk that is not written"
    AHEAD = "in the log after the stream's position"
    OPEN_BATCH = "in the open batch"
    STAGED = "staged but not applied"
    DEAD_LETTER = "dead letter"
    NOT_APPLIED = "in a closed batch, but not applied"
    WRONG_PLACE = "in the wrong table"
    FOREIGN = "overwritten by a foreign writer"
    SEVERAL = "in several tables at once"
    UNEXPLAINED = "unexplained"


_FINE = frozenset({Step.RIGHT, Step.NOWHERE, Step.FILTERED, Step.KEPT})
_UNDER_WAY = frozenset({Step.NOT_COPIED, Step.CHUNK_NOT_WRITTEN, Step.AHEAD, Step.OPEN_BATCH, Step.STAGED})


@dataclass(frozen=True, slots=True)
class Verdict:
    """`sentence` names the step and what shows it."""

    step: Step
    sentence: str

    @property
    def is_right(self) -> bool:
        return self.step in _FINE

    @property
    def is_under_way(self) -> bool:
        """Whether the run will bring the row by itself."""
        return self.step in _UNDER_WAY


def is_equal(facts: RowFacts) -> bool:
    """Whether the write side has what the read side has, each table that should, once."""
    there = {row.place for row in facts.write_side}
    if not facts.read_side:
        return not facts.write_side
    if len(facts.read_side) > 1 or len(facts.write_side) != len(there):
        return False
    wanted = set(facts.expected) or there
    is_whole = bool(there) and there == wanted and not any(row.misplaced for row in facts.write_side)
    return is_whole and all(row.hash == facts.read_side[0].hash for row in facts.write_side)


def judge(facts: RowFacts) -> Verdict:
    """What is still under way comes first: a row that the run will bring is not lost."""
    if is_equal(facts):
        return _right(facts)
    return _under_way(facts) or _dead_letter(facts) or _find_loss(facts)


def _right(facts: RowFacts) -> Verdict:
    if facts.read_side:
        places = ", ".join(row.place for row in facts.write_side)
        return Verdict(Step.RIGHT, f"{facts.read_side[0].place} and {places} have the same row")
    last = facts.changes[-1] if facts.changes else None
    if facts.is_filtered:
        return Verdict(Step.FILTERED, "the row filter of the spec leaves the row out")
    if last is not None and last.operation == "delete":
        return Verdict(Step.NOWHERE, f"neither side has the row: it was deleted at {last.position}")
    return Verdict(Step.NOWHERE, "neither side has the row")


def _under_way(facts: RowFacts) -> Verdict | None:
    live = facts.live
    changes = [change for change in facts.changes if change.direction is live.direction]
    if ahead := [change for change in changes if change.state == "ahead"]:
        where = f"{ahead[-1].log} at {ahead[-1].position}"
        return Verdict(
            Step.AHEAD, f"the last change of the row, {where}, is not read yet: the stream is at {live.position}"
        )
    if opened := [change for change in changes if change.state == "open"]:
        what = f"the change at {opened[-1].position} is in batch {live.open_batch}"
        if facts.staged:
            return Verdict(Step.STAGED, f"{what}, which {facts.staged[0].place} has staged and not applied")
        return Verdict(Step.OPEN_BATCH, f"{what}, which is {live.open_state}")
    if live.copying and facts.read_side and not any(change.state == "applied" for change in changes):
        return _not_copied(facts)
    return None


def _not_copied(facts: RowFacts) -> Verdict | None:
    chunk = next((chunk for chunk in facts.chunks if chunk.source_table == facts.read_side[0].place), None)
    if chunk is None or chunk.number is None:
        return Verdict(Step.NOT_COPIED, "no chunk that has the row is planned yet")
    if chunk.state == "recopy":
        return Verdict(Step.NOT_COPIED, f"{chunk.source_table} is to be copied again")
    if chunk.state != "done":
        return Verdict(Step.CHUNK_NOT_WRITTEN, f"chunk {chunk.number} of {chunk.source_table} is planned, not done")
    return None


def _dead_letter(facts: RowFacts) -> Verdict | None:
    for letter in facts.dead_letters:
        if letter.state != "answered":
            waits = "is held" if letter.state == "held" else "waits to be read again"
            return Verdict(Step.DEAD_LETTER, f"the row {waits} as a dead letter: {letter.code} {letter.reason}")
    return None


def _find_loss(facts: RowFacts) -> Verdict:
    if facts.foreign:
        last = facts.foreign[-1]
        what = f"{last.log} has an {last.operation} of {last.table} at {last.position}"
        return Verdict(Step.FOREIGN, f"{what}, and no run of this migration wrote it")
    if len(facts.read_side) > 1:
        return Verdict(Step.SEVERAL, f"{_places(facts)} have the key: only one of them can be right")
    if not facts.read_side:
        return _extra(facts)
    if not facts.write_side:
        return _missing(facts)
    if all(row.hash == facts.read_side[0].hash for row in facts.write_side):
        where = ", ".join(row.place for row in facts.write_side)
        if facts.expected:
            return Verdict(Step.WRONG_PLACE, f"{where} has the row, which belongs in {', '.join(facts.expected)}")
        return Verdict(Step.WRONG_PLACE, f"{where} has the row, and the rule places it elsewhere")
    return _different(facts)


def _extra(facts: RowFacts) -> Verdict:
    where = ", ".join(row.place for row in facts.write_side)
    if facts.is_filtered:
        return Verdict(Step.UNEXPLAINED, f"{where} has the row, which the row filter of the spec leaves out")
    deleted = _last_applied(facts)
    if facts.keeps_deleted:
        return Verdict(Step.KEPT, f"{where} keeps the row: the spec says that this table's deletes are ignored")
    if deleted is not None and deleted.operation == "delete":
        return Verdict(
            Step.NOT_APPLIED, f"{where} has the row still, whose delete at {deleted.position} {_batch(deleted)}"
        )
    return Verdict(Step.FOREIGN, f"{where} has a row that no log and no chunk brought: another writer inserted it")


def _missing(facts: RowFacts) -> Verdict:
    last = _last_applied(facts)
    if last is None:
        return Verdict(
            Step.UNEXPLAINED,
            "the row was copied, as the ledger says, and no table has it: no log shows who deleted it",
        )
    return Verdict(Step.NOT_APPLIED, f"no table has the row, whose {last.operation} at {last.position} {_batch(last)}")


def _different(facts: RowFacts) -> Verdict:
    where, last = facts.write_side[0].place, _last_applied(facts)
    if facts.equal_to is not None and last is not None:
        old = facts.changes[facts.equal_to]
        what = f"{where} has the row as it was at {old.position}"
        return Verdict(Step.NOT_APPLIED, f"{what}; the {last.operation} at {last.position} {_batch(last)}")
    if facts.unread or not facts.changes:
        return Verdict(Step.UNEXPLAINED, f"{where} has another row, and not all changes of the row are known")
    return Verdict(Step.FOREIGN, f"{where} has values that no change of the log has: another writer wrote them")


def _last_applied(facts: RowFacts) -> Change | None:
    live = facts.live.direction
    return next((one for one in facts.changes[::-1] if one.state == "applied" and one.direction is live), None)


def _batch(change: Change) -> str:
    return "is applied, as the ledger says" if change.batch is None else f"is in batch {change.batch}, which is closed"


def _places(facts: RowFacts) -> str:
    return ", ".join(row.place for row in facts.read_side)
