"""Draining a backlog: a run of ours over 4 databases x 4 tables against MariaDB's own parallel replication.

    python -m tests.bench.stream.drain [--rounds 5] [--changes 600000] [--kinds insert-only,hot-updates,one-row]
    [--guarded] [--record N] [--watch] [--threads 4] [--warm 90] [--unmeasured 2] [--json FILE]

Both drain the same backlog from the same log, in turn, in the same run, each onto a server with the same settings (full
durability, its own log written); whoever does not drain stands still. Ours is a run that is warm and frozen meanwhile:
it has followed small batches for `--warm` seconds before, since a JVM compiles what plans a query only after some
hundred times, and both have drained `--unmeasured` backlogs of each kind, since it compiles what runs over many rows
only when it has. A backlog holds several of our batches: one batch alone would measure how long the first takes to go
from the log to the shards, and the next one would not be fetched meanwhile. Afterwards both are compared with the
source. Ratios are of medians; above 1 we are faster.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from shardwright.runtime.rehearsal.sandbox.local import free_port
from tests.bench.stream import backlog
from tests.bench.stream.drains import Drained, Replica, Stream, running_stream, source_head, table_state
from tests.servers.testbed import Arena, Server
from tests.support.job import Job

PROJECT = Path(__file__).with_name("project")
OPTIONS = {"innodb-buffer-pool-size": "384M", "log-slave-updates": "1", "max-binlog-size": "1G"}
SETTINGS = {"spark": {"master": "local[2]", "conf": {"spark.ui.enabled": "false"}}}
WARM_UP = (500, 2_000, 20_000, 1_000, 20_000)
_SMALL = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--changes", type=int, default=600_000, help="row changes in a backlog (one-row: a tenth of it)"
    )
    parser.add_argument("--kinds", default=",".join(kind.name for kind in backlog.KINDS))
    parser.add_argument("--guarded", action="store_true", help="the table has a unique key and a version column, too")
    parser.add_argument(
        "--record", type=int, default=0, metavar="N", help="the flight recorder keeps N decisions a key"
    )
    parser.add_argument("--watch", action="store_true", help="the run has metrics, which are scraped, and a live page")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--warm", type=float, default=90, help="seconds of small batches before the first backlog")
    parser.add_argument("--unmeasured", type=int, default=2, help="backlogs of each kind that are drained before")
    parser.add_argument("--json", type=Path, help="where to write the results")
    parser.add_argument("--keep-log", type=Path, help="where to leave the log of our run")
    options = parser.parse_args()
    kinds = [kind for kind in backlog.KINDS if kind.name in options.kinds.split(",")]
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        servers = start_servers(Path(folder), ("source", "target", "replica"))
        try:
            results = _bench(Path(folder), servers, kinds, options)
            if options.json:
                made = {"changes": options.changes, "processors": os.cpu_count(), "kinds": results}
                options.json.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
        finally:
            if options.keep_log:
                options.keep_log.write_bytes((Path(folder) / "commands.log").read_bytes())
            for server in servers:
                remove_server(server.sandbox)


def start_servers(folder: Path, names: Sequence[str]) -> list[Server]:
    def start(number: int) -> Server:
        started = start_server(folder / names[number], server_id=number + 1, extra=OPTIONS)
        return Server(names[number], started, extra=OPTIONS)

    with ThreadPoolExecutor() as pool:
        return list(pool.map(start, range(len(names))))


def _guard(project: Path) -> None:
    """Gives the project's table a unique key and a version column."""
    for name, old, new in (
        ("schema/bench.sql", "KEY by_user (user_id)", "UNIQUE KEY by_user (user_id, title)"),
        ("specs/bench.yaml", "  - table: orders\n", "  - table: orders\n    version_column: updated_at\n"),
    ):
        text = (project / name).read_text(encoding="utf-8")
        assert old in text
        (project / name).write_text(text.replace(old, new), encoding="utf-8")


def _record(project: Path, rows: int) -> None:
    """Turns the flight recorder on."""
    spec = project / "specs" / "bench.yaml"
    spec.write_text(f"flight_recorder: {{rows: {rows}}}\n{spec.read_text(encoding='utf-8')}", encoding="utf-8")


