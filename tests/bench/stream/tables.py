"""A few changes to each of many tables: how long until the shards have them?

    python -m tests.bench.stream.tables [--tables 100] [--changes 200] [--rounds 10]

An application changes random rows of random tables in one burst, while a run follows. The time is from its last commit
to the moment at which the shards have that commit. The first half of the rounds warms Spark up, the median is of the
other half. Afterwards `verify` compares both sides.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.stream.drain import start_servers
from tests.servers.testbed import Arena, Server
from tests.support.case import SHARDS, SUFFIXES, Case
from tests.support.job import USERS_SPARK

_ROWS = 100
_MARK = "t0"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--changes", type=int, default=200, help="changed rows in a burst")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        source, target = start_servers(Path(folder), ("source", "target"))
        try:
            _bench(Path(folder), source, target, tables=options.tables, changes=options.changes, rounds=options.rounds)
        finally:
            for server in (source, target):
                remove_server(server.sandbox)


def _bench(folder: Path, source: Server, target: Server, *, tables: int, changes: int, rounds: int) -> None:
    names = [f"t{number}" for number in range(tables)]
    rows = ", ".join(f"({number}, 0, 'row {number}')" for number in range(_ROWS))
    case = Case(
        Arena(source, (target,), folder),
        folder,
        "tables:\n" + "\n".join(f"  - {{table: {name}, sharding: by_id}}" for name in names),
        setup=[
            statement
            for name in names
            for statement in (
                f"CREATE TABLE {name} (id INT PRIMARY KEY, v INT NOT NULL, note VARCHAR(40)) DEFAULT CHARSET=utf8mb4",
                f"INSERT INTO {name} VALUES {rows}",
            )
        ],
        settings=USERS_SPARK,
    )
    case.plan()
    began = time.monotonic()
    case.run()
    print(f"{tables} tables of {_ROWS} rows copied by a run of {time.monotonic() - began:.1f} s", flush=True)
    dice = random.Random(1)
    seconds = []
    with case.call_in_background("run", "--env", "test", "--until", "forever", saying="resuming at"):
        for number in range(1, rounds + 1):
            case.write(
                *(
                    f"UPDATE {dice.choice(names)} SET v = v + 1, note = 'round {number}' WHERE id = {dice.randrange(1, _ROWS)}"
                    for _ in range(changes)
                ),
                f"UPDATE {_MARK} SET v = {number} WHERE id = 0",
            )
            seconds.append(_until_there(case, number))
            print(f"round {number}: {seconds[-1]:.2f} s", flush=True)
    print(f"median of the last {len(seconds) - rounds // 2}: {statistics.median(seconds[rounds // 2 :]):.2f} s")
    case.verify(saying="equal")


def _until_there(case: Case, number: int) -> float:
    began = time.monotonic()
    while True:
        for database in SHARDS:
            with case.arena.shard(database) as connection, connection.cursor() as cursor:
                for suffix in SUFFIXES:
                    cursor.execute(f"SELECT v FROM {_MARK}{suffix} WHERE id = 0")
                    if cursor.fetchall() == ((number,),):
                        return time.monotonic() - began
        time.sleep(0.02)


if __name__ == "__main__":
    main()
