"""When has a stream read everything that a queue's source had committed before a marker?"""

from __future__ import annotations

import json
import time

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.queue.marker import TABLE
from shardwright.runtime.sources.queue.message_events import Decoding, event_maker
from shardwright.runtime.sources.queue.offsets import QueueOffsets, settle_with
from shardwright.specs.spec.stream_format import StreamFormat

_PARTITIONS = ("shop/0", "shop/1", "shop/2")
_ENDS = dict.fromkeys(_PARTITIONS, 100)


def _place(offset: int, **markers: int) -> QueueOffsets:
    shown = {f"shop/{name[1:]}": marker for name, marker in markers.items()}
    return QueueOffsets(dict.fromkeys(_PARTITIONS, offset), markers=shown)


def _marker(number: int, *, ago: float = 0.0) -> QueueOffsets:
    return QueueOffsets(at=time.time() - ago, source="shop", marker=number)


@pytest.mark.parametrize("ago", [0.0, 3_600.0])
def test_h8_every_partition_has_shown_it(ago: float) -> None:
    """No delay counts then: each partition keeps the source's order."""
    settle_with("shop", lambda: _ENDS, seconds=60)
    assert _place(7, p0=5, p1=5, p2=6).reached(_marker(5, ago=ago))
    assert not _place(7, p0=4, p1=4, p2=4).reached(_marker(5, ago=ago))


def test_h8_some_partitions_have_shown_it() -> None:
    """Then the delay has to pass, and the stream the queue's end of after it."""
    settle_with("shop", lambda: _ENDS, seconds=60)
    assert not _place(100, p0=5).reached(_marker(5))
    assert not _place(99, p0=5).reached(_marker(5, ago=61))
    assert _place(100, p0=5).reached(_marker(5, ago=61))


def test_h8_no_partition_has_shown_it() -> None:
    """The producer may have stopped: however long ago it was written, it is not reached."""
    settle_with("shop", lambda: _ENDS, seconds=60)
    assert not _place(100).reached(_marker(5, ago=3_600))


@given(st.lists(st.tuples(st.sampled_from(_PARTITIONS), st.integers(1, 9)), max_size=12), st.integers(1, 9))
def test_h8_against_a_plain_model(shown: list[tuple[str, int]], number: int) -> None:
    settle_with("shop", lambda: _ENDS, seconds=0)
    newest = {name: max(marker for at, marker in shown if at == name) for name, _ in shown}
    position = QueueOffsets(dict.fromkeys(_PARTITIONS, 50), markers=newest)
    everywhere = all(any(at == name and marker >= number for at, marker in shown) for name in _PARTITIONS)
    assert position.reached(_marker(number)) == everywhere


def test_a_marker_is_kept_by_the_ledger() -> None:
    for part in (_place(7, p0=5, p2=6), _marker(5)):
        position = StreamPosition({"shop": part})
        assert StreamPosition.from_text(position.to_text()) == position


def test_h8_messages_of_markers_change_no_row() -> None:
    table = f"shop.{TABLE}"
    decoding = Decoding("shop", StreamFormat("canal-json"), {}, {}, marker=table)
    rows = [_canal(TABLE, {"id": str(row), "marker": str(marker)}) for row, marker in ((0, 4), (1, 7), (0, 6))]
    rows.append(_canal("elsewhere", {"id": "1"}))
    frame = pa.RecordBatch.from_pydict(
        {
            "key": pa.nulls(4, pa.binary()),
            "value": pa.array([row.encode() for row in rows], pa.binary()),
            "topic": ["shop"] * 4,
            "partition": pa.array([0, 1, 1, 0], pa.int32()),
            "offset": [10, 11, 12, 13],
        }
    )
    (made,) = event_maker(decoding)(iter([frame]))
    found = {row["origin"]: (row["table"], row["origin_offset"], row["key_after"]) for row in made.to_pylist()}
    assert found == {"shop/0": (None, 13, 4), "shop/1": (None, 12, 7)}


def _canal(table: str, row: dict[str, str]) -> str:
    message = {"database": "shop", "table": table, "type": "INSERT", "isDdl": False, "pkNames": ["id"], "sql": ""}
    return json.dumps(
        {**message, "data": [row], "old": None, "es": 1_700_000_000_000, "ts": 1_700_000_000_000, "id": 1}
    )
