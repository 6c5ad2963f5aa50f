"""The logs that a real server writes, and what its own tool makes of them, are read as what was executed."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shardwright.compiler.workload.digest import digest_of
from shardwright.compiler.workload.merge import group_statements
from shardwright.compiler.workload.read import read_workload
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server
STATEMENTS = [
    "BEGIN",
    "SELECT a\nFROM t -- the rows; of one\nWHERE b = 'x;y' AND a = 7",
    "SELECT a FROM t WHERE b = 'it''s' AND a = 8",
    "SELECT a FROM t WHERE a IN (1, 2, 3)",
    "INSERT INTO t (a, b) VALUES (1, 'one'), (2, 'two')",
    "UPDATE t SET b = 'z' WHERE a = 2",
    "COMMIT",
]


@contextmanager
def write_logs(server: Server, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Within, the server writes a general log and a slow query log, of everything."""
    general, slow = folder / "general.log", folder / "slow.log"
    before = dict(
        server.query("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('general_log_file', 'slow_query_log_file')")
    )
    server.query("SET GLOBAL log_output = 'FILE'")
    server.query("SET GLOBAL general_log_file = %s", [str(general)])
    server.query("SET GLOBAL slow_query_log_file = %s", [str(slow)])
    server.query("SET GLOBAL general_log = 1")
    server.query("SET GLOBAL slow_query_log = 1")
    try:
        yield general, slow
    finally:
        for switch in ("general_log", "slow_query_log"):
            server.query(f"SET GLOBAL {switch} = 0")
        for name, value in before.items():
            server.query(f"SET GLOBAL {name} = %s", [value])


def test_real_logs_are_read(arena: Arena, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with write_logs(arena.source, tmp_path) as (general, slow):
        arena.source.query("CREATE DATABASE app")
        arena.source.query("CREATE TABLE app.t (a INT, b VARCHAR(9))")
        with arena.source.connect("app") as connection, connection.cursor() as cursor:
            cursor.execute("SET SESSION long_query_time = 0")
            for statement in STATEMENTS:
                cursor.execute(statement)
    if not general.exists():
        pytest.skip("the server is in a container and writes its logs there")
    wanted = Counter(digest_of(statement)[0] for statement in STATEMENTS)
    for log in (general, slow):
        statements = read_workload(log.read_text("utf-8"), str(log))
        found = Counter(digest_of(one.text)[0] for one in statements)
        assert wanted <= found, (log.name, wanted - found, log.read_text("utf-8"))
        [session] = {one.session for one in statements if digest_of(one.text)[0] == digest_of("COMMIT")[0]}
        assert session and sum(one.session == session for one in statements) >= len(STATEMENTS)
    assert all(one.seconds is not None for one in read_workload(slow.read_text("utf-8"), "slow.log"))


@pytest.mark.skipif(shutil.which("mysqldumpslow") is None, reason="mysqldumpslow is not installed")
def test_what_mysqldumpslow_prints_is_read(arena: Arena, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with write_logs(arena.source, tmp_path) as (_, slow):
        arena.source.query("CREATE DATABASE app")
        arena.source.query("CREATE TABLE app.t (a INT, b VARCHAR(9))")
        with arena.source.connect("app") as connection, connection.cursor() as cursor:
            cursor.execute("SET SESSION long_query_time = 0")
            for statement in STATEMENTS[2:] * 2:
                cursor.execute(statement)
    if not slow.exists():
        pytest.skip("the server is in a container and writes its logs there")
    done = subprocess.run(["mysqldumpslow", str(slow)], capture_output=True, text=True, check=True)
    groups = {group.digest: group.calls for group in group_statements(read_workload(done.stdout, "out"))}
    for statement in STATEMENTS[2:6]:
        assert groups.get(digest_of(statement)[0]) == 2, done.stdout
