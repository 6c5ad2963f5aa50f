"""Runs beside each other: a start that is refused changes nothing, and two migrations over the same databases leave
each other alone (C11).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import OWN_LEDGER, SHARDS, Case, let_in
from tests.support.metrics import export

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

SETUP = (
    "CREATE TABLE a (id INT PRIMARY KEY, v INT) DEFAULT CHARSET=utf8mb4",
    "CREATE TABLE b (id INT PRIMARY KEY, v INT) DEFAULT CHARSET=utf8mb4",
    "CREATE TABLE c (id INT PRIMARY KEY, v INT) DEFAULT CHARSET=utf8mb4",
    "INSERT INTO a VALUES (1, 1), (2, 2), (3, 3)",
    "INSERT INTO b VALUES (1, 10), (2, 20)",
)
FOREVER = ("run", "--env", "test", "--until", "forever", "--migration")


@contextmanager
def _require_no_change(arena: Arena) -> Iterator[None]:
    """Within, nothing is made, dropped or written in the shards' databases but what a run's own connections record of
    the stream, and lines of the audit: each verb that writes leaves one, refused or not (S7)."""
    before = _everything(arena)
    yield
    assert _everything(arena) == before


def _everything(arena: Arena) -> dict[str, object]:
    found: dict[str, object] = {}
    for database in SHARDS:
        with arena.shard(database) as connection, connection.cursor() as cursor:
            cursor.execute("SHOW TABLES")
            tables = sorted(str(row[0]) for row in cursor.fetchall() if row[0] != "_shardwright_audit")
            for table in tables:
                cursor.execute(f"CHECKSUM TABLE `{table}`")
                found[f"{database}.{table}"] = cursor.fetchall()
            cursor.execute("SELECT role, epoch, owner FROM _shardwright_epoch ORDER BY migration, role")
            found[f"{database} tokens"] = cursor.fetchall()
    return found


def test_c11_refused_starts_change_nothing_beside_a_healthy_run(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, "ddl: ddl/\ntables:\n  - {table: a, sharding: by_id}", setup=SETUP, ignored=("b", "c"))
    (case.project / "ddl").mkdir()
    case.plan()
    spec = case.spec_file.read_text(encoding="utf-8")
    environment = case.project / "environments" / "test.yaml"
    with case.call_in_background(*FOREVER, "field"):
        case.wait_until_caught_up()
        with _require_no_change(arena):
            for old, new, code in (
                ('tables_suffix: "_{0..1}"', 'tables_suffix: "_{0..3}"', "SW8203"),
                ("sharding: by_id}", "sharding: by_id, where: v < 3}", "SW8221"),
            ):
                case.spec_file.write_text(spec.replace(old, new))
                case.plan()
                case.run(code=6, saying=code)
            case.spec_file.write_text(spec)
            case.call("compile")
            case.run("--allow", "SW9999", code=2, saying="SW8007")
            case.verify("--table", "nope", code=2, saying="SW8504")
            case.call("repair", str(tmp_path / "none.json"), "--env", "test", code=1)
            text = environment.read_text(encoding="utf-8")
            environment.write_text(text.replace("part_0", "part_9"))
            case.run(code=1, saying="SW7005")
            environment.write_text(text)
            (case.project / "ddl" / "0001_drop.sql").write_text("ALTER TABLE a DROP INDEX nothing;\n")
            case.call("compile")
            case.call("ddl", "apply", "--env", "test", code=6)
        case.write("INSERT INTO a VALUES (4, 4)")
        case.wait_until_caught_up()
    case.require_equal("a")


@pytest.mark.long
@pytest.mark.parametrize("ledger", ["", OWN_LEDGER], ids=["ledger beside the rows", "ledger of its own"])
def test_c11_two_migrations_run_over_the_same_databases(arena: Arena, tmp_path: Path, ledger: str) -> None:
    case = Case(arena, tmp_path, f"{ledger}\ntables:\n  - {{table: a, sharding: by_id}}", setup=SETUP, ignored=("c",))
    let_in(arena)
    text = case.spec_file.read_text(encoding="utf-8")
    other = case.project / "specs" / "other.yaml"
    other.write_text(text.replace("migration: field", "migration: other").replace("table: a", "table: b"))
    third = text.replace("migration: field", "migration: third").replace("table: a,", "table: a, existing_rows: keep,")
    case.plan()
    with case.call_in_background(*FOREVER, "field"):
        case.wait_until_caught_up("field")
        with case.call_in_background(*FOREVER, "other"):
            case.wait_until_caught_up("other")
            case.write("UPDATE a SET v = v + 1", "INSERT INTO a VALUES (9, 9)", "DELETE FROM b WHERE id = 1")
            for name in ("field", "other"):
                case.wait_until_caught_up(name)
                case.call("verify", "--env", "test", "--migration", name, saying="equal")
            metrics = export(case.project, env="test")
            for name in ("field", "other"):
                assert metrics.of("run_live", migration=name) == 1 == metrics.of("verify_equal", migration=name)
                assert metrics.of("shard_batch", migration=name, shard=SHARDS[0]) is not None
            (case.project / "specs" / "field.yaml").write_text(third)
            case.call("compile")
            case.call("run", "--env", "test", "--migration", "third", code=6, saying="SW8225")
            (case.project / "specs" / "field.yaml").write_text(text)
            case.call("compile")
        case.write("INSERT INTO a VALUES (10, 10)")
        case.wait_until_caught_up("field")
    case.require_equal("a")
    case.require_equal("b")
    for database in SHARDS:
        with arena.shard(database) as connection, connection.cursor() as cursor:
            cursor.execute("SHOW TABLES")
            assert bool(ledger) == (cursor.rowcount == 4), cursor.fetchall()  # two tables of each migration


def test_s5_rows_of_another_begun_migration_are_not_replaced_or_kept(arena: Arena, tmp_path: Path) -> None:
    """Its run is not connected: whoever asks for its rows has to finish it first."""
    case = Case(arena, tmp_path, "tables:\n  - {table: a, sharding: by_id}", setup=SETUP, ignored=("b", "c"))
    case.plan()
    case.run()
    text = case.spec_file.read_text(encoding="utf-8")
    for policy in ("keep", "replace", "refuse"):
        other = text.replace("migration: field", "migration: third")
        case.spec_file.write_text(other.replace("table: a,", f"table: a, existing_rows: {policy},"))
        case.call("compile")
        for command in ("preflight", "run"):
            said = "SW8225: part_1.a_0 holds rows of migration field, which has begun"
            case.call(command, "--env", "test", "--migration", "third", code=6, saying=said)
    case.spec_file.write_text(text)
    case.call("compile")
    case.require_equal("a")
