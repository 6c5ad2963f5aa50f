"""A steady stream of 1,000 rows/s: from commit to visible on the shards, processor time, memory; then the same at rest.
With `--back` then also the way back, from commit on a shard to visible at the source.

    python -m tests.bench.stream.steady [--seconds 40] [--rate 1000] [--warm 30] [--idle 15] [--back]

`make soak` runs it for an hour (DURATION seconds) and fails when memory has grown.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.stream import backlog, processes
from tests.bench.stream.drain import make_job, start_servers
from tests.bench.stream.drains import Stream, running_stream, source_head
from tests.servers.testbed import Server
from tests.support.job import kill_tree
from tests.support.way_back import turn_back

_ROWS_IN_ONE = 10
_LOOK_EVERY = 0.02
_GROWTH = 1.2
"""Memory of the last third of a soak may be this much of the second third's."""


@dataclass
class Writer:
    """Writes transactions of ten rows at an even rate; the last row of each is looked for. `pending`: id -> when its
    commit returned."""

    source: Server
    rate: int
    first: int
    pending: dict[int, float] = field(default_factory=dict)
    written: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    def table_of(self, user: int) -> str:
        """Where a user's rows are on the other side."""
        return f"bench_{user % 4}.orders_{user // 4}"

    def user_of(self, number: int) -> int:
        return number % 16

    def table_of_write(self, _first: int) -> str:
        return f"{backlog.DATABASE}.orders"

    def run(self) -> None:
        began = time.monotonic()
        with self.source.connect() as connection, connection.cursor() as cursor:
            while not self.stop.is_set():
                first = self.first + self.written
                values = ", ".join(
                    f"({n}, {self.user_of(n)}, 1, 1.5, 'EUR', 'order number {n} of the day', 'a note for the courier {n}', "
                    "2, 0.5, NOW(), NOW(3))" for n in range(first, first + _ROWS_IN_ONE)
                )  # fmt: skip
                cursor.execute(f"INSERT INTO {self.table_of_write(first)} VALUES {values}")
                self.pending[first + _ROWS_IN_ONE - 1] = time.monotonic()
                self.written += _ROWS_IN_ONE
                time.sleep(max(0.0, began + self.written / self.rate - time.monotonic()))


class ShardWriter(Writer):
    """The same on the shards: the rows of a transaction are one user's."""

    def table_of(self, _user: int) -> str:
        return f"{backlog.DATABASE}.orders"

    def user_of(self, number: int) -> int:
        return (number // _ROWS_IN_ONE) % 16

    def table_of_write(self, first: int) -> str:
        return super().table_of(self.user_of(first))


def follow(target: Server, writer: Writer, *, seconds: float) -> list[float]:
    """Look for the written rows on the other side; the delays of those that were found within the time."""
    delays: list[float] = []
    end = time.monotonic() + seconds
    with target.connect() as connection, connection.cursor() as cursor:
        while time.monotonic() < end:
            time.sleep(_LOOK_EVERY)
            by_table: dict[str, list[int]] = {}
            for wanted in list(writer.pending)[:500]:
                by_table.setdefault(writer.table_of(writer.user_of(wanted)), []).append(wanted)
            for table, ids in by_table.items():
                listed = ", ".join(str(number) for number in ids)
                cursor.execute(f"SELECT id FROM {table} WHERE id IN ({listed})")
                now = time.monotonic()
                delays += [now - writer.pending.pop(int(number)) for (number,) in cursor.fetchall()]
    return delays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--warm", type=float, default=30)
    parser.add_argument("--idle", type=float, default=15)
    parser.add_argument("--rate", type=int, default=1000)
    parser.add_argument("--back", action="store_true", help="then the way back, too")
    parser.add_argument("--soak", action="store_true", help="fail when memory grows")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        source, target = servers = start_servers(Path(folder), ("source", "target"))
        try:
            arena, job = make_job(Path(folder), source, target)
            with running_stream(arena, job) as stream:
                writer = Writer(source, options.rate, backlog.PRELOADED + 1)
                memory = _steady(writer, target, stream, options)
                stream.wait(source_head(source))
                _at_rest(stream, options.idle)
            if options.back:
                turn_back(arena, job)
                process = job.start_run()
                try:
                    back = ShardWriter(target, options.rate, writer.first + 1_000_000)
                    _steady(back, source, Stream(arena, job, process), options)
                finally:
                    kill_tree(process)
        finally:
            for server in servers:
                remove_server(server.sandbox)
    if options.soak:
        _require_flat(memory)


def _steady(writer: Writer, target: Server, stream: Stream, options: argparse.Namespace) -> list[float]:
    thread = threading.Thread(target=writer.run)
    thread.start()
    memory: list[float] = []
    delays: list[float] = []
    try:
        follow(target, writer, seconds=options.warm)
        used, written = _read_seconds(stream), writer.written
        for _ in range(10):
            delays += follow(target, writer, seconds=options.seconds / 10)
            memory.append(processes.resident_mib(stream.members()))
        spent = [now - before for now, before in zip(_read_seconds(stream), used, strict=True)]
        rows = writer.written - written
    finally:
        writer.stop.set()
        thread.join()
    _report(delays, rows / options.seconds, [value / options.seconds for value in spent], memory)
    return memory


def _report(delays: Sequence[float], rate: float, cores: Sequence[float], memory: Sequence[float]) -> None:
    cuts = statistics.quantiles(delays, n=100)
    print(
        f"written {rate:,.0f} rows/s; commit to visible p50 {cuts[49]:.2f} s (goal 0.7), p99 {cuts[98]:.2f} s (goal 1.5)"
    )
    print(f"processor: run {cores[0]:.2f} cores, target server {cores[1]:.2f} cores")
    print(f"memory of the run, MiB: {', '.join(f'{value:.0f}' for value in memory)}", flush=True)


def _at_rest(stream: Stream, seconds: float) -> None:
    time.sleep(3)
    used = _read_seconds(stream)
    time.sleep(seconds)
    spent = [100 * (now - before) / seconds for now, before in zip(_read_seconds(stream), used, strict=True)]
    print(f"at rest: run {spent[0]:.1f} % of a core (goal 5), target server {spent[1]:.1f} %")


def _read_seconds(stream: Stream) -> tuple[float, float]:
    return processes.processor_seconds(stream.members()), processes.processor_seconds(stream.servers)


def _require_flat(memory: Sequence[float]) -> None:
    third = len(memory) // 3
    before, after = statistics.median(memory[third : 2 * third]), statistics.median(memory[-third:])
    assert after <= before * _GROWTH, f"memory grew from {before:.0f} to {after:.0f} MiB"
    print(f"memory is flat: {before:.0f} MiB in the second third, {after:.0f} MiB in the last")


if __name__ == "__main__":
    main()
