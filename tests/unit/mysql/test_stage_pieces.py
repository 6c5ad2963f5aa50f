"""A task's rows in pieces: all of them, in order, as often as asked; small memory is worth nothing if one is lost
(hazard E11).
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest

from shardwright.runtime.ledger.stage_summary import NEW
from shardwright.runtime.mysql import spill as stage_pieces
from shardwright.runtime.mysql.spill import pieces
from shardwright.runtime.stream.stage.rows import TaskRows
from tests.verify.plans import BIGINT, column, table

TABLES = {name: table(name, [column("id", BIGINT)], ("id",)) for name in ("guest", "visit")}


def _batches(count: int) -> list[pa.RecordBatch]:
    chance = random.Random(count)
    rows = [
        {"table": chance.choice(["guest", "visit"]), "shard": chance.randrange(3), "part": chance.randrange(2),
         "action": chance.choice(["upsert", "delete"]), "decision": chance.choice(["insert", "update"]),
         "key": [str(number)]}
        for number in range(count)
    ]  # fmt: skip
    made = [
        pa.RecordBatch.from_pydict(
            {
                "table": pa.array([row["table"] for row in some], pa.string()),
                "shard": pa.array([row["shard"] for row in some], pa.int32()),
                "part": pa.array([row["part"] for row in some], pa.int32()),
                "action": pa.array([row["action"] for row in some], pa.string()),
                "decision": pa.array([row["decision"] for row in some], pa.string()),
                "key": pa.array([row["key"] for row in some], pa.list_(pa.string())),
                "row": pa.array([row["key"] if row["action"] == "upsert" else None for row in some], pa.list_(pa.string())),
            }
        )
        for some in (rows[at : at + 4] for at in range(0, count, 4))
    ]  # fmt: skip
    return [made[0].slice(0, 0), *made] if made else []


@pytest.mark.parametrize("most", [1, 10, 1000])
@pytest.mark.parametrize("count", [0, 1, 11, 97])
def test_e11_every_piece_is_read_again_as_it_came(count: int, most: int) -> None:
    given = [row for batch in _batches(count) for row in batch.to_pylist()]
    with pieces(iter(_batches(count)), most_rows=most) as found:
        for _ in range(2):
            assert [row for piece in found for row in piece().to_pylist()] == given
        assert all(piece().num_rows <= max(most, 4) for piece in found)
        assert len(found) == 1 if 0 < count <= most else len(found) > 1 or count < 4

        rows = TaskRows(found, TABLES)
        assert list(rows.summaries) == sorted({row["shard"] for row in given})
        for shard, summary in rows.summaries.items():
            ours = [row for row in given if row["shard"] == shard]
            counts: Counter[tuple[str, str, str]] = Counter()
            for row in ours:
                counts[row["table"], row["action"], str(row["part"])] += 1
                counts[row["table"], NEW, str(row["part"])] += row["decision"] == "insert"
            reported = {
                (t, a, p): n for t, actions in summary.items() for a, parts in actions.items() for p, n in parts.items()
            }
            assert reported == {key: number for key, number in counts.items() if number}
            for _ in range(2):
                back = [
                    row for share in rows.of(shard) for some in (share.whole, share.keys) for row in some.to_pylist()
                ]
                assert sorted(back, key=lambda row: int(row["key"][0])) == ours


def test_e11_pieces_are_cut_by_size_too_and_leave_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(stage_pieces, "PIECE_BYTES", 1)
    with pieces(iter(_batches(20)), most_rows=100) as found:
        assert len(found) == 5
        assert len(list(tmp_path.rglob("*.arrow"))) == 4
    assert list(tmp_path.iterdir()) == []
