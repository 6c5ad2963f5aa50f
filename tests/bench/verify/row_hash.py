"""Seconds per million rows for row hashes that could stand in compiler/steps/verify_row.py.

    python tests/bench/verify/row_hash.py HOST PORT USER PASSWORD [ROWS]

Makes and drops a database `shardwright_bench` on that server; 200,000 rows by default, each form measured three times
with the table in memory, the best taken. Only forms marked `safe` tell all values and NULLs apart.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import pymysql
from pymysql.connections import Connection

TABLE = """
CREATE TABLE rows_to_hash (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY, user_id INT NULL, status TINYINT NULL, amount DECIMAL(12,2) NULL,
  name VARCHAR(40) NULL, note VARCHAR(100) NULL, changed DATETIME(6) NULL, made TIMESTAMP NULL,
  kind ENUM('a','b','c') NULL, body VARCHAR(200) NULL, ratio DOUBLE NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
"""
NUMBERS = ("user_id", "status", "amount", "changed", "made", "ratio")
TEXTS = ("name", "note", "kind", "body")


def _values(text: str, *, null: str = "COALESCE({}, 'N')") -> str:
    """All columns as arguments, texts in the given form, NULL in the given form."""
    return ", ".join(["id", *(null.format(it) for it in NUMBERS), *(null.format(text.format(it)) for it in TEXTS)])


PLAIN = _values("{}", null="{}")
HEX = _values("HEX(CONVERT({} USING utf8mb4))")
QUOTED = _values("QUOTE(CONVERT({} USING utf8mb4))")
PREFIXED = ", ".join(
    ["id", *(f"COALESCE({it}, 'N')" for it in NUMBERS)]
    + [f"COALESCE(CHAR_LENGTH({it}), 'N'), CONVERT({it} USING utf8mb4)" for it in TEXTS]
)
NUMBER = "SUM(CAST(CONV(LEFT({hash}(CONCAT_WS(',', {values})), 16), 16, 10) AS UNSIGNED))"
SHA256 = NUMBER.replace("{values}))", "{values}), 256)").replace("{hash}", "SHA2")
FORMS = {
    "count only": "COUNT(*)",
    "bit_xor of crc32, plain text (linear, ambiguous)": f"BIT_XOR(CRC32(CONCAT_WS('#', {PLAIN})))",
    "sha1, plain text (ambiguous)": NUMBER.format(hash="SHA1", values=PLAIN),
    "sha256, hexadecimal text (safe; in use)": SHA256.format(values=HEX),
    "sha1, hexadecimal text (safe)": NUMBER.format(hash="SHA1", values=HEX),
    "sha1, quoted text (safe)": NUMBER.format(hash="SHA1", values=QUOTED),
    "sha1, length before text (safe)": NUMBER.format(hash="SHA1", values=PREFIXED),
    "md5, hexadecimal text (safe)": NUMBER.format(hash="MD5", values=HEX),
    "sha1, hexadecimal text, as decimal (safe)": NUMBER.format(hash="SHA1", values=HEX).replace(
        "UNSIGNED", "DECIMAL(20, 0)"
    ),
}


def main(host: str, port: str, user: str, password: str, rows: str = "200000") -> None:
    with pymysql.connect(host=host, port=int(port), user=user, password=password, autocommit=True) as connection:
        _run(connection, "CREATE DATABASE shardwright_bench")
        try:
            _run(connection, "USE shardwright_bench")
            _fill(connection, int(rows))
            for name, form in FORMS.items():
                seconds = min(_seconds(connection, f"SELECT {form} FROM rows_to_hash") for _ in range(3))
                print(f"{seconds * 1_000_000 / int(rows):7.2f} s per million  {name}", flush=True)
        finally:
            _run(connection, "DROP DATABASE shardwright_bench")


def _fill(connection: Connection[Any], rows: int) -> None:
    _run(connection, TABLE)
    names = [
        (n, n % 1000, n % 5, n / 7, f"用户{n}", f"note {n}" if n % 3 else None, "abc"[n % 3], "x" * (n % 40), n / 3)
        for n in range(rows)
    ]
    sql = (
        "INSERT INTO rows_to_hash VALUES (%s, %s, %s, %s, %s, %s, '2024-01-01 00:00:00.123456', "
        "'2024-01-01 00:00:00', %s, %s, %s)"
    )
    with connection.cursor() as cursor:
        cursor.executemany(sql, names)


def _seconds(connection: Connection[Any], sql: str) -> float:
    started = time.perf_counter()
    _run(connection, sql)
    return time.perf_counter() - started


def _run(connection: Connection[Any], sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


if __name__ == "__main__":
    main(*sys.argv[1:])
