"""A folder of recorded events: its lines in order whatever the files are packed with, and a run that follows it."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.recorded.folder import RecordedFolder
from tests.interleavings.driver import PROJECT, SPARK, Lab, move, new_family, rekey, remove
from tests.queues.connector import Connector, canal
from tests.servers.testbed import Arena


def test_lines_are_read_in_the_order_of_names_and_only_whole_ones(tmp_path: Path) -> None:
    (tmp_path / "0001.jsonl").write_bytes(b'{"a": 1}\n\n{"a": 2}\r\n')
    (tmp_path / "0002.jsonl.gz").write_bytes(gzip.compress(b'{"a": 3}\n'))
    with pa.CompressedOutputStream(str(tmp_path / "0003.ndjson.zst"), "zstd") as packed:
        packed.write(b'{"key": "k", "value": "{\\"a\\": 9007199254740993}"}\n{"key": "k", "value": null}\n')
    (tmp_path / "0004.json").write_bytes(b'{"value": {"a": 1}, "op": "c"}\n{"a": 6')
    (tmp_path / "notes.txt").write_bytes(b"not looked at\n")
    folder = RecordedFolder(str(tmp_path))
    name = f"{tmp_path.name}/0"
    assert folder.ends() == {name: 6}
    rows = folder.rows(name, 1, 6)
    assert [(row[0], row[1], row[4]) for row in rows] == [
        (None, b'{"a": 2}', 1),
        (None, b'{"a": 3}', 2),
        (b"k", b'{"a": 9007199254740993}', 3),
        (b"k", None, 4),
        (None, b'{"value": {"a": 1}, "op": "c"}', 5),  # no wrapping: a message that has such a member
    ]
    with (tmp_path / "0004.json").open("ab") as file:
        file.write(b"}\n")
    assert folder.ends() == {name: 7}
    (tmp_path / "0001.jsonl").unlink()
    with pytest.raises(Refused, match=r"was to hold 7 lines, and holds 5"):
        folder.rows(name, 4, 7)


def test_a_wrapped_value_is_text(tmp_path: Path) -> None:
    (tmp_path / "0001.jsonl").write_text('{"value": {"a": 1}, "key": null}\n')
    folder = RecordedFolder(str(tmp_path))
    with pytest.raises(Refused, match=r"line 1 in all: 'key' and 'value' are texts"):
        folder.rows(folder.partition, 0, 1)


@pytest.mark.server
@pytest.mark.spark
def test_a_run_follows_a_folder_and_resumes_when_it_has_grown(arena: Arena, tmp_path: Path) -> None:
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    example = shutil.copytree(PROJECT, tmp_path / "project-of-messages")
    spec = example / "specs" / "lab.yaml"
    spec.write_text(spec.read_text().replace("{format: binlog}", "{format: canal-json}"))
    lab = Lab(
        arena, tmp_path, flat=True, settings={"spark": SPARK, "stream": {"folder": str(recorded)}}, example=example
    )
    lab.create_source()
    lab.fill({number: number % 4 for number in range(20)})
    lines: list[str] = []
    with Connector(
        arena.source, "lab", canal, lambda _change: 0, lambda _partition, value: lines.append(value)
    ).running():
        lab.write_all([move(3, 1), remove(4), rekey(5, 500), move(500, 2), new_family(4, 3)])
    assert len(lines) > 10
    (recorded / "0001.jsonl").write_text("".join(f"{line}\n" for line in lines))
    lab.finish()
    lab.require_equal()
    lines.clear()
    with Connector(
        arena.source, "lab", canal, lambda _change: 0, lambda _partition, value: lines.append(value)
    ).running():
        lab.write_all([move(500, 3), remove(6), rekey(7, 700), new_family(6, 2)])
    wrapped = "".join(json.dumps({"key": None, "value": line}) + "\n" for line in lines)
    (recorded / "0002.jsonl.gz").write_bytes(gzip.compress(wrapped.encode()))
    lab.finish()
    lab.require_equal()
