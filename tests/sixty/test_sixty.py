"""Sixty tables as real databases have them are moved whole: an application writes to all of them, their definitions
change every few seconds, the run is killed at random, and the shards are equal by an oracle that shares no code.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pymysql
import pytest

from tests.oracle.compare import compare, count
from tests.oracle.tables import Table, by_crc32
from tests.servers.forks import SHARDWRIGHT
from tests.servers.testbed import Arena
from tests.sixty.rows import Shape, read_shape
from tests.support.case import SHARDS, SOURCE, SUFFIXES, Case
from tests.support.job import SMALL_SPARK, kill_tree
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

ROUNDS = int(os.environ.get("SHARDWRIGHT_ROUNDS", "8"))
_SQL = Path(__file__).with_name("sixty.sql")
_EXPECTED = {1062, 1265, 1406, 1526, 1366, 1264, 1690, 3819, 4025, 1213, 1205, 1416, 4078, 3643}
"""What an application may meet: equal keys, rows that fit no partition, checks, locks."""
_CONTINUES = (
    "ALTER TABLE wp_posts ADD INDEX by_author (post_author)",
    "CREATE INDEX by_title ON film (title)",
    "ALTER TABLE notes COMMENT 'they change; often'",
    "ALTER TABLE events REORGANIZE PARTITION later INTO (PARTITION p2026 VALUES LESS THAN ('2027-01-01'), "
    "PARTITION later VALUES LESS THAN (MAXVALUE))",
    "ALTER TABLE actor ALTER first_name SET DEFAULT 'nobody'",
    "ANALYZE TABLE customer",
    "ALTER TABLE sales_order_item COALESCE PARTITION 1",
    "ALTER TABLE quote_item ENGINE = InnoDB",
    "DROP INDEX idx_actor_last_name ON actor",
)
_COLUMNS = (
    "ALTER TABLE wp_links DROP COLUMN link_notes, ADD INDEX by_rating (link_rating)",
    "ALTER TABLE actor ADD COLUMN nick varchar(20) NULL AFTER first_name",
    "ALTER TABLE film MODIFY title varchar(200) NOT NULL",
    "ALTER TABLE rental DROP COLUMN return_date",
    "ALTER TABLE wp_options ADD COLUMN size int NOT NULL DEFAULT 5",
    "ALTER TABLE many_numbers MODIFY t smallint NULL",
    "ALTER TABLE quote ADD COLUMN net decimal(20,4) AS (grand_total - 1) STORED",
    "ALTER TABLE wp_links MODIFY link_visible enum('Y','N','M') NOT NULL DEFAULT 'Y'",
    "ALTER TABLE label_links ADD COLUMN note varchar(30) NOT NULL DEFAULT 'é', ADD COLUMN other bigint NULL",
    "ALTER TABLE city MODIFY city varchar(80) NOT NULL",
    "ALTER TABLE payment ADD COLUMN memo varchar(9) NULL FIRST",
)


def parts(kind: str) -> list[tuple[str, str, str]]:
    """Name, place ("broadcast", "single" or a column) and CREATE TABLE of each table, for that kind of server."""
    text = "\n".join(
        line.removeprefix(f"--{kind} ")
        for line in _SQL.read_text(encoding="utf-8").splitlines()
        if not line.startswith(("--mysql ", "--mariadb ")) or line.startswith(f"--{kind} ")
    )
    found = re.findall(r"^-- (?:by )?(\S+)\n(CREATE TABLE (`[^`]+`|\w+).*?;)$", text, flags=re.DOTALL | re.MULTILINE)
    return [(name.strip("`"), place, sql) for place, sql, name in found]


def spec_lines(tables: Sequence[tuple[str, str, str]]) -> str:
    lines = ["tables:"]
    for name, place, _ in tables:
        where = {"broadcast": "broadcast", "single": f"{{single: {SHARDS[0]}}}"}.get(
            place, f"{{rule: by_id, shard_key: [{json.dumps(place)}]}}"
        )
        lines.append(f"  - {{table: {json.dumps(name, ensure_ascii=False)}, sharding: {where}}}")
    return "\n".join(lines)


class Application:
    """Writes random rows to all tables in a thread of its own, as they are at the time."""

    def __init__(self, case: Case, names: Sequence[str], seed: int) -> None:
        self.case, self.names, self.dice = case, names, random.Random(seed)
        self.done, self.refused = 0, Counter[int]()
        self.failure: Exception | None = None
        self.over = threading.Event()
        self._shapes: dict[str, Shape] = {}
        self._lock = threading.Lock()

    def forget_shapes(self) -> None:
        with self._lock:
            self._shapes.clear()

    def write(self, times: int, pause: float = 0.0) -> None:
        with self.case.source.connect(SOURCE) as connection, connection.cursor() as cursor:
            cursor.execute("SET SESSION time_zone = '+00:00'")
            for _ in range(times):
                if self.over.wait(pause) if pause else self.over.is_set():
                    return
                name = self.dice.choice(self.names)
                with self._lock:
                    shape = self._shapes.get(name) or read_shape(connection, SOURCE, name)
                    self._shapes[name] = shape
                statement, values = shape.statement(self.dice)
                try:
                    cursor.execute(statement, values)
                    self.done += 1
                except pymysql.err.MySQLError as error:
                    if error.args[0] == 1054:  # the table was changed a moment ago
                        self.forget_shapes()
                    elif error.args[0] not in _EXPECTED:
                        raise AssertionError(f"{statement} {values}: {error}") from error
                    self.refused[error.args[0]] += 1

    @contextmanager
    def write_meanwhile(self) -> Iterator[None]:
        def work() -> None:
            try:
                self.write(1_000_000, 0.01)
            except (AssertionError, pymysql.err.MySQLError) as error:
                self.failure = error

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            self.over.set()
            thread.join()
        if self.failure is not None:
            raise self.failure


class Following:
    """A run without an end, started again after each kill and each change of columns."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.log = case.project.parent / "run.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.replanned = 0

    def start(self) -> None:
        command = [SHARDWRIGHT, "--project", str(self.case.project), "run", "--env", "test", "--until", "forever"]
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)

    def proceed(self, seconds: float) -> None:
        """As an operator: a run that has met a change of columns gets the plan that knows it. What the stream leaves to
        a person, such as another DEFAULT, comes by a DDL file."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process is not None
            if self.process.poll() is not None:
                text = self.log.read_text()
                if self.process.returncode == 6 and "SW8402" in text:
                    self.case.call("ddl", "new", "--env", "test", code=3)
                    self.case.call("compile")
                    self.case.call("ddl", "apply", "--env", "test", "--allow", "SW8420,SW8421")
                else:
                    known = (self.process.returncode, 5 if "SW8548" in text else 6 if "SW8547" in text else 0)
                    assert known in ((5, 5), (6, 6)), text[-3000:]
                    self.case.plan()
                    self.replanned += 1
                self.start()
            time.sleep(0.2)

    def kill(self) -> None:
        if self.process is not None:
            kill_tree(self.process)


def test_j1_j2_sixty_tables_are_moved_whole(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    kind = arena.source.sandbox.kind
    tables = parts(kind)
    assert len(tables) == 60
    case = Case(
        arena,
        tmp_path,
        spec_lines(tables),
        setup=[sql.rstrip(";") for _, _, sql in tables],
        stream="{format: binlog, ddl: apply}",
        settings={**SMALL_SPARK, "snapshot": {"chunk_rows": 100}},
    )
    (case.project / "ddl").mkdir()
    case.spec_file.write_text(f"{case.spec_file.read_text('utf-8')}\nddl: ddl/\n", "utf-8")
    application = Application(case, [name for name, _, _ in tables], dice.randrange(1 << 30))
    application.write(6_000)
    case.plan()
    run = Following(case)
    try:
        with application.write_meanwhile():
            run.start()
            for _ in range(2):
                run.proceed(dice.uniform(10, 30))
                run.kill()
                run.start()
            _wait_for_snapshot(case, run)
            statements = [*_CONTINUES, *_COLUMNS]
            dice.shuffle(statements)
            for statement in statements[:ROUNDS]:
                print(statement, flush=True)
                replanned = run.replanned
                case.write(statement)
                application.forget_shapes()
                if dice.random() < 0.3:
                    run.proceed(dice.uniform(0, 6))
                    run.kill()
                    run.start()
                _wait_until_passed(case, run, replanned=replanned + (statement in _COLUMNS))
        run.proceed(1)
        _wait_until_passed(case, run)
    finally:
        run.kill()
    print(application.done, dict(application.refused))
    _require_equal(case, tables)
    case.verify(saying="equal")


def _status(case: Case) -> dict[str, object]:
    reported = case.call("status", "--env", "test", "--format", "json")
    found: dict[str, object] = json.loads(reported.out)
    return found


def _wait_for_snapshot(case: Case, run: Following) -> None:
    end = time.monotonic() + 2 * PATIENCE
    while not _status(case)["snapshot_complete"]:
        assert time.monotonic() < end, run.log.read_text()[-3000:]
        run.proceed(1)


def _wait_until_passed(case: Case, run: Following, *, replanned: int = 0) -> None:
    """Until the shards have what the source has now, and the run has had so many newer plans."""
    end = time.monotonic() + 2 * PATIENCE
    before = _position(case)
    while True:
        run.proceed(1)
        reported = _status(case)
        assert time.monotonic() < end, f"{reported}\n{run.log.read_text()[-3000:]}"
        if run.replanned >= replanned and _position(case, reported) >= before:
            return


def _position(case: Case, reported: dict[str, object] | None = None) -> tuple[str, int]:
    """File and offset: the source's head, or what `reported` says that all shards have."""
    if reported is None:
        return case.source.log_end()
    found = re.search(r"([\w.-]+\.\d+):(\d+)", json.dumps(reported["position"]))
    assert found is not None, reported
    return found[1], int(found[2])


def _require_equal(case: Case, tables: Sequence[tuple[str, str, str]]) -> None:
    place = by_crc32(SHARDS, SUFFIXES)
    with case.source.connect(SOURCE) as source:
        listed = []
        for name, where, _ in tables:
            key = read_shape(source, SOURCE, name).key
            if where in ("broadcast", "single"):
                databases = SHARDS if where == "broadcast" else SHARDS[:1]
                listed.append(Table(name, (f"{SOURCE}.{name}",), key, databases))
            else:
                listed.append(
                    Table(name, (f"{SOURCE}.{name}",), key, SHARDS, SUFFIXES, placed_by=(where,), place=place)
                )
        shards = {database: case.arena.shard(database) for database in SHARDS}
        try:
            differences = compare(source, listed, shards)
            rows = sum(count(source, table) for table in listed)
        finally:
            for shard in shards.values():
                shard.close()
    print(f"{rows} rows")
    assert rows > 1_000
    assert not differences, "\n".join(differences)
