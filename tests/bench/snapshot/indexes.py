"""What `defer_indexes` gains: the same table, with four secondary indexes, copied into 2 databases x 2 tables with and
without it, in turn.

    python -m tests.bench.snapshot.indexes [--rows 1000000] [--rounds 3]

A run is over when all indexes are there: `--until caught-up`. Seconds are those of the whole run.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.snapshot.measured import Used, measure
from tests.bench.snapshot.rows import DATABASE, fill
from tests.bench.stream.drain import start_servers
from tests.servers.forks import SHARDWRIGHT
from tests.servers.testbed import Arena, Server
from tests.support.case import SHARDS, SOURCE, Case
from tests.support.job import ENVIRONMENT, USERS_SPARK, session_members

_KEYS = "ADD KEY by_title (title), ADD KEY by_state (status, updated_at)"
_TABLES = "tables:\n  - {{table: orders, sharding: {{rule: by_id, shard_key: [id]}}{more}}}"
_KINDS = {"kept up": "", "deferred": ", defer_indexes: true"}
_TOOK = re.compile(r"after ([0-9.]+) s: ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as name:
        folder = Path(name)
        source, target = start_servers(folder, ("source", "target"))
        try:
            cases = _cases(Arena(source, (target,), folder), folder, rows=options.rows)
            taken: dict[str, list[Used]] = {kind: [] for kind in cases}
            for number in range(options.rounds):
                for kind, case in [*cases.items()][:: -1 if number % 2 else 1]:
                    taken[kind].append(_run(case, target))
                    print(f"  round {number + 1}: {kind} {taken[kind][-1].clock:.1f} s", flush=True)
            for kind, every in taken.items():
                clock = statistics.median(used.clock for used in every)
                busy = statistics.median(used.processor["target"] for used in every)
                print(f"{kind:9} {clock:6.1f} s, {busy:6.1f} processor seconds of the target's server")
        finally:
            for server in (source, target):
                remove_server(server.sandbox)


def _cases(arena: Arena, folder: Path, *, rows: int) -> dict[str, Case]:
    made = {}
    for kind, more in _KINDS.items():
        part = folder / kind.replace(" ", "-")
        part.mkdir()
        made[kind] = Case(arena, part, _TABLES.format(more=more), settings=USERS_SPARK)
    arena.source.query(f"CREATE DATABASE {DATABASE}")
    fill(arena.source, "facts", rows)
    arena.source.query(f"RENAME TABLE {DATABASE}.orders TO {SOURCE}.orders")
    arena.source.query(f"ALTER TABLE {SOURCE}.orders {_KEYS}")
    for case in made.values():
        case.plan()
    return made


def _run(case: Case, target: Server) -> Used:
    for shard in SHARDS:
        target.query(f"DROP DATABASE IF EXISTS {shard}")
        target.query(f"CREATE DATABASE {shard}")
    command = [SHARDWRIGHT, "--project", str(case.project), "run", "--env", ENVIRONMENT, "--until", "caught-up"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        parties = {"target": lambda: [target.sandbox.pid or 0], "us": lambda: list(session_members(process.pid))}
        with measure(parties) as used:
            assert process.stderr is not None
            said = process.stderr.read()
    assert process.returncode == 0, said
    took = _TOOK.findall(said)
    used.clock = float(took[-1])
    return used


if __name__ == "__main__":
    main()
