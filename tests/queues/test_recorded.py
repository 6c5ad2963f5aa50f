"""A folder of recorded events: its lines in order whatever the files are packed with, and a run that follows it."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.json_text import parse
from shardwright.runtime.sources.queue.recorded import source as recorded_folder
from shardwright.runtime.sources.queue.recorded.source import RecordedFolder
from tests.queues.connector import Connector, canal
from tests.servers.testbed import Arena
from tests.support.dead_letters import kill_at, letters, on_every_parent, run
from tests.support.job import ENVIRONMENT
from tests.support.lab import PROJECT, SPARK, Lab, move, new_family, rekey, remove


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


def test_a_line_that_no_message_is_as_long_as_is_refused_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A packed file of a megabyte may hold a line that takes all memory."""
    monkeypatch.setattr(recorded_folder, "LONGEST_LINE", 1 << 20)
    with gzip.open(tmp_path / "0001.jsonl.gz", "wb") as file:
        file.write(b'{"a": 1}\n' + b"x" * ((1 << 20) - 1) + b"\n" + b"y" * (1 << 24) + b"\n")
    folder = RecordedFolder(str(tmp_path))
    with pytest.raises(Refused, match=r"SW8461: .*0001\.jsonl\.gz, line 3 is longer than 1 MiB"):
        folder.ends()


def test_a_line_that_is_nested_without_end_is_left_to_the_decoder(tmp_path: Path) -> None:
    """Which refuses it as a message (SW8431), so that an operator can step over it."""
    line = b'{"value": ' + b"[" * 200_000
    (tmp_path / "0001.jsonl").write_bytes(line + b"\n")
    folder = RecordedFolder(str(tmp_path))
    ((_, value, _, _, offset),) = folder.rows(folder.partition, 0, 1)
    assert (value, offset) == (line, 0)
    with pytest.raises(Refused, match="SW8431: line 1 cannot be read as JSON: it is nested too deep"):
        parse(line, "line 1")


@dataclass
class Recorder:
    """Records the source's changes into a folder of messages, a file at a time."""

    lab: Lab
    folder: Path
    files: int = 0

    @contextmanager
    def record(self) -> Iterator[None]:
        """Within, the source is written to; on leaving its changes are in the next file."""
        lines: list[str] = []
        source = self.lab.arena.source
        with Connector(source, "lab", canal, lambda _change: 0, lambda _partition, line: lines.append(line)).run():
            yield
        self.files += 1
        text = "".join(f"{line}\n" for line in lines)
        if self.files % 2:
            self._add(f"{self.files:04}.jsonl", text.encode())
        else:
            wrapped = "".join(json.dumps({"key": None, "value": line}) + "\n" for line in lines)
            self._add(f"{self.files:04}.jsonl.gz", gzip.compress(wrapped.encode()))

    def _add(self, name: str, content: bytes) -> None:
        """Whole at once: a run may look meanwhile."""
        (self.folder / "being written").write_bytes(content)
        (self.folder / "being written").rename(self.folder / name)


@pytest.mark.long
@pytest.mark.server
@pytest.mark.spark
def test_a1_d12_a_run_follows_a_folder_resumes_when_it_has_grown_and_holds_rows_that_a_target_refuses(
    arena: Arena, tmp_path: Path
) -> None:
    folder = tmp_path / "recorded"
    folder.mkdir()
    example = shutil.copytree(PROJECT, tmp_path / "project-of-messages")
    spec = example / "specs" / "lab.yaml"
    text = spec.read_text().replace("{format: binlog}", "{format: canal-json}")
    spec.write_text(text.replace("weight: 10\n", "weight: 10\n    errors: {policy: quarantine, at_most: 2}\n"))
    lab = Lab(arena, tmp_path, flat=True, settings={"spark": SPARK, "stream": {"folder": str(folder)}}, example=example)
    lab.create_source()
    lab.fill({number: number % 4 for number in range(20)})
    recorder = Recorder(lab, folder)
    with recorder.record():
        lab.write_all([move(3, 1), remove(4), rekey(5, 500), move(500, 2), new_family(4, 3)])
    lab.finish()
    lab.require_equal()
    on_every_parent(lab, "ADD CONSTRAINT no_bad CHECK (note <> 'bad')")
    lab.at(0, "INSERT INTO parent_0 (id, place, name, note) VALUES (900, 0, 'taken', '')")
    with recorder.record():
        lab.write_all([move(500, 3), remove(6), rekey(7, 700), new_family(6, 2)])
        lab.write("UPDATE parent SET note = 'bad' WHERE id = 1")
        lab.write_all(["UPDATE parent SET place = 2, name = 'moved' WHERE id = 1", new_family(50, 0, name="taken")])
        lab.write("UPDATE parent SET note = 'fine' WHERE id = 2")
    kill_at(lab, "after-row-held")
    run(lab, code=7)
    found = letters(lab)
    assert {key: letter["code"] for key, letter in found.items()} == {"1": "SW8511", "50": "SW8303"}
    assert lab.places(1) == [1] and lab.places(50) == [], "nothing of a held row takes effect"
    assert lab.at(0, "SELECT note FROM parent_1 WHERE id = 2") == [("fine",)], "all others go on"
    on_every_parent(lab, "DROP CONSTRAINT no_bad")
    lab.at(0, "DELETE FROM parent_0 WHERE id = 900")
    with lab.run(gated=False) as process:
        lab.until(process, "it is under way", lambda: lab.job.log.read_text().count("caught up with the source") == 3)
        with recorder.record():
            lab.write(
                "UPDATE parent SET note = 'later' WHERE id IN (1, 50)", "UPDATE parent SET place = 3 WHERE id = 1"
            )
        lab.write("RENAME TABLE parent TO away")
        lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
        lab.until(process, "it is said that the source cannot be read", lambda: "SW8515" in lab.job.end_of_log())
        lab.write("RENAME TABLE away TO parent")
        lab.until(process, "the rows have come", lambda: (lab.places(1), lab.places(50)) == ([3], [0]))
        with recorder.record():
            lab.write_all([move(1, 0), remove(50)])
        lab.until(process, "later events count again", lambda: (lab.places(1), lab.places(50)) == ([0], []))
        lab.until(process, "the letters are forgotten", lambda: lab.at(0, "SELECT 1 FROM _shardwright_dead") == [])
    lab.require_equal()
