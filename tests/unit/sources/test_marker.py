"""When has a stream read everything that a queue's source had committed before a marker?"""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.queue_offsets import QueueOffsets
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.queue.marker import TABLE
from shardwright.runtime.sources.queue.message_events import Decoding, event_maker
from shardwright.runtime.sources.queue.recorded.source import FolderQueue, FolderSource
from shardwright.runtime.sources.source import has_reached, settle
from shardwright.specs.environment.environment import BatchLimits
from shardwright.specs.environment.stream_place import FolderStream
from shardwright.specs.spec.stream_format import StreamFormat

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTITIONS = ("shop/0", "shop/1", "shop/2")
_ENDS = dict.fromkeys(_PARTITIONS, 100)


def _place(offset: int, **markers: int) -> QueueOffsets:
    shown = {f"shop/{name[1:]}": marker for name, marker in markers.items()}
    return QueueOffsets(dict.fromkeys(_PARTITIONS, offset), markers=shown)


def _marker(number: int) -> QueueOffsets:
    return QueueOffsets(at=time.time(), source="shop", marker=number)


@pytest.mark.parametrize("settled", [False, True])
def test_h8_every_partition_has_shown_it(settled: bool) -> None:
    """No delay counts then: each partition keeps the source's order."""
    marker = _marker(5).settle(_ENDS) if settled else _marker(5)
    assert _place(7, p0=5, p1=5, p2=6).has_reached(marker)
    assert not _place(7, p0=4, p1=4, p2=4).has_reached(marker)
    assert not _place(7, p0=5, p1=5, p2=6).awaits_end_at(marker)


def test_h8_some_partitions_have_shown_it() -> None:
    """Then the delay has to pass, and the stream the queue's end of after it."""
    assert _place(100, p0=5).awaits_end_at(_marker(5))
    assert not _place(100, p0=5).has_reached(_marker(5))
    assert not _place(99, p0=5).has_reached(_marker(5).settle(_ENDS))
    assert _place(100, p0=5).has_reached(_marker(5).settle(_ENDS))


def test_h8_no_partition_has_shown_it() -> None:
    """The producer may have stopped: however long ago it was written, it is not reached."""
    assert not _place(100).has_reached(_marker(5).settle(_ENDS))


@given(st.lists(st.tuples(st.sampled_from(_PARTITIONS), st.integers(1, 9)), max_size=12), st.integers(1, 9))
def test_h8_against_a_plain_model(shown: list[tuple[str, int]], number: int) -> None:
    newest = {name: max(marker for at, marker in shown if at == name) for name, _ in shown}
    position = QueueOffsets(dict.fromkeys(_PARTITIONS, 50), markers=newest)
    everywhere = all(any(at == name and marker >= number for at, marker in shown) for name in _PARTITIONS)
    assert position.has_reached(_marker(number).settle(_ENDS)) == everywhere


def test_h8_the_queue_is_asked_once_for_a_mark_and_after_the_delay(tmp_path: Path) -> None:
    """Another source of the same name, and another run, ask for themselves."""
    recorded = tmp_path / "shop"
    recorded.mkdir()
    (recorded / "1.jsonl").write_text("{}\n{}\n")
    here, mark = QueueOffsets({"shop/0": 2}), QueueOffsets(at=time.time() - 30, source="shop")
    patient, source = _folder(recorded, settle=60), _folder(recorded, settle=20)
    assert patient.settle(mark) == mark and not patient.has_reached(here, mark) and not here.has_reached(mark)
    assert source.settle(mark) == QueueOffsets({"shop/0": 2}) and source.has_reached(here, mark)
    (recorded / "2.jsonl").write_text("{}\n")
    assert source.has_reached(here, mark), "messages that came later are behind it"
    assert not _folder(recorded, settle=20).has_reached(here, mark)
    shutil.rmtree(recorded)
    assert source.has_reached(here, mark)
    assert source.has_reached(replace(here, markers={"shop/0": 5}), _marker(5)), "shown: the queue is not asked"
    with pytest.raises(Refused):
        _folder(recorded, settle=20).has_reached(here, mark)


def test_h8_what_the_copy_ends_at_is_known_to_who_has_the_queue(tmp_path: Path) -> None:
    recorded = tmp_path / "shop"
    recorded.mkdir()
    (recorded / "1.jsonl").write_text("{}\n")
    log = LogPosition("log.000001", 400)
    here = StreamPosition({"shop": QueueOffsets({"shop/0": 1}), "log": log})
    end = StreamPosition({"shop": QueueOffsets(at=time.time() - 30, source="shop"), "log": log})
    sources = [_folder(recorded, settle=20)]
    assert has_reached(sources, here, end) and not has_reached((), here, end)
    known = settle(sources, end)
    assert known.to_text() == '{"shop": {"queue": {"shop/0": 1}}, "log": {"file": "log.000001", "pos": 400}}'
    assert settle(sources, known) == known and settle((), end) == end
    assert not has_reached(sources, StreamPosition({"log": log}), end)


def _folder(path: Path, *, settle: float) -> FolderSource:
    stream = FolderStream(path=str(path))
    decoding = Decoding("shop", StreamFormat("canal-json"), {}, {})
    endpoint = Endpoint("127.0.0.1", 1, "nobody", "")
    return FolderSource("shop", endpoint, "shop", decoding, FolderQueue(stream), BatchLimits(), "", settle, _no_spark)


def _no_spark() -> SparkSession:
    raise AssertionError("nothing is read")


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
