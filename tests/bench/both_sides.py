"""How fast are both directions together, where both sides write all rows? Against each of them alone, in the same run:
the run is stopped for a moment (SIGSTOP), one side or both change as many rows, and the time counts from there until the
other side has them.

    python -m tests.bench.both_sides [--rows 20000] [--rounds 5]

Printed: rows a second by what was written, medians, and the ratio of both together to twice the slower one alone.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.stream.drain import start_servers
from tests.both_sides.lab import SHARDS, BothLab
from tests.servers.testbed import Arena

_IDS = 100
_AT_REST = 20.0
_KINDS = {"source": ("purse",), "shards": ("seat",), "both": ("purse", "seat")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        servers = start_servers(Path(folder), ("source", "target_0", "target_1"))
        try:
            lab = BothLab(Arena(servers[0], (servers[1], servers[2]), Path(folder)), Path(folder))
            lab.begin(owners=options.rows // _IDS, ids=_IDS)
            with lab.both() as run:
                _report(options.rows, _measure(lab, run, options.rounds))
                time.sleep(10)
                before = _processor_seconds(run.pid)
                time.sleep(_AT_REST)
                print(f"at rest: {(_processor_seconds(run.pid) - before) / _AT_REST:.3f} of a core, driver alone")
        finally:
            for server in servers:
                remove_server(server.sandbox)


def _measure(lab: BothLab, run: subprocess.Popen[bytes], rounds: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for number in range(rounds + 1):
        for kind, tables in _KINDS.items():
            with lab.freeze(run):
                for table in tables:
                    _change(lab, table)
            began = time.monotonic()
            while not all(_is_equal(lab, table) for table in tables):
                time.sleep(0.05)
            if number:  # Spark plans its queries in the first one
                found[kind].append(time.monotonic() - began)
    return found


def _change(lab: BothLab, table: str) -> None:
    """Each row once, in transactions of one owner."""
    places = (
        [(lab.arena.source, "pair", table)]
        if table == "purse"
        else [(lab.arena.placement[name], name, f"{table}_{part}") for name in SHARDS for part in range(2)]
    )
    for server, database, name in places:
        with server.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(f"SELECT DISTINCT owner_id FROM {name}")
            for (owner,) in cursor.fetchall():
                cursor.execute(f"UPDATE {name} SET value = value + 1 WHERE owner_id = {owner}")


def _is_equal(lab: BothLab, table: str) -> bool:
    there = sum(
        int(lab.arena.placement[name].query(f"SELECT COALESCE(SUM(value), 0) FROM {table}_{part}", database=name)[0][0])
        for name in SHARDS
        for part in range(2)
    )
    return int(lab.arena.source.query(f"SELECT SUM(value) FROM {table}", database="pair")[0][0]) == there


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _report(rows: int, found: dict[str, list[float]]) -> None:
    rates = {kind: len(_KINDS[kind]) * rows / statistics.median(times) for kind, times in found.items()}
    for kind, rate in rates.items():
        print(f"{kind}: {rate:,.0f} rows/s (of {', '.join(f'{seconds:.2f}' for seconds in found[kind])} s)")
    slower = min(rates["source"], rates["shards"])
    print(f"both together against the slower one alone: {rates['both'] / slower:.2f}")


if __name__ == "__main__":
    main()
