"""Generated columns, STORED and VIRTUAL: the shards' servers compute them while rows are copied and followed beside a
writer. A row filter reads a stored one; unique keys are over both kinds, and their values change hands (hazards C6,
C27). An invisible column goes with its row (hazard C28).
"""

from __future__ import annotations

import random
import threading
import time
from itertools import count
from pathlib import Path

import pymysql
import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SOURCE, SUFFIXES, Case
from tests.support.job import ENVIRONMENT
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]

SETUP = (
    """CREATE TABLE item (
    id INT PRIMARY KEY, price DECIMAL(10,2) NOT NULL, quantity INT NOT NULL DEFAULT 1, name VARCHAR(20) NOT NULL,
    total DECIMAL(20,2) AS (price * quantity) STORED, twice DECIMAL(21,2) AS (total + total) VIRTUAL,
    title VARCHAR(60) AS (concat(upper(name), '-', cast(quantity AS CHAR))) VIRTUAL, KEY by_total (total),
    KEY by_title (title))""",
    """CREATE TABLE slot (
    id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, live TINYINT NOT NULL, hidden INT INVISIBLE DEFAULT 3,
    low VARCHAR(20) AS (lower(name)) STORED, only_live INT AS (if(live = 1, hidden, NULL)) VIRTUAL,
    UNIQUE KEY by_low (low), UNIQUE KEY by_live (only_live))""",
)
TABLES = """
tables:
  - {table: item, sharding: by_id, where: "FILTER >= 10", columns: {rename: {twice: doubled}}}
  - {table: slot, sharding: by_id}
"""
FOREVER = ("run", "--env", ENVIRONMENT, "--until", "forever")
MATCHING = "SELECT id, name, total, twice, title FROM item WHERE {} >= 10"
"""By the spec's filter, or by what it is where the log lacks generated columns."""
SLOTS = "id, name, live, hidden, low, only_live"


def wait_for_copy(case: Case) -> None:
    """Until all rows are copied."""
    log = case.project.parent / "background.log"
    wait_until("all rows are copied", lambda: "snapshot complete" in log.read_text("utf-8"))


def write_at_random(case: Case, seed: int, copied: threading.Event) -> None:
    """Transactions of a few statements, until some while after the copy. The rows of `slot` hand their names and numbers to one another."""
    dice = random.Random(seed)
    with case.source.connect(SOURCE, autocommit=False) as connection, connection.cursor() as cursor:
        for number in count():
            if copied.is_set() and number % 40 == 0:
                return
            low, high = sorted(dice.sample(range(1, 40), 2))
            some = dice.randrange(1, 200)
            statements = [
                f"REPLACE INTO item (id, price, quantity, name) VALUES ({some}, {dice.randrange(9)}.50, {number % 7}, 'é{some}')",
                f"UPDATE item SET quantity = quantity + {dice.choice([-2, 1, 2])} WHERE id % 7 = {some % 7}",
                f"DELETE FROM item WHERE id = {dice.randrange(1, 200)}",
                f"UPDATE slot SET name = 'between', hidden = 0 WHERE id = {low}",
                f"UPDATE slot SET name = 'N{low + 100}', hidden = {low} WHERE id = {high}",
                f"UPDATE slot SET name = 'N{high + 100}', hidden = {high} WHERE id = {low}",
                f"UPDATE slot SET name = concat('n', {low} + 100), live = 1 - live, hidden = {low} WHERE id = {low}",
                f"UPDATE slot SET name = concat('n', {high} + 100), hidden = {high} WHERE id = {high}",
            ]
            try:
                for statement in statements[: 3 + (0 if number % 3 == 0 else 5)]:
                    cursor.execute(statement)
            except (pymysql.err.IntegrityError, pymysql.err.OperationalError):  # taken, or a deadlock
                connection.rollback()
            connection.commit()
            time.sleep(0.05)


def swap(case: Case, *pairs: tuple[int, int]) -> None:
    """Two rows of `slot` exchange what is unique, in one transaction each: a batch sees only what is left of it."""
    with case.source.connect(SOURCE, autocommit=False) as connection, connection.cursor() as cursor:
        for one, other in pairs:
            cursor.execute("SELECT id, name, hidden FROM slot WHERE id IN (%s, %s)", (one, other))
            held = {row[0]: row[1:] for row in cursor.fetchall()}
            cursor.execute("UPDATE slot SET name = '~', hidden = -1 WHERE id = %s", (one,))
            cursor.execute("UPDATE slot SET name = %s, hidden = %s WHERE id = %s", (*held[one], other))
            cursor.execute("UPDATE slot SET name = %s, hidden = %s WHERE id = %s", (*held[other], one))
            connection.commit()


def require_right(case: Case) -> None:
    """Against the source, by its own values; and on each shard by the expressions, which are written here again."""
    value = "price" if case.arena.source.lacks_generated_columns_in_the_log() else "price * quantity"
    wanted = sorted(map(repr, case.source.query(MATCHING.format(value), database=SOURCE)))
    found = sorted(repr(row) for _, _, row in case.shard_rows("item", "id, name, total, doubled, title"))
    assert found == wanted and wanted
    case.require_equal("slot", SLOTS)
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for suffix in SUFFIXES:
                cursor.execute(
                    f"SELECT COUNT(*) FROM item{suffix} WHERE NOT (total <=> price * quantity) OR {value} < 10 OR NOT"
                    " (doubled <=> 2 * price * quantity) OR NOT (title <=> concat(upper(name), '-', quantity))"
                )
                assert cursor.fetchone() == (0,)
                cursor.execute(f"SHOW CREATE TABLE slot{suffix}")
                (_, shown) = cursor.fetchone() or ("", "")
                assert "STORED" in shown and "INVISIBLE" in shown and "UNIQUE KEY `by_live` (`only_live`)" in shown


