"""Is the way back as fast as the way there? An application writes the same changes to either side while it is cut over
and rolled back: how long batches take, how far the stream is behind, how long the first batch behind a switch takes,
and how long a command takes up to the switch.

    python -m tests.bench.way_back [--tables 9] [--rate 70] [--seconds 60] [--json FILE]

Each table has 8 places on the shards and a unique key. `SHARDWRIGHT_SERVER` names the server program. Figures are of
one run: what is compared is the way back with the way there, in the same run.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymysql

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.stream.drain import start_servers
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.job import kill_tree
from tests.support.lab import PROJECT

PLACES = 8
COLUMNS = "`id` int NOT NULL, `place` int unsigned NOT NULL, `name` varchar(40) NOT NULL, `note` varchar(100) NOT NULL"
KEYS = "PRIMARY KEY (`id`), UNIQUE KEY `name` (`name`)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=9)
    parser.add_argument("--rate", type=float, default=70, help="transactions a second")
    parser.add_argument("--seconds", type=float, default=60, help="how long each direction is measured")
    parser.add_argument("--json", type=Path, help="where to write the results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        servers = start_servers(Path(folder), ("source", "target_0", "target_1"))
        try:
            arena = Arena(servers[0], (servers[1], servers[2]), Path(folder))
            lab = CutoverLab(arena, Path(folder), example=_project(Path(folder) / "example", options.tables))
            found = _measure(lab, Writer(lab, options.tables, options.rate), options.seconds)
        finally:
            for server in servers:
                remove_server(server.sandbox)
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found), encoding="utf-8")


def _project(folder: Path, tables: int) -> Path:
    shutil.copytree(PROJECT, folder)
    spec = folder / "specs" / "lab.yaml"
    text = (
        spec.read_text(encoding="utf-8").partition("tables:\n")[0].replace('"_{0..1}"', f'"_{{0..{PLACES // 2 - 1}}}"')
    )
    text = text.replace("(place div 2) % 2", f"(place div 2) % {PLACES // 2}")
    entries = "".join(f"  - {{table: t{number}, sharding: by_place}}\n" for number in range(tables))
    spec.write_text(f"{text}tables:\n{entries}", encoding="utf-8")
    schema = "".join(
        f"CREATE TABLE `t{number}` ({COLUMNS}, {KEYS}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;\n"
        for number in range(tables)
    )
    (folder / "schema" / "lab.sql").write_text(schema, encoding="utf-8")
    return folder


@dataclass
class Writer:
    """One thread that changes random rows of random tables on the side that takes writes."""

    lab: CutoverLab
    tables: int
    rate: float
    side: str = "source"
    written: int = 0
    _rows: dict[tuple[int, int], int] = field(default_factory=dict)
    _ending: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        chance = random.Random(0)
        connections: dict[str, Any] = {}
        while not self._ending.wait(1 / self.rate):
            table, key = chance.randrange(self.tables), chance.randrange(2_000)
            place = self._rows.get((table, key))
            with suppress(pymysql.err.MySQLError):  # behind a fence
                if place is None:
                    place = chance.randrange(PLACES)
                    self._on(connections, place, f"INSERT INTO {{}} VALUES ({key}, {place}, 'n{key}', '')", table)
                    self._rows[table, key] = place
                elif chance.random() < 0.2:
                    self._on(connections, place, f"DELETE FROM {{}} WHERE id = {key}", table)
                    del self._rows[table, key]
                else:
                    self._on(connections, place, f"UPDATE {{}} SET note = '{self.written}' WHERE id = {key}", table)
                self.written += 1

    def stop(self) -> None:
        self._ending.set()

    def _on(self, connections: dict[str, Any], place: int, statement: str, table: int) -> None:
        source = self.side == "source"
        database = "lab" if source else self.lab.shards[place % 2]
        if database not in connections:
            server = self.lab.arena.source if source else self.lab.arena.placement[database]
            connections[database] = server.connect(database)
        with connections[database].cursor() as cursor:
            cursor.execute(statement.format(f"t{table}" if source else f"t{table}_{place // 2}"))


def _measure(lab: CutoverLab, writer: Writer, seconds: float) -> dict[str, Any]:
    lab.create_source()
    lab.allow_cutovers()
    report = lab.scratch.parent / "report.jsonl"
    run = lab.start(gated=False, arguments=("--report", f"json={report}"))
    thread = threading.Thread(target=writer.run, daemon=True)
    found: dict[str, Any] = {}
    try:
        lab.drain_forward(run)
        thread.start()
        time.sleep(seconds)
        lab.drain_forward(run)
        lab.verify()
        time.sleep(seconds / 2)
        found["forward"] = _batches(report, time.time() - seconds / 2)
        found["cutover_seconds"] = _time_switch(lab, writer, "shards")
        switched = time.time()
        lab.drain(run)
        found["first_backward_batch_seconds"] = round(_batches(report, switched)["ends"][0] - switched, 1)
        settled = time.time()
        time.sleep(seconds)
        found["backward"] = _batches(report, settled)
        lab.drain(run)
        found["rollback_seconds"] = _time_switch(lab, writer, "source")
        switched = time.time()
        lab.drain_forward(run)
        found["first_forward_batch_seconds"] = round(_batches(report, switched)["ends"][0] - switched, 1)
    finally:
        writer.stop()
        kill_tree(run)
    for name in ("forward", "backward"):
        del found[name]["ends"]
    return {"tables": writer.tables, "transactions": writer.written, **found}


def _time_switch(lab: CutoverLab, writer: Writer, side: str) -> float:
    """Seconds from the command to the switch."""
    began = time.monotonic()
    lab.cutover("begin" if side == "shards" else "rollback", timeout=600)
    writer.side = side
    return round(time.monotonic() - began, 1)


def _batches(report: Path, since: float) -> dict[str, Any]:
    lines = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    batches = [line for line in lines if line["event"] == "BatchApplied" and line["at"] > since and line["events"]]
    times = sorted(line["seconds"] for line in batches)
    lags = sorted(line["lag_seconds"] for line in batches if line["lag_seconds"] is not None)
    return {
        "batches": len(batches),
        "seconds_median": round(statistics.median(times), 2) if times else None,
        "seconds_most": round(times[-1], 2) if times else None,
        "lag_p50": round(statistics.median(lags), 1) if lags else None,
        "lag_p99": round(lags[int(len(lags) * 0.99)], 1) if lags else None,
        "ends": [line["at"] for line in batches],
    }


if __name__ == "__main__":
    main()
