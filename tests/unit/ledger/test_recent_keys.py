"""Keys of a batch, packed: no piece is too large for a small packet, and nothing is lost on the way (G2)."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.ledger.recent_keys import KeyMemory, pack_keys
from shardwright.runtime.ledger.stage_rows import Share
from tests.compiler.projects import GOLDEN, compile_folder

_MOST = 256 << 10


@pytest.fixture(scope="module")
def table() -> TablePlan:
    return compile_folder(GOLDEN / "sharded").plan.table("order_info")


@pytest.mark.parametrize(("rows", "width"), [(1, 3000), (20_000, 8), (3_000, 600), (50, 60_000)])
def test_g2_pieces_are_small_and_hold_every_key(table: TablePlan, rows: int, width: int) -> None:
    chance = random.Random(rows)
    keys = [[chance.randbytes(width if number % 7 else 4).hex()] for number in range(rows)]
    whole = pa.table(
        {
            "table": [table.logical] * rows,
            "source_table": ["shop.order_info"] * rows,
            "part": pa.array([number % 4 for number in range(rows)], pa.int32()),
            "key": keys,
            "row": pa.nulls(rows, pa.list_(pa.string())),
        }
    )
    share = Share(table.logical, whole, whole.slice(0, 0))
    packed = pack_keys([share], {table.logical: table}, KeyMemory(oldest=1, most_rows=rows))
    assert [item.piece for item in packed] == list(range(len(packed)))
    assert max(len(item.packed) for item in packed) <= _MOST
    back = [pa.ipc.open_stream(item.packed).read_all() for item in packed]
    assert [key for piece in back for key in piece.column("key").to_pylist()] == keys
