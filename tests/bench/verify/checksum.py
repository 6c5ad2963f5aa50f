"""`verify` against pt-table-checksum, on the same rows, in turn, in one run.

    python -m tests.bench.verify.checksum [--rounds 5] [--rows 1000000] [--json FILE]

pt-table-checksum compares a table with a replica of it; verify compares it with 4 databases x 4 tables. Both read every
row twice, once on the source's server and once on another one. Seconds by the clock of the whole command; ratios are of
medians, above 1 we are faster. Last, 0.001 % of the shards' rows are spoilt, and verify names them: what it takes then
against what it took before, where less is better.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.snapshot.contenders import PARTS, SHARDS, Ours, account, password
from tests.bench.snapshot.load import SETTINGS
from tests.bench.snapshot.rows import DATABASE, fill
from tests.bench.stream.drain import start_servers
from tests.bench.stream.drains import Replica, source_head
from tests.servers.testbed import Arena, Server

GOALS = {"CRC32": 0.8, "MD5": 1.5}
_MOST_WITH_WRONG_ROWS = 1.2
_SPOILT = 1e-5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path, help="where to write the results")
    options = parser.parse_args()
    if shutil.which("pt-table-checksum") is None:
        print("left out: there is no program pt-table-checksum here (percona-toolkit has it)")
        return
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as name:
        folder = Path(name)
        servers = start_servers(folder, ("source", "target", "replica"))
        try:
            results = _bench(servers, folder, rows=options.rows, rounds=options.rounds)
        finally:
            for server in servers:
                remove_server(server.sandbox)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _bench(servers: list[Server], folder: Path, *, rows: int, rounds: int) -> dict[str, list[float]]:
    source, target, replica = servers
    ours = Ours(Arena(source, (target,), folder), "facts", folder, SETTINGS)
    fill(source, "facts", rows)
    copied = Replica(replica, source, threads=2)
    ours.load()
    ours.job.run_until_caught_up()
    seconds, wrong = _with_wrong_rows(ours, target, rows=rows, rounds=rounds)
    # Later, since the others' sums would stand in the way of our stream: they are replicated as statements.
    _prepare(source, replica, copied)
    contenders: dict[str, Callable[[], None]] = {
        "shardwright": lambda: _verify(ours, wrong=0),
        "CRC32": lambda: _checksum(source, "CRC32"),
        "MD5": lambda: _checksum(source, "MD5"),
    }
    for number in range(rounds):
        for name in contenders if number % 2 == 0 else reversed(contenders):
            _time(name, contenders[name], seconds)
    _report(seconds, rows=rows, wrong=wrong)
    return seconds


def _with_wrong_rows(ours: Ours, target: Server, *, rows: int, rounds: int) -> tuple[dict[str, list[float]], int]:
    seconds: dict[str, list[float]] = {}
    wrong = 0
    for _ in range(rounds):
        _time("clean", partial(_verify, ours, wrong=0), seconds)
        wrong = _spoil(target, rows, by=1)
        _time("wrong", partial(_verify, ours, wrong=wrong), seconds)
        _spoil(target, rows, by=-1)
    return seconds, wrong


def _prepare(source: Server, replica: Server, copied: Replica) -> None:
    """What pt-table-checksum keeps its sums in, and where it finds the replica."""
    source.run_script("CREATE DATABASE percona")
    source.query("CREATE TABLE dsns (id INT AUTO_INCREMENT PRIMARY KEY, parent_id INT, dsn VARCHAR(255))", database="percona")  # fmt: skip
    source.query(
        "INSERT INTO dsns (dsn) VALUES (%s)",
        (f"h={replica.host},P={replica.port},u=root,p={password(replica)}",),
        database="percona",
    )
    copied.drain(source_head(source))
    replica.query("START SLAVE")


def _checksum(source: Server, function: str) -> None:
    command = [
        "pt-table-checksum", *account(source), f"--databases={DATABASE}", "--tables=orders", f"--function={function}",
        "--replicate=percona.checksums", "--no-check-binlog-format", "--no-version-check", "--max-load=Threads_running=1000", "--quiet",
        f"--recursion-method=dsn=h={source.host},P={source.port},D=percona,t=dsns",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _verify(ours: Ours, *, wrong: int) -> None:
    reported = ours.job.call("verify", "--env", "test", "--format", "json", "-q", expect=int(wrong > 0), timeout=1800)
    (table,) = json.loads(reported)["tables"]
    assert len(table["mismatches"]) == wrong, table


def _spoil(target: Server, rows: int, *, by: int) -> int:
    """Rows that are spread over the whole table, one here and one there; how many."""
    every, wrong = int(1 / _SPOILT), 0
    for database in SHARDS:
        for part in PARTS:
            where = f"id MOD {every} = {every // 2}"
            ((count,),) = target.query(f"SELECT COUNT(*) FROM {part} WHERE {where}", database=database)
            target.query(f"UPDATE {part} SET amount = amount + %s WHERE {where}", (by,), database=database)
            wrong += int(count)
    assert 0 < wrong <= max(1, rows * _SPOILT * 2)
    return wrong


def _time(name: str, work: Callable[[], None], seconds: dict[str, list[float]]) -> None:
    began = time.monotonic()
    work()
    seconds.setdefault(name, []).append(time.monotonic() - began)
    print(f"  {name} {seconds[name][-1]:.1f} s", flush=True)


def _report(seconds: dict[str, list[float]], *, rows: int, wrong: int) -> None:
    median = {name: statistics.median(some) for name, some in seconds.items()}
    print(f"{'who':28} {'seconds':>8} {'ratio':>6} {'least':>6}")
    print(f"{'shardwright':28} {median['shardwright']:8.1f}   {2 * rows / median['shardwright']:,.0f} rows/s")
    for name, least in GOALS.items():
        print(
            f"{'pt-table-checksum, ' + name:28} {median[name]:8.1f} {median[name] / median['shardwright']:6.2f} {least:6}"
        )
    ratio = median["wrong"] / median["clean"]
    print(f"{f'shardwright, {wrong} wrong rows':28} {median['wrong']:8.1f} {ratio:6.2f} {_MOST_WITH_WRONG_ROWS:6} at most, of {median['clean']:.1f}")  # fmt: skip


if __name__ == "__main__":
    main()