@pytest.mark.in_turn
def test_c6_c27_c28_generated_columns_are_computed_by_the_shards_beside_a_writer(arena: Arena, tmp_path: Path) -> None:
    rows = ", ".join(f"({n}, {n}.25, {n % 5}, 'n{n}')" for n in range(1, 200))
    slots = ", ".join(f"({n}, 'N{n + 100}', {n % 2}, {n})" for n in range(1, 40))
    case = Case(
        arena,
        tmp_path,
        TABLES.replace("FILTER", "price" if arena.source.lacks_generated_columns_in_the_log() else "total"),
        setup=(
            *SETUP,
            f"INSERT INTO item (id, price, quantity, name) VALUES {rows}",
            f"INSERT INTO slot (id, name, live, hidden) VALUES {slots}",
        ),
    )
    case.plan()
    assert "exclude" not in case.spec_file.read_text("utf-8")
    summary = (case.project / "build" / "field" / "summary.md").read_text("utf-8")
    assert "column doubled: generated by the server, twice at the source" in summary
    case.call("dry-run")
    copied = threading.Event()
    with case.call_in_background(*FOREVER, saying="starting Spark"):
        writers = [threading.Thread(target=write_at_random, args=(case, seed, copied)) for seed in (1, 2)]
        for writer in writers:
            writer.start()
        try:
            wait_for_copy(case)
        finally:
            copied.set()
            for writer in writers:
                writer.join()
        case.wait_until_caught_up()
    require_right(case)
    case.verify(saying="equal")

    # In one batch: rows that only trade what is unique, and rows of which nothing else is changed.
    swap(case, *((n, n + 1) for n in range(1, 38)), *((n, 39 - n) for n in range(1, 19)))
    case.run()
    require_right(case)
    case.verify(saying="equal")


@pytest.mark.long
def test_c27_e14_generated_columns_come_and_go_in_the_log_and_rows_are_repaired(arena: Arena, tmp_path: Path) -> None:
    case = Case(
        arena,
        tmp_path,
        "\ntables:\n  - {table: t, sharding: by_id}\n",
        stream="{format: binlog, ddl: apply}",
        setup=(
            "CREATE TABLE t (id INT PRIMARY KEY, a INT, s INT AS (a + 1) STORED, b VARCHAR(9), v INT AS (s * 2), c INT)",
            "INSERT INTO t (id, a, b, c) VALUES (1, 10, 'x', 7), (2, NULL, 'y', 8), (3, 30, NULL, 9)",
        ),
    )
    case.plan()
    case.run()
    changes = (
        ("ADD w VARCHAR(20) AS (concat(b, '-', a)) STORED AFTER id, ADD KEY by_w (w)", "id, w, a, s, b, v, c"),
        ("ADD z INT AS (c - 1) VIRTUAL FIRST, DROP v", "z, id, w, a, s, b, c"),
        ("DROP s, ADD plain INT DEFAULT 5 AFTER a", "z, id, w, a, plain, b, c"),
    )
    for number, (clauses, columns) in enumerate(changes):
        new = 10 * (number + 1)
        case.write(
            f"UPDATE t SET c = c + 1 WHERE id = {number + 1}",
            f"ALTER TABLE t {clauses}",
            f"INSERT INTO t (id, a, b, c) VALUES ({new}, {new}, 'n{new}', {new}), ({new + 1}, 1, NULL, NULL)",
            f"UPDATE t SET a = a + 1, b = 'upd' WHERE id IN (1, {new})",
            f"DELETE FROM t WHERE id = {new + 1}",
        )
        case.run(code=5, saying="SW8548")
        case.plan()
        case.run()
        case.require_equal("t", columns, key=None)
        case.verify(saying="equal")
    assert {row for _, _, row in case.shard_rows("t", "id, w, z")} >= {(1, "upd-13", 7), (30, "upd-31", 29)}

    # What an application did to a shard: the row is copied again, and with it what follows from it.
    with case.arena.shard(SHARDS[0]) as first, case.arena.shard(SHARDS[1]) as second:
        for connection in (first, second):
            with connection.cursor() as cursor:
                for suffix in SUFFIXES:
                    cursor.execute(f"UPDATE t{suffix} SET a = -1 WHERE id = 30")
            connection.commit()
    result = tmp_path / "result.json"
    case.verify("--report", f"json={result}", code=1, saying="DIFFERENT")
    case.call("repair", str(result), "--env", ENVIRONMENT, "--run")
    case.verify(saying="equal")
    case.require_equal("t", changes[-1][1], key=None)

    # A column that is computed otherwise, or no longer: nobody would see it in the rows, so the stream stops.
    case.write("ALTER TABLE t MODIFY w VARCHAR(20) AS (concat(b, '+', a)) STORED AFTER id")
    case.run(code=6, saying="SW8543")


def test_c27_a_plan_that_reads_generated_columns_which_the_log_lacks_is_refused(arena: Arena, tmp_path: Path) -> None:
    """MariaDB since 11.8, of which `make test-matrix` has one."""
    if not arena.source.lacks_generated_columns_in_the_log():
        pytest.skip("MariaDB 11.8 only")
    tables = "tables:\n  - {table: item, sharding: by_id, where: twice > 4}"
    case = Case(
        arena, tmp_path, tables, setup=("CREATE TABLE item (id INT PRIMARY KEY, twice INT AS (id * 2) STORED)",)
    )
    case.plan()
    case.run(code=6, saying="SW8172: the plan reads generated columns of shop.item (twice)")
