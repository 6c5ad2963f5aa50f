"""Copy, stream, backlog, comparison and DDL of one table on four shards of two servers, over a distance."""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.bench.over_distance.far import Far, Lines, as_json, far_away, subtract, write_list
from tests.bench.stream import backlog
from tests.bench.stream.drain import PROJECT
from tests.bench.stream.drains import Stream, source_head
from tests.bench.stream.steady import Writer
from tests.servers.distance import Traffic
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, SMALL_SPARK, Job, kill_tree

ROWS = 100_000
_WARM_BATCHES = 12
_WARM_SECONDS = 300.0
_DDL = "ALTER TABLE orders ADD KEY by_status (status);\n"


class Measured:
    """What one run does over one distance; `found` is its result."""

    def __init__(self, arena: Arena, folder: Path, far: Far, *, listing: Path | None) -> None:
        self.job = Job(arena, PROJECT, folder, settings=SMALL_SPARK)
        self.found: dict[str, Any] = {}
        self._arena, self._far, self._listing = arena, far, listing
        self._report = folder / "events.json"
        self._seen = 0
        self._lines: Lines
        arena.source.run_script(self.job.project / "schema" / "bench.sql", database=backlog.DATABASE)
        backlog.make_numbers(arena.source)
        _fill(arena.source)

    def measure(self, *, seconds: float, rate: int, changes: int) -> dict[str, Any]:
        self.job.call("compile")
        with far_away(self.job, self._far) as self._lines:
            with self._run_beside() as stream:
                self._copy(stream)
                self._stream(stream, seconds=seconds, rate=rate)
                self._backlog(stream, changes)
                self._verify()
            self._ddl()
        return self.found

    @contextmanager
    def _run_beside(self) -> Iterator[Stream]:
        self._began, before = time.time(), self._lines.read()
        process = self.job.start_run("--report", f"json={self._report}")
        try:
            stream = Stream(self._arena, self.job, process)
            self._before = before
            yield stream
        finally:
            kill_tree(process)

    def _copy(self, stream: Stream) -> None:
        first = self._wait(stream, "ChunkCopied")
        before_rows = subtract(self._lines.read(), self._before)
        traffic = self._lines.read()
        self._list("start")
        self._wait(stream, "SnapshotComplete")
        over = self._lines.read()
        events = self._events()
        chunks = [event for event in events if event["event"] == "ChunkCopied"]
        done = next(event for event in events if event["event"] == "SnapshotComplete")
        self._list("copy")
        self.found |= {
            "first_rows_seconds": round(first - self._began, 1),
            "before_the_first_rows": as_json(before_rows),
            "copy_seconds_behind_the_first_chunk": round(_at(done) - first, 2),
            "copy_rows_a_second": round((ROWS - chunks[0]["total_rows"]) / max(_at(done) - first, 1e-3)),
            "chunks": len(chunks),
            "a_chunk": as_json(subtract(over, traffic), each=max(1, len(chunks) - 1)),
        }

    def _stream(self, stream: Stream, *, seconds: float, rate: int) -> None:
        stream.wait(source_head(self._arena.source))
        writer = SmallWriter(self._arena.source, rate, ROWS + 1)
        thread = threading.Thread(target=writer.run)
        thread.start()
        try:
            self._warm(writer)
            self._forget()
            before = self._lines.read()
            delays = _follow(self._arena, writer, seconds=seconds)
            traffic, batches = self._traffic_since(before), self._batches()
        finally:
            writer.stop.set()
            thread.join()
        self._list("stream")
        cuts = statistics.quantiles(delays, n=100) if len(delays) > 1 else [0.0] * 99
        self.found |= {
            "lag_p50": round(cuts[49], 2),
            "lag_p99": round(cuts[98], 2),
            "batches": len(batches),
            "batch_seconds": round(statistics.median([event["seconds"] for event in batches] or [0.0]), 2),
            "a_batch": as_json(traffic, each=max(1, len(batches))),
        }
        stream.wait(source_head(self._arena.source))

    def _warm(self, writer: SmallWriter) -> None:
        """Until some batches were applied, and the stream has seen what was written before them."""
        self._forget()
        end = time.monotonic() + _WARM_SECONDS
        while len(self._batches()) < _WARM_BATCHES and time.monotonic() < end:
            _follow(self._arena, writer, seconds=1)
        self._list("warming")

    def _batches(self) -> list[Mapping[str, Any]]:
        """Those that were applied since `_forget`."""
        return [event for event in self._events()[self._seen :] if event["event"] == "BatchApplied"]

    def _backlog(self, stream: Stream, changes: int) -> None:
        head = source_head(self._arena.source)
        stream.wait(head)
        backlog.hot_updates(self._arena.source, 2_000)
        stream.wait(source_head(self._arena.source))
        self._forget()
        before = self._lines.read()
        written = backlog.hot_updates(self._arena.source, changes)
        began = time.monotonic()
        stream.wait(source_head(self._arena.source))
        took = time.monotonic() - began
        traffic, batches = self._traffic_since(before), self._batches()
        self._list("backlog")
        self.found |= {
            "hot_backlog_rows_a_second": round(written / took),
            "a_backlog_batch": as_json(traffic, each=max(1, len(batches))),
        }

    def _traffic_since(self, before: Mapping[str, Traffic]) -> dict[str, Traffic]:
        """Without what watches of the run ask meanwhile."""
        return subtract(subtract(self._lines.read(), before), self._lines.read_watching())

    def _verify(self) -> None:
        before, began = self._lines.read(), time.monotonic()
        self.job.call("verify", "--env", ENVIRONMENT, timeout=1_200.0)
        self._list("verify")
        self.found |= {
            "verify_seconds": round(time.monotonic() - began, 1),
            "verify": as_json(subtract(self._lines.read(), before)),
        }

    def _ddl(self) -> None:
        """A numbered change on all 16 physical tables."""
        (self.job.project / "ddl" / "0001_far.sql").write_text(_DDL, encoding="utf-8")
        self.job.call("compile")
        before, began = self._lines.read(), time.monotonic()
        self.job.call("ddl", "apply", "--env", ENVIRONMENT, "--yes", timeout=1_200.0)
        self._list("ddl")
        self.found |= {
            "ddl_seconds": round(time.monotonic() - began, 1),
            "ddl": as_json(subtract(self._lines.read(), before)),
        }

    # -- what the run reports --------------------------------------------------------------------------------------

    def _wait(self, stream: Stream, event: str) -> float:
        """When the first of these events came."""
        found: list[float] = []

        def is_there() -> bool:
            found.extend(_at(one) for one in self._events() if one["event"] == event)
            return bool(found)

        stream._until(is_there)
        return found[0]

    def _events(self) -> list[Mapping[str, Any]]:
        if not self._report.exists():
            return []
        lines = self._report.read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def _forget(self) -> None:
        self._lines.forget()
        self._seen = len(self._events())

    def _list(self, phase: str) -> None:
        if self._listing is not None:
            write_list(self._lines, self._listing, f"{self._far}, {phase}")
        self._lines.forget()


