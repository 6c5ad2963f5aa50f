"""What the log reader must stop at, with the code and the names an operator needs (contract C10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.runtime.failures import Refused, StoppedPartWay, Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.before_columns import BeforeColumns
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server


def expect_refusal(source: Source, start: LogPosition, table: str, columns: tuple | None = None) -> str:  # type: ignore[type-arg]
    """The message of the read, and of the scan once it has handed out everything before the refused event."""
    tables = {f"shop.{table}": columns or source.columns(table)}
    with pytest.raises(Refused) as failure:
        list(read_changes(Log(source.settings, tables), start, source.head()))
    with pytest.raises(Refused) as of_scan:
        while (
            found := next_boundary(
                Log(source.settings, tables), start, limits=BatchLimits(max_bytes=1 << 30, max_rows=1 << 30)
            )
        ).end != start:
            start = found.end
    assert str(of_scan.value) == str(failure.value)
    return str(failure.value)


@pytest.mark.parametrize("image", ["MINIMAL", "NOBLOB"])
def test_e1_partial_row_image_of_one_session(source: Source, image: str) -> None:
    name = f"e1_{image.lower()}"
    source.run(
        f"CREATE OR REPLACE TABLE {name} (id INT PRIMARY KEY, v INT, b BLOB)", f"INSERT INTO {name} VALUES (1, 1, 'b')"
    )
    start = source.head()
    source.run(f"SET SESSION binlog_row_image = {image}", f"UPDATE {name} SET v = 2")
    message = expect_refusal(source, start, name)
    assert message.startswith("SW8111: ") and f"shop.{name}" in message and "binlog_row_image" in message


def test_e1_columns_that_the_plan_does_not_read_may_be_missing(source: Source) -> None:
    """Whoever wrote the rows, the columns that are read are there: MariaDB 11.8 lacks generated ones by itself."""
    source.run(
        "CREATE OR REPLACE TABLE e1_unread (b BLOB, id INT PRIMARY KEY, twice INT AS (v * 2) STORED, v INT, w CHAR(3))"
    )
    unread = tuple(
        replace(column, unreadable="not read") if column.name in ("b", "twice") else column
        for column in source.columns("e1_unread")
    )
    start = source.head()
    source.run("INSERT INTO e1_unread (b, id, v, w) VALUES ('b', 1, 10, 'x'), ('c', 2, NULL, 'y')")
    source.run("SET SESSION binlog_row_image = NOBLOB", "UPDATE e1_unread SET v = 7, w = NULL WHERE id = 2",
               "UPDATE e1_unread SET v = v + 1", "DELETE FROM e1_unread WHERE id = 1")  # fmt: skip
    source.run("UPDATE e1_unread SET id = 3 WHERE id = 2")
    batches = read_changes(Log(source.settings, {"shop.e1_unread": unread}), start, source.head())
    changes = [change for batch in batches for change in batch.to_pylist()]
    assert [(change["op"], change["before"], change["after"]) for change in changes] == [
        ("I", None, [None, "1", None, "10", "x"]),
        ("I", None, [None, "2", None, None, "y"]),
        ("U", [None, "2", None, None, "y"], [None, "2", None, "7", None]),
        ("U", [None, "1", None, "10", "x"], [None, "1", None, "11", "x"]),
        ("U", [None, "2", None, "7", None], [None, "2", None, "8", None]),
        ("D", [None, "1", None, "11", "x"], None),
        ("U", [None, "2", None, "8", None], [None, "3", None, "8", None]),
    ]
    chains, replaced = UpdateChains(), {"shop.e1_unread": BeforeColumns(frozenset({1}), (1,), row=(1,))}
    log = Log(source.settings, {"shop.e1_unread": unread}, replaced)
    batches = [*read_changes(log, start, source.head(), chains=chains), *chains.take()]
    changes = [change for batch in batches for change in batch.to_pylist()]
    assert [change["after"] for change in changes if change["op"] == "U"] == [
        [None, "1", None, "11", "x"],
        [None, "2", None, "8", None],
        [None, "3", None, "8", None],
    ]


def test_e2_statement_instead_of_rows(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE e2 (id INT PRIMARY KEY, v INT)", "INSERT INTO e2 VALUES (1, 1)")
    start = source.head()
    source.run("SET SESSION binlog_format = STATEMENT", "UPDATE e2 SET v = v + 1")
    message = expect_refusal(source, start, "e2")
    assert message.startswith("SW8112: ") and "UPDATE e2 SET v = v + ?" in message


def test_e2_statement_on_another_database_passes(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE e2b (id INT PRIMARY KEY)", "CREATE DATABASE IF NOT EXISTS elsewhere",
               "CREATE OR REPLACE TABLE elsewhere.e2b (id INT PRIMARY KEY)")  # fmt: skip
    start = source.head()
    source.run("USE elsewhere", "SET SESSION binlog_format = STATEMENT", "INSERT INTO e2b VALUES (1)", "DROP TABLE e2b")
    assert source.changes(start, "e2b") == []
    source.run("USE elsewhere", "SET SESSION binlog_format = STATEMENT", "INSERT INTO shop.e2b VALUES (2)")
    assert expect_refusal(source, start, "e2b").startswith("SW8112")


@pytest.mark.parametrize(
    "statement",
    ["ALTER TABLE {} ADD COLUMN c INT", "RENAME TABLE {} TO renamed", "TRUNCATE TABLE {}", "TRUNCATE {}", "DROP TABLE {}",
     "CREATE OR REPLACE TABLE {} (id INT PRIMARY KEY)", "ALTER TABLE shop.`{}` ENGINE=InnoDB", "CREATE INDEX i ON {} (v)",
     "ALTER /* note */ TABLE `shop` . `{}` FORCE", "DROP TABLE IF EXISTS nothing, {}", "CREATE UNIQUE INDEX u ON {} (v)",
     "/*!50003 ALTER TABLE {} ADD COLUMN d INT */", "SET STATEMENT max_statement_time=9 FOR ALTER TABLE {} FORCE", "EXECUTE IMMEDIATE 'ALTER TABLE {} FORCE'",
     "CREATE TABLE swap LIKE {0}; RENAME TABLE {0} TO old, swap TO {0}"],
)  # fmt: skip
def test_e14_e17_ddl_on_a_followed_table(source: Source, statement: str) -> None:
    if statement.startswith(("SET STATEMENT", "EXECUTE")):
        source.needs_mariadb("this statement")
    source.run("DROP TABLE IF EXISTS ddl_t, renamed, swap, old", "CREATE TABLE ddl_t (id INT PRIMARY KEY, v INT)")
    columns = source.columns("ddl_t")
    start = source.head()
    source.run(*statement.format("ddl_t").split("; "))
    message = expect_refusal(source, start, "ddl_t", columns)
    assert message.startswith("SW8114: ") and "ddl_t" in message and start.file in message


def test_e14_everything_before_the_ddl_can_be_applied(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE e14 (id INT PRIMARY KEY)")
    tables, start = source.columns_of("e14"), source.head()
    source.run("INSERT INTO e14 VALUES (1)")
    before = source.head()
    source.run("ALTER TABLE e14 ADD COLUMN c INT FIRST", "INSERT INTO e14 VALUES (2, 2)")
    log, limits = Log(source.settings, tables), BatchLimits(max_bytes=1 << 30, max_rows=1 << 30)
    assert next_boundary(log, start, limits=limits).end == before
    with pytest.raises(Refused, match="SW8114"):
        next_boundary(log, before, limits=limits)


def test_e17_ddl_on_other_tables_passes(source: Source) -> None:
    source.run("DROP TABLE IF EXISTS followed, followed_2, _followed_gho", "CREATE TABLE followed (id INT PRIMARY KEY)")
    start = source.head()
    source.run("CREATE TABLE followed_2 (id INT)", "CREATE TABLE _followed_gho LIKE followed", "DROP TABLE followed_2",
               "CREATE OR REPLACE VIEW followed_view AS SELECT * FROM followed", "ANALYZE TABLE followed",
               "CREATE TEMPORARY TABLE followed (x INT)", "DROP TEMPORARY TABLE followed",
               "DROP TRIGGER IF EXISTS trg", "CREATE TRIGGER trg BEFORE INSERT ON followed FOR EACH ROW SET @a = 1",
               "INSERT INTO followed VALUES (1)")  # fmt: skip
    assert [change["after"] for change in source.changes(start, "followed")] == [("1",)]


def test_e17_drop_of_the_followed_database(source: Source) -> None:
    source.run("CREATE DATABASE IF NOT EXISTS doomed", "CREATE OR REPLACE TABLE shop.e17 (id INT PRIMARY KEY)")
    columns, start = source.columns("e17"), source.head()
    source.run("DROP DATABASE doomed")
    with pytest.raises(Refused, match="SW8114"):
        list(read_changes(Log(source.settings, {"doomed.e17": columns}), start, source.head()))


def test_e14_e15_the_log_contradicts_the_schema(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE e15 (id INT PRIMARY KEY, v VARCHAR(10), d DECIMAL(5,2))")
    columns, start = source.columns("e15"), source.head()
    source.run("INSERT INTO e15 VALUES (1, 'x', 1)")
    assert "SW8113: table shop.e15 has 3 columns" in expect_refusal(source, start, "e15", columns[:2])
    for place, change in ((0, {"name": "bigint"}), (1, {"length": 20}), (2, {"scale": 3}), (1, {"name": "text"})):
        other = list(columns)
        other[place] = replace(columns[place], type=replace(columns[place].type, **change))
        message = expect_refusal(source, start, "e15", tuple(other))
        assert message.startswith(f"SW8113: column {columns[place].name} of table shop.e15")


def test_e15_column_names_are_compared_where_the_server_logs_them(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE e15n (id INT PRIMARY KEY, v INT)")
    columns, start = source.columns("e15n"), source.head()
    source.run("SET GLOBAL binlog_row_metadata = FULL", "INSERT INTO e15n VALUES (1, 1)")
    source.run(f"SET GLOBAL binlog_row_metadata = {source.least_metadata}")
    assert [change["after"] for change in source.changes(start, "e15n")] == [("1", "1")]
    message = expect_refusal(source, start, "e15n", (columns[0], replace(columns[1], name="other")))
    assert "the log calls it v" in message


def test_c7_old_temporal_format(source: Source) -> None:
    source.needs_mariadb("MySQL 8 cannot open tables with the old format")
    source.run("SET GLOBAL mysql56_temporal_format = OFF")
    source.run("CREATE OR REPLACE TABLE c7 (id INT PRIMARY KEY, d DATETIME)", "SET GLOBAL mysql56_temporal_format = ON")
    start = source.head()
    source.run("INSERT INTO c7 VALUES (1, '2020-01-01 00:00:00')")
    message = expect_refusal(source, start, "c7")
    assert message.startswith("SW8115: column d of table shop.c7") and "FORCE" in message


@pytest.mark.parametrize("kind", ["BLOB", "VARCHAR(10)"])
def test_c30_types_that_cannot_be_read_exactly(source: Source, kind: str) -> None:
    source.needs_mariadb("compressed columns")
    source.run(f"CREATE OR REPLACE TABLE c30 (id INT PRIMARY KEY, odd {kind} COMPRESSED)")
    start = source.head()
    source.run("INSERT INTO c30 VALUES (1, 'x')")
    message = expect_refusal(source, start, "c30")
    assert message.startswith(("SW8115", "SW8113")) and "column odd of table shop.c30" in message


def test_c21_eight_bit_bytes_in_an_ascii_column(source: Source) -> None:
    source.needs_mariadb("MySQL stores '?' for them at once")
    source.run("CREATE OR REPLACE TABLE c21 (id INT PRIMARY KEY, v VARCHAR(10)) CHARACTER SET ascii")
    start = source.head()
    source.run("INSERT INTO c21 VALUES (1, 'fine'), (2, _ascii x'ff')")
    message = expect_refusal(source, start, "c21")
    assert message.startswith("SW8115: column v of table shop.c21")


def test_e3_purged_file_and_unknown_position(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE e3 (id INT PRIMARY KEY)")
    head = source.head()
    gone = LogPosition(f"{head.log_name}.{0:06d}", 4)
    with pytest.raises(StoppedPartWay, match=f"SW8496.*purged its log from {gone} to "):
        source.changes(gone, "e3")
    unknown = LogPosition(f"{head.log_name}.{999_999}", 4)
    with pytest.raises(Refused, match=f"SW8110.*{unknown}"):
        source.changes(unknown, "e3", end=LogPosition(unknown.file, 5))
    beyond = LogPosition(head.file, head.offset + 5000)
    with pytest.raises(Refused, match=r"SW8110.*was reset"):
        next_boundary(Log(source.settings, {}), beyond, limits=BatchLimits(max_bytes=1, max_rows=1))
    with pytest.raises(Refused, match="SW8110"):
        source.changes(head, "e3", end=beyond)


def test_d19_names_that_differ_by_case_only(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE d19 (id INT PRIMARY KEY)", "CREATE OR REPLACE TABLE D19 (id INT PRIMARY KEY)")
    start = source.head()
    source.run("INSERT INTO D19 VALUES (1)")
    assert "SW8113" in expect_refusal(source, start, "d19")


def test_unreachable_server_and_wrong_password(source: Source) -> None:
    no_one = Endpoint("127.0.0.1", source.settings.port, "nobody", "canary-secret")
    with pytest.raises(Refused, match="SW8102") as failure:
        log_head(no_one)
    assert "canary-secret" not in f"{failure.value} {failure.value!r} {no_one} {no_one!r}"
    with pytest.raises(Unreachable, match="SW8117"):
        log_head(Endpoint("127.0.0.1", 1, "root", ""))


def test_i7_missing_grant_is_named(source: Source) -> None:
    source.run("DROP USER IF EXISTS reader@'127.0.0.1'", "CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'canary-secret'")
    status = "REPLICATION CLIENT" if source.is_mysql else "BINLOG MONITOR"
    reader = Endpoint("127.0.0.1", source.settings.port, "reader", "canary-secret")
    with pytest.raises(Refused, match=f"SW8102.*{status}"):
        log_head(reader)
    source.run(f"GRANT {status} ON *.* TO reader@'127.0.0.1'", "CREATE OR REPLACE TABLE i7 (id INT PRIMARY KEY)")
    tables, start = source.columns_of("i7"), log_head(reader)
    source.run("INSERT INTO i7 VALUES (1)")
    with pytest.raises(Refused, match=r"SW8102.*REPLICATION SLAVE"):
        list(read_changes(Log(reader, tables), start, source.head()))
    source.run("GRANT REPLICATION SLAVE ON *.* TO reader@'127.0.0.1'")
    assert sum(batch.num_rows for batch in read_changes(Log(reader, tables), start, log_head(reader))) == 1
