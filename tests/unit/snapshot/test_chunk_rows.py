"""A chunk's rows reach the shards as lines, each once, in the order in which they were read, however many pieces they
are.
"""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.snapshot import chunk_rows as module
from shardwright.runtime.snapshot.chunk_rows import chunk_rows

PLACED = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 300)), max_size=60)


def test_a_routed_row_may_be_many_lines() -> None:
    rows = pa.RecordBatch.from_pydict({"shard": [1, 0, 1], "part": [2, 0, 2], "row": [b"1\n2\\n\n", b"3\n", b"4\n"]})
    with chunk_rows(iter([rows])) as found:
        assert {shard: share.parts for shard, share in found.shards.items()} == {0: {0: 1}, 1: {2: 3}}
        assert b"".join(lines for _, lines in found.shards[1].each()) == b"1\n2\\n\n4\n"


@given(placed=PLACED, piece=st.integers(1, 70), whole=st.booleans())
def test_every_line_comes_once_and_in_order(placed: list[tuple[int, int]], piece: int, whole: bool) -> None:
    values = [[str(number), None, "a\tb"] for number in range(len(placed))]
    lines = [f"{number}\t\\N\ta\\tb\n".encode() for number in range(len(placed))]
    row = pa.array(lines, pa.binary()) if whole else pa.array(values, pa.list_(pa.string()))
    rows = pa.RecordBatch.from_arrays(
        [pa.array([shard for shard, _ in placed], pa.int32()), pa.array([part for _, part in placed], pa.int32()), row],
        names=["shard", "part", "row"],
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE_ROWS", piece)
        batches = [rows.slice(at, 7) for at in range(0, len(rows), 7)]
        with chunk_rows(iter(batches)) as found:
            for shard, share in found.shards.items():
                for _ in range(2):  # a transaction may be tried again
                    taken: dict[int, bytes] = {}
                    for part, text in share.each():
                        taken[part] = taken.get(part, b"") + text
                    expected = {
                        part: b"".join(
                            line for line, place in zip(lines, placed, strict=True) if place == (shard, part)
                        )
                        for part in {part for other, part in placed if other == shard}
                    }
                    assert taken == expected
                assert share.parts == {part: text.count(b"\n") for part, text in taken.items()}
                assert share.size == sum(map(len, taken.values()))
            assert set(found.shards) == {shard for shard, _ in placed}
