"""Each format of statement files, as its program writes it, is known by its content."""

from __future__ import annotations

import json

import pytest

from shardwright.compiler.workload.digest import fold_literals
from shardwright.compiler.workload.placeholders import normalise_placeholders
from shardwright.compiler.workload.read import read_workload
from shardwright.compiler.workload.statement import WorkloadStatement
from shardwright.compiler.workload.summaries import BadSummary

SQL = """\
-- calls: 120, seconds: 3.5
SELECT a FROM t  -- a comment; with a sign
 WHERE b = 'x;y' /* and; this */ AND c = "it's";

# calls: 7
UPDATE t SET a = 1;
DELETE FROM t WHERE a = '--;'
"""
GENERAL_OF_MARIADB = """\
/usr/sbin/mariadbd, Version: 11.8.6-MariaDB-log. started with:
Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock
Time\t\t    Id Command\tArgument
250101 10:00:00\t     8 Connect\tapp@localhost on shop using Socket
\t\t     8 Query\tSELECT a
FROM t
WHERE b = 1
\t\t     9 Query\tBEGIN
\t\t     8 Quit\t
250101 10:00:01\t     9 Execute\tINSERT INTO t VALUES (1)
"""
GENERAL_OF_MYSQL = """\
/usr/sbin/mysqld, Version: 9.7.0 (Debian). started with:
Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock
Time                 Id Command    Argument
2026-01-01T10:00:00.123456Z\t    8 Connect\tapp@localhost on shop using Socket
2026-01-01T10:00:00.223456Z\t    8 Prepare\tSELECT a FROM t WHERE b = ?
2026-01-01T10:00:00.323456Z\t    8 Execute\tSELECT a FROM t WHERE b = 4
2026-01-01T10:00:00.423456Z\t    8 Init DB\tshop
"""
SLOW = """\
/usr/sbin/mariadbd, Version: 11.8.6-MariaDB-log. started with:
Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock
Time\t\t    Id Command\tArgument
# Time: 250101 10:00:00
# User@Host: app[app] @ localhost []
# Thread_id: 8  Schema: shop  QC_hit: No
# Query_time: 2.500000  Lock_time: 0.000100  Rows_sent: 1  Rows_examined: 900
use shop;
SET timestamp=1735725600;
SELECT a FROM t
WHERE b = 1;
# User@Host: app[app] @ localhost []  Id:     9
# Query_time: 0.500000  Lock_time: 0.000100 Rows_sent: 1  Rows_examined: 900
SET timestamp=1735725601;
UPDATE t SET a = 1;
# User@Host: app[app] @ localhost []  Id:     9
# Query_time: 1.000000  Lock_time: 0.000100 Rows_sent: 0  Rows_examined: 0
SET timestamp=1735725602;
# administrator command: Quit;
"""
DUMPSLOW = """\

Reading mysql slow query log from slow.log
Count: 12  Time=0.25s (3s)  Lock=0.00s (0s)  Rows_sent=1.0 (12), Rows_examined=9.0 (108), Rows_affected=0.0 (0), app[app]@localhost
  SELECT a FROM t
  WHERE b = N AND c = 'S' AND N.d IN (N, N)

Count: 3  Time=1.00s (3s)  Lock=0.00s (0s)  Rows=0.0 (0), app[app]@localhost
  DELETE FROM t WHERE b = -N
"""
PT_DIGEST = """\

# 120ms user time, 10ms system time, 27.00M rss, 90.00M vsz
# Overall: 53 total, 2 unique, 0.5 QPS, 0.00x concurrency ________________
# Profile
# Rank Query ID                           Response time Calls R/Call V/M
# ==== ================================== ============= ===== ====== =====
#    1 0xAA0000000000000000000000000000AA  3.5000 70.0%    50 0.0700  0.00 SELECT t

# Query 1: 0.42 QPS, 0.03x concurrency, ID 0xAA0000000000000000000000000000AA at byte 0
# Attribute    pct   total     min     max     avg     95%  stddev  median
# ============ === ======= ======= ======= ======= ======= ======= =======
# Count         94      50
# Exec time     70   3500ms    50ms   100ms    70ms    99ms    10ms    70ms
# String:
# Hosts        localhost
# Tables
#    SHOW TABLE STATUS FROM `shop` LIKE 't'\\G
# EXPLAIN /*!50100 PARTITIONS*/
SELECT a FROM t WHERE b = 1\\G

# Query 2: 0.03 QPS, 0.01x concurrency, ID 0xBB0000000000000000000000000000BB at byte 900
# Count          6       3
# Exec time     30      2s   500ms   900ms   700ms   900ms   100ms   700ms
UPDATE t SET a = 1 WHERE b = 2\\G
# Converted for EXPLAIN
# EXPLAIN /*!50100 PARTITIONS*/
select  a = 1 from t where  b = 2\\G
"""
ROWS = [
    {"DIGEST_TEXT": "SELECT `a` FROM `t` WHERE `b` = ?", "COUNT_STAR": 5, "SUM_TIMER_WAIT": 2_500_000_000_000},
    {"DIGEST_TEXT": None, "COUNT_STAR": 9, "SUM_TIMER_WAIT": 1},
    {"DIGEST_TEXT": "COMMIT", "COUNT_STAR": "4", "SUM_TIMER_WAIT": "0"},
]
CSV = "SCHEMA_NAME,DIGEST_TEXT,COUNT_STAR,SUM_TIMER_WAIT\n" + (
    'shop,"SELECT `a` , `c` FROM `t`",5,2500000000000\nNULL,NULL,9,1\nshop,COMMIT,4,0\n'
)
TABS = "digest_text\tcount_star\nSELECT `a` FROM `t`\t5\n"