def make_job(
    folder: Path, source: Server, target: Server, *, guarded: bool = False, recorded: int = 0
) -> tuple[Arena, Job]:
    """The source's table with its first rows, and the project deployed on these servers."""
    arena = Arena(source, (target,), folder)
    job = Job(arena, PROJECT, folder, settings=SETTINGS)
    if guarded:
        _guard(job.project)
    if recorded:
        _record(job.project, recorded)
    source.run_script(job.project / "schema" / "bench.sql", database=backlog.DATABASE)
    backlog.make_numbers(source)
    backlog.fill(source)
    return arena, job


@contextmanager
def _scrape_meanwhile(address: str | None) -> Iterator[None]:
    """Within, the run's metrics are asked for every second."""
    over = threading.Event()

    def scrape() -> None:
        while address is not None and not over.wait(1):
            with suppress(OSError), urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
                answer.read()

    thread = threading.Thread(target=scrape)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _bench(
    folder: Path,
    servers: list[Server],
    kinds: list[backlog.Kind],
    options: argparse.Namespace,
) -> dict[str, dict[str, list[dict[str, float]]]]:
    source, target, replica_server = servers
    arena, job = make_job(folder, source, target, guarded=options.guarded, recorded=options.record)
    replica = Replica(replica_server, source, threads=options.threads)
    addresses = {name: f"127.0.0.1:{free_port()}" for name in ("--metrics", "--page") if options.watch}
    arguments = [word for pair in addresses.items() for word in pair]
    with running_stream(arena, job, *arguments) as stream, _scrape_meanwhile(addresses.get("--metrics")):
        for count in WARM_UP:
            for kind in kinds:
                kind.write(source, count)
            stream.wait(source_head(source))
        end = time.monotonic() + options.warm
        while time.monotonic() < end:
            for kind in kinds:
                kind.write(source, _SMALL)
                stream.wait(source_head(source))
        stream.drain(source_head(source))
        replica.drain(source_head(source))
        for kind in kinds * options.unmeasured:
            _write(kind, source, options.changes)
            stream.drain(source_head(source))
            replica.drain(source_head(source))
        print(
            f"{'backlog':12} {'changes':>8} | rows/s: ours  theirs  ratio goal | CPU us/row: ours (server + Spark) theirs"
        )
        results = {
            kind.name: _compare(kind, source, stream, replica, rounds=options.rounds, changes=options.changes)
            for kind in kinds
        }
        head = [(backlog.DATABASE, "orders")]
        shards = [(database, f"orders_{part}") for database in job.spec.target.databases for part in range(4)]
        expected = table_state(source, head)
        assert table_state(target, shards) == expected, "the shards differ from the source"
        assert table_state(replica_server, head) == expected, "the replica differs from the source"
        print(f"{expected[0]} rows are equal on source, shards and replica")
    return results


def _write(kind: backlog.Kind, source: Server, changes: int) -> int:
    return kind.write(source, changes // 10 if kind.name == "one-row" else changes)


def _compare(
    kind: backlog.Kind, source: Server, stream: Stream, replica: Replica, *, rounds: int, changes: int
) -> dict[str, list[dict[str, float]]]:
    ours: list[Drained] = []
    theirs: list[Drained] = []
    count = 0
    for number in range(rounds):
        count = _write(kind, source, changes)
        head = source_head(source)
        if number % 2:
            theirs.append(replica.drain(head))
            ours.append(stream.drain(head))
        else:
            ours.append(stream.drain(head))
            theirs.append(replica.drain(head))
        print(f"  {kind.name} round {number + 1}: ours {count / ours[-1].clock:,.0f} theirs {count / theirs[-1].clock:,.0f} rows/s",
              flush=True)  # fmt: skip
    rate = [count / statistics.median(item.clock for item in side) for side in (ours, theirs)]
    cost = [
        1e6 * statistics.median(values) / count
        for values in (
            [item.server for item in ours],
            [item.writer for item in ours],
            [item.processor for item in theirs],
        )
    ]
    print(
        f"{kind.name:12} {count:8} | {rate[0]:12,.0f} {rate[1]:7,.0f} {rate[0] / rate[1]:6.2f} {kind.goal:4} | "
        f"{cost[0] + cost[1]:15.0f} ({cost[0]:.0f} + {cost[1]:.0f}) {cost[2]:6.0f}",
        flush=True,
    )
    return {name: [asdict(each) for each in side] for name, side in (("shardwright", ours), ("replication", theirs))}


if __name__ == "__main__":
    main()
