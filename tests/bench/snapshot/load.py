"""The full load of one table into 4 databases x 4 tables, against three yardsticks, in turn, in one run.

    python -m tests.bench.snapshot.load [--rounds 5] [--kind facts] [--rows 2000000] [--contenders
    shardwright,load-data,mydumper,jdbc] [--json FILE]

All write to the same server with the same settings: full durability, its own log written. Seconds by the clock are
those in which rows move; start-up (ours and Spark's) is told apart. Afterwards everybody's rows are compared with the
source. Ratios are of medians; above 1 we are faster.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.snapshot.contenders import Contender, LoadData, MyDumper, Ours, SparkJdbc
from tests.bench.snapshot.measured import Used
from tests.bench.snapshot.rows import DATABASE, KINDS, fill
from tests.bench.stream.drain import start_servers
from tests.servers.testbed import Arena, Server

SETTINGS: dict[str, Any] = {"spark": {"master": "local[2]", "conf": {"spark.ui.enabled": "false"}}}
GOALS = {"LOAD DATA": (0.5, 0.65), "mydumper": (1.0, 1.5), "Spark JDBC": (2.5, 4.0)}
PROGRAMS = {"mydumper": "myloader"}
"""What a contender cannot do without."""
_REST = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kind", choices=KINDS, default="facts")
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--contenders", default="shardwright,load-data,mydumper,jdbc")
    parser.add_argument("--settings", type=json.loads, default={}, help="keys of the environment file, as JSON")
    parser.add_argument("--json", type=Path, help="where to write the results")
    parser.add_argument("--keep-log", type=Path, help="where to leave the log of our runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as name:
        folder = Path(name)
        servers = start_servers(folder, ("source", "target"))
        try:
            contenders = _contenders(options.contenders.split(","), servers, folder, options)
            results = _bench(contenders, servers[0], rounds=options.rounds)
            _report(results, rows=options.rows)
            if options.json:
                options.json.write_text(json.dumps(_as_json(results, options), indent=2) + "\n", encoding="utf-8")
        finally:
            if options.keep_log and (folder / "commands.log").exists():
                options.keep_log.write_bytes((folder / "commands.log").read_bytes())
            for server in servers:
                remove_server(server.sandbox)


def _contenders(names: list[str], servers: list[Server], folder: Path, options: argparse.Namespace) -> list[Contender]:
    source, target = servers
    ours = Ours(Arena(source, (target,), folder), options.kind, folder, {**SETTINGS, **options.settings})
    began = time.monotonic()
    fill(source, options.kind, options.rows)
    print(f"{options.rows} rows of {options.kind} made in {time.monotonic() - began:.0f} s", flush=True)
    made: dict[str, Any] = {
        "shardwright": lambda: ours,
        "load-data": lambda: LoadData(source, target, folder, options.kind),
        "mydumper": lambda: MyDumper(source, target, folder),
        "jdbc": lambda: SparkJdbc(source, target, folder),
    }
    lacking = [name for name in names if name in PROGRAMS and shutil.which(PROGRAMS[name]) is None]
    for name in lacking:
        print(f"{name} is left out: there is no program {PROGRAMS[name]} here", flush=True)
    return [made[name]() for name in names if name not in lacking]


def _bench(contenders: list[Contender], source: Server, *, rounds: int) -> dict[str, list[Used]]:
    results: dict[str, list[Used]] = {contender.name: [] for contender in contenders}
    expected = _state(source, [(DATABASE, "orders")])
    for number in range(rounds):
        for contender in contenders if number % 2 == 0 else reversed(contenders):
            contender.forget()
            time.sleep(_REST)  # the server clears away what was dropped
            used = contender.load()
            results[contender.name].append(used)
            print(f"  round {number + 1}: {contender.name} {used.clock:.1f} s ({used.whole:.1f} s in all)", flush=True)
            assert _state(contender.target, contender.tables()) == expected, f"{contender.name}: not the source's rows"
            contender.forget()
    return results


def _state(server: Server, tables: list[tuple[str, str]]) -> tuple[int, int]:
    """Rows of all tables together, and a sum of a hash of each."""
    database, table = tables[0]
    columns = server.query(
        "SELECT GROUP_CONCAT(CONCAT('IFNULL(HEX(`', column_name, '`), 0)') ORDER BY ordinal_position) FROM information_schema.columns "
        "WHERE table_schema = %s AND table_name = %s",
        (database, table),
    )[0][0]
    rows = total = 0
    for database, table in tables:
        ((count, hashes),) = server.query(
            f"SELECT COUNT(*), COALESCE(SUM(CAST(CONV(LEFT(MD5(CONCAT_WS('|', {columns})), 14), 16, 10) AS UNSIGNED)), 0) "
            f"FROM `{database}`.`{table}`"
        )
        rows, total = rows + int(count), total + int(hashes)
    return rows, total


def _median(values: list[float]) -> float:
    return statistics.median(values)


def _report(results: dict[str, list[Used]], *, rows: int) -> None:
    ours = _median([used.clock for used in results["shardwright"]])
    print(f"{'who':12} {'rows/s':>9} {'ratio':>6} {'least, goal':>12} | processor seconds per million rows, peak MiB")
    for name, all_used in results.items():
        clock = _median([used.clock for used in all_used])
        least, goal = GOALS.get(name, (0.0, 0.0))
        ratio = f"{clock / ours:6.2f} {least:6} {goal:5}" if name in GOALS else " " * 19
        cost = {
            party: _median([used.seconds_of_move(party) for used in all_used]) * 1e6 / rows
            for party in all_used[0].processor
        }
        peak = {party: _median([used.peak_mib[party] for used in all_used]) for party in all_used[0].peak_mib}
        parties = ", ".join(f"{party} {cost[party]:.1f} s {peak[party]:,.0f} MiB" for party in cost)
        print(f"{name:12} {rows / clock:9,.0f} {ratio} | {parties}", flush=True)
    start = _median([used.starting["us"] for used in results["shardwright"]])
    firsts = [used.first_row for used in results["shardwright"] if used.first_row is not None]
    whole = _median([used.whole for used in results["shardwright"]])
    print(
        f"shardwright: first rows on a shard {_median(firsts):.1f} s after the command began, "
        f"the whole command {whole:.1f} s, {start:.1f} processor seconds of ours to start"
    )


def _as_json(results: dict[str, list[Used]], options: argparse.Namespace) -> dict[str, Any]:
    return {
        "kind": options.kind,
        "rows": options.rows,
        "processors": os.cpu_count(),
        "rounds": {name: [vars(used) for used in all_used] for name, all_used in results.items()},
    }


if __name__ == "__main__":
    main()
