"""The copy of many small tables into 4 databases x 4 tables: how long a whole run takes, and which part of it.

    python -m tests.bench.snapshot.tables [--tables 1000] [--rows 100]

The run makes the target tables, copies, and ends when it has caught up. Times are by the run's own lines, from the
start of the command. Processor seconds are by process. Afterwards `verify` compares both sides.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.snapshot.measured import measure
from tests.bench.stream.drain import start_servers
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, USERS_SPARK, Job, session_members

_DATABASE = "shop"
_SPEC = """version: 1
migration: tables
source: {{dialect: mariadb, databases: [shop], schema: schema/s.sql, stream: {{format: binlog}}}}
target: {{databases: "part_{{0..3}}", tables_suffix: "_{{0..3}}"}}
sharding:
  by_id: {{shard_key: [id], database: crc32(id) % 4, table: (crc32(id) div 4) % 4}}
tables:
{tables}
"""
_TABLE = "CREATE TABLE `{name}` (id INT PRIMARY KEY, v INT NOT NULL, note VARCHAR(40)) DEFAULT CHARSET=utf8mb4;\n"
_MILESTONES = ("tables created", "starting Spark", "chunk=", "snapshot complete")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--rows", type=int, default=100, help="rows of a table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as name:
        folder = Path(name)
        source, target = start_servers(folder, ("source", "target"))
        try:
            job = _job(folder, Arena(source, (target,), folder), tables=options.tables, rows=options.rows)
            _bench(job, source, target)
        finally:
            for server in (source, target):
                remove_server(server.sandbox)


def _job(folder: Path, arena: Arena, *, tables: int, rows: int) -> Job:
    names = [f"t{number}" for number in range(tables)]
    example = folder / "example"
    for part in ("specs", "schema", "ddl"):
        (example / part).mkdir(parents=True)
    entries = "\n".join(f"  - {{table: {name}, sharding: by_id}}" for name in names)
    (example / "specs" / "tables.yaml").write_text(_SPEC.format(tables=entries), encoding="utf-8")
    schema = "".join(_TABLE.format(name=name) for name in names)
    (example / "schema" / "s.sql").write_text(schema, encoding="utf-8")
    job = Job(arena, example, folder, settings=USERS_SPARK)
    arena.source.run_script(schema, database=_DATABASE)
    values = ", ".join(f"({number}, 0, 'row {number}')" for number in range(rows))
    with arena.source.connect(_DATABASE) as connection, connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"INSERT INTO {name} VALUES {values}")
        connection.commit()
    job.call("compile")
    return job


def _bench(job: Job, source: Server, target: Server) -> None:
    command = job.command("run", "--env", ENVIRONMENT, "--until", "caught-up")
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                          cwd=job.project) as process:  # fmt: skip
        parties = {
            "source": lambda: [source.sandbox.pid or 0],
            "target": lambda: [target.sandbox.pid or 0],
            "us": lambda: list(session_members(process.pid)),
        }
        with measure(parties) as used:
            assert process.stdout is not None
            for what, line in _find_milestones(process.stdout):
                print(f"{time.monotonic() - began:6.1f} s  {what}: {line[:100]}", flush=True)
    assert process.returncode == 0
    print(f"{time.monotonic() - began:6.1f} s  ended")
    print("processor seconds:", ", ".join(f"{name} {spent:.1f}" for name, spent in used.processor.items()))
    verified = job.call("verify", "--env", ENVIRONMENT, timeout=1_200.0)
    print(*(line for line in verified.splitlines() if line.startswith("verdict:")))


def _find_milestones(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """The first line about each milestone."""
    left = list(_MILESTONES)
    for line in lines:
        for what in [each for each in left if each in line]:
            left.remove(what)
            yield what, line.strip()


if __name__ == "__main__":
    main()
