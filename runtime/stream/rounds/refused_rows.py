"""What becomes of a row that one side's server refuses, where both sides write? It is held as a conflict: each side
keeps its row, and no change of the other side is written over it.

The server itself says that two rows have one unique value. No log could say it as exactly: each index has its own
collation, and a shard does not see the values of another one.

Runs in the driver, at the end of a round; writes the conflicts on the first shard, and then removes the dead letters
that its batches have recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from shardwright.runtime.events.rounds import ConflictFound
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.conflicts import Conflict, SideChanges, hold_conflict, read_open_conflict
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.dead_letters import DeadLetter
from shardwright.runtime.stream.quarantine.conflicts import CODES, Row
from shardwright.runtime.stream.rounds.present_rows import PresentRow
from shardwright.runtime.stream.rounds.round_work import RoundWork
from shardwright.specs.direction import Direction, Side

_NO_CHANGES: Final = SideChanges(0, None, None)


def hold_refused_rows(work: RoundWork, number: int) -> bool:
    """Whether there were some. `number`: of the last round with conflicts. No batch is in progress."""
    rows = _by_row({direction: one.letters() for direction, one in work.sides.items()})
    if not rows:
        return False
    present = work.both(lambda one: one.read_present(rows, work.columns[one.direction]))
    context = work.side.batches.context
    for row, letters in rows.items():
        known = read_open_conflict(context.control, context.migration, *row)
        found = {direction.read_side: present[direction].get(row) for direction in present}
        made = _conflict(row, letters, found, number)
        conflict = made if known is None else _join(known, made)
        _hold(context, conflict)
    failpoint("after-refused-rows-held")
    work.both(lambda one: one.forget_letters())
    return True


def _hold(context: RunContext, conflict: Conflict) -> None:
    context.transaction(lambda c: hold_conflict(c, context.migration, conflict))
    context.emit(ConflictFound(str(conflict), conflict.kind, conflict.decision))


def _by_row(refused: Mapping[Direction, Sequence[DeadLetter]]) -> dict[Row, list[tuple[Direction, DeadLetter]]]:
    rows: dict[Row, list[tuple[Direction, DeadLetter]]] = {}
    for direction, letters in refused.items():
        for letter in letters:
            rows.setdefault(letter.held.row, []).append((direction, letter))
    return rows


def _conflict(
    row: Row,
    letters: Sequence[tuple[Direction, DeadLetter]],
    present: Mapping[Side, PresentRow | None],
    number: int,
) -> Conflict:
    at_shards, at_source = present["shards"], present["source"]
    changes: dict[Side, SideChanges] = {"source": _NO_CHANGES, "shards": _NO_CHANGES}
    for direction, letter in letters:
        changes[direction.read_side] = SideChanges(max(1, letter.events), letter.last_position, letter.last_position)
    logical, key = row
    return Conflict(
        logical=logical,
        key=key,
        kind="unique" if any(letter.code in CODES for _, letter in letters) else "refused",
        decision="hold",
        base=None,
        at_source=at_source.image if at_source else None,
        at_shards=at_shards.image if at_shards else None,
        result=None,
        changes=changes,
        writes={},
        place=at_shards.table if at_shards else None,
        state="held",
        round=number,
    )


def _join(known: Conflict, made: Conflict) -> Conflict:
    """What was decided of the row is what a server has refused."""
    return replace(made, id=known.id, base=known.base, changes=known.changes, place=made.place or known.place)