def statement(text: str, calls: int, seconds: float | None, line: int, session: str = "") -> WorkloadStatement:
    return WorkloadStatement(text, calls, seconds, "f", line, session)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            SQL,
            [
                statement("SELECT a FROM t   \n WHERE b = 'x;y'   AND c = \"it's\"", 120, 3.5, 2),
                statement("UPDATE t SET a = 1", 7, None, 6),
                statement("DELETE FROM t WHERE a = '--;'", 1, None, 7),
            ],
        ),
        (
            GENERAL_OF_MARIADB,
            [
                statement("SELECT a\nFROM t\nWHERE b = 1", 1, None, 5, "8"),
                statement("BEGIN", 1, None, 8, "9"),
                statement("INSERT INTO t VALUES (1)", 1, None, 10, "9"),
            ],
        ),
        (GENERAL_OF_MYSQL, [statement("SELECT a FROM t WHERE b = 4", 1, None, 6, "8")]),
        (
            SLOW,
            [
                statement("SELECT a FROM t\nWHERE b = 1", 1, 2.5, 10, "8"),
                statement("UPDATE t SET a = 1", 1, 0.5, 15, "9"),
            ],
        ),
        (
            DUMPSLOW,
            [
                statement("SELECT a FROM t\nWHERE b = ? AND c = ? AND N.d IN (?, ?)", 12, 3.0, 4),
                statement("DELETE FROM t WHERE b = ?", 3, 3.0, 8),
            ],
        ),
        (
            PT_DIGEST,
            [
                statement("SELECT a FROM t WHERE b = 1", 50, 3.5, 19),
                statement("UPDATE t SET a = 1 WHERE b = 2", 3, 2.0, 24),
            ],
        ),
        (
            json.dumps(ROWS, indent=1),
            [statement("SELECT `a` FROM `t` WHERE `b` = ?", 5, 2.5, 3), statement("COMMIT", 4, 0.0, 13)],
        ),
        (CSV, [statement("SELECT `a` , `c` FROM `t`", 5, 2.5, 2), statement("COMMIT", 4, 0.0, 4)]),
        (
            json.dumps(
                [
                    {"DIGEST_TEXT": "SELECT SQL_TSI_DAY , `SQL_TSI_DAY` FROM `t` LIMIT ?, ...", "COUNT_STAR": 2},
                    {"DIGEST_TEXT": "SELECT @@SESSION . `x` AS `x`", "COUNT_STAR": 1},
                ]
            ),
            [
                statement("SELECT DAY , `SQL_TSI_DAY` FROM `t` LIMIT ?, ?", 2, None, 1),
                statement("SELECT @@SESSION.x AS `x`", 1, None, 1),
            ],
        ),
        (TABS, [statement("SELECT `a` FROM `t`", 5, None, 2)]),
        ("", []),
        ("-- nothing\n;;\n", []),
    ],
    ids=[
        "sql",
        "general-mariadb",
        "general-mysql",
        "slow",
        "dumpslow",
        "pt",
        "json",
        "csv",
        "units",
        "tabs",
        "empty",
        "none",
    ],
)
def test_a_format_is_read(text: str, expected: list[WorkloadStatement]) -> None:
    assert list(read_workload(text, "f")) == expected


def test_an_export_without_its_columns_is_refused() -> None:
    with pytest.raises(BadSummary, match="no column COUNT_STAR"):
        read_workload("DIGEST_TEXT,CALLS\nSELECT 1,2\n", "f")
    with pytest.raises(BadSummary, match="no JSON"):
        read_workload("[{", "f")


@pytest.mark.parametrize("mark", ["\\'", '\\"', "`", "'", "/*!", "/*", "-- ", "#", "(", "VALUES "])
def test_i1_marks_that_are_not_closed_are_looked_at_once(mark: str) -> None:
    """A log may come from anybody: looking for the end of each again would take hours."""
    text = f"SELECT 1; {mark * 100_000}"
    assert read_workload(text, "file")
    normalise_placeholders(text)
    fold_literals(text)
