"""What do the triggers of buckets cost the writers? The same writes at the source with and without them, in turn.

    python -m tests.bench.bucket_triggers [--rounds 5] [--seconds 4] [--rows 1000]

`cutover --buckets` makes the triggers; then everything but the server is ended. `SHARDWRIGHT_SERVER` names the server
program. Printed: transactions of one row a second, by four writers, and rows a second in statements of many rows.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.stream.drain import start_servers
from tests.cutover.lab import CutoverLab
from tests.cutover.test_by_bucket import connect_application, make_lab
from tests.servers.testbed import Arena

WRITERS = 4
FIRST = 10_000
_TRIGGERS = "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = 'lab'"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4, help="how long each is measured")
    parser.add_argument("--rows", type=int, default=1_000, help="of a large statement")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        servers = start_servers(Path(folder), ("source", "target_0", "target_1"))
        try:
            lab = make_lab(Arena(servers[0], (servers[1], servers[2]), Path(folder)), Path(folder))
            _report(_measure(lab, _make_triggers(lab), options))
        finally:
            for server in servers:
                remove_server(server.sandbox)


def _make_triggers(lab: CutoverLab) -> dict[str, str]:
    """By name, the statement that makes it."""
    with lab.live():
        lab.cutover("--buckets", "0")
        lab.application.stop()
    names = [str(name) for (name,) in lab.arena.source.query(_TRIGGERS)]
    return {name: str(lab.arena.source.query(f"SHOW CREATE TRIGGER lab.`{name}`")[0][2]) for name in names}


def _measure(lab: CutoverLab, triggers: dict[str, str], options: argparse.Namespace) -> dict[str, list[float]]:
    """Bucket 1 is the source's: its writers pass."""
    source, rows = lab.arena.source, options.rows
    with source.connect("lab") as connection, connection.cursor() as cursor:
        for name in triggers:
            cursor.execute(f"DROP TRIGGER lab.`{name}`")
        values = [(FIRST + number, 1, f"b{number}", "") for number in range(rows)]
        cursor.executemany("INSERT INTO parent (id, place, name, note) VALUES (%s, %s, %s, %s)", values)
        connection.commit()
        found: dict[str, list[float]] = {"single": [], "many": []}
        for _ in range(options.rounds):
            plain = _speeds(lab, options)
            for statement in triggers.values():
                cursor.execute(statement)
            guarded = _speeds(lab, options)
            for name in triggers:
                cursor.execute(f"DROP TRIGGER lab.`{name}`")
            for kind, ratios in found.items():
                ratios.append(guarded[kind] / plain[kind])
                print(f"{kind}: {plain[kind]:,.0f}/s without, {guarded[kind]:,.0f}/s with triggers", flush=True)
    return found


def _speeds(lab: CutoverLab, options: argparse.Namespace) -> dict[str, float]:
    seconds, rows = options.seconds, options.rows
    counts = [0] * WRITERS
    threads = [threading.Thread(target=_write, args=(lab, slot, counts, seconds, rows)) for slot in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    single = sum(counts) / seconds
    statements, ends = 0, time.monotonic() + seconds
    with connect_application(lab, "lab") as connection:
        while time.monotonic() < ends:
            _execute(connection, f"UPDATE parent SET note = '{statements}' WHERE id >= {FIRST}")
            statements += 1
    return {"single": single, "many": statements * rows / seconds}


def _write(lab: CutoverLab, slot: int, counts: list[int], seconds: float, rows: int) -> None:
    ends = time.monotonic() + seconds
    with connect_application(lab, "lab") as connection:
        while time.monotonic() < ends:
            id_ = FIRST + (counts[slot] * WRITERS + slot) % rows
            _execute(connection, f"UPDATE parent SET note = '{counts[slot]}x{time.monotonic()}' WHERE id = {id_}")
            counts[slot] += 1


def _execute(connection: Connection[Any], statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _report(found: dict[str, list[float]]) -> None:
    for kind, ratios in found.items():
        print(f"{kind}: with triggers {statistics.median(ratios):.2f} times as fast as without, {len(ratios)} rounds")


if __name__ == "__main__":
    main()