class SmallWriter(Writer):
    """Transactions of a row, which is looked for on whichever server has its shard."""

    def run(self) -> None:
        began = time.monotonic()
        with self.source.connect() as connection, connection.cursor() as cursor:
            while not self.stop.is_set():
                number = self.first + self.written
                cursor.execute(
                    f"INSERT INTO {backlog.DATABASE}.orders VALUES ({number}, {number % 16}, 1, 1.5, 'EUR', "
                    f"'order number {number}', 'a note for the courier {number}', 2, 0.5, NOW(), NOW(3))"
                )
                self.pending[number] = time.monotonic()
                self.written += 1
                time.sleep(max(0.0, began + self.written / self.rate - time.monotonic()))


def _follow(arena: Arena, writer: SmallWriter, *, seconds: float) -> list[float]:
    """The seconds after which rows were seen. Each server is asked in turn."""
    delays: list[float] = []
    end = time.monotonic() + seconds
    with ExitStack() as stack:
        cursors = [
            stack.enter_context(stack.enter_context(arena.shard(f"bench_{shard}")).cursor()) for shard in range(4)
        ]
        while time.monotonic() < end:
            time.sleep(0.02)
            for shard, cursor in enumerate(cursors):
                wanted = [number for number in list(writer.pending) if number % 4 == shard][:500]
                by_table: dict[int, list[int]] = {}
                for number in wanted:
                    by_table.setdefault(number % 16 // 4, []).append(number)
                for part, numbers in by_table.items():
                    listed = ", ".join(map(str, numbers))
                    cursor.execute(f"SELECT id FROM orders_{part} WHERE id IN ({listed})")
                    now = time.monotonic()
                    delays += [now - writer.pending.pop(int(number)) for (number,) in cursor.fetchall()]
    return delays


def _fill(source: Server) -> None:
    source.query(f"INSERT INTO orders {backlog._VALUES.format(first=1, count=ROWS)}", database=backlog.DATABASE)


def _at(event: Mapping[str, Any]) -> float:
    return float(event["at"])
