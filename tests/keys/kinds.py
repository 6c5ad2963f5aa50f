"""Tables whose keys are of every kind that can be one, and rows for them."""

from __future__ import annotations

from pymysql.cursors import Cursor

SPEC = """
version: 1
migration: keys
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: "keys_{0..1}"}
sharding:
  by_owner: {shard_key: [owner], database: crc32(owner) % 2}
  by_name: {shard_key: [name], database: crc32(name) % 2}
tables:
  - {table: folded, sharding: by_name}
  - {table: numbered, sharding: by_owner}
  - {table: exact, sharding: by_owner}
"""
SCHEMA = """
CREATE TABLE folded (
  name varchar(20) NOT NULL,
  owner bigint NOT NULL,
  PRIMARY KEY (name)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE numbered (
  kind enum('zeta','Alpha','mid') NOT NULL,
  flags set('zeta','alpha','mid') NOT NULL,
  mask bit(12) NOT NULL,
  owner bigint NOT NULL,
  PRIMARY KEY (kind, flags, mask)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE exact (
  amount decimal(12,3) NOT NULL,
  at datetime(6) NOT NULL,
  stamp timestamp(3) NOT NULL,
  day date NOT NULL,
  clock time(2) NOT NULL,
  code varbinary(8) NOT NULL,
  fixed binary(4) NOT NULL,
  number bigint unsigned NOT NULL,
  owner bigint NOT NULL,
  PRIMARY KEY (amount, at, stamp, day, clock, code, fixed, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
# The names are those of a well-known chunking fault (hazard D4), and some that only the collation orders.
NAMES = (
    "0000",
    "1111",
    "aaaa",
    "ZZZZ",
    "aGG",
    "GbG",
    "GGc",
    "ärger",
    "Ärmel",
    "straße",
    "z z",
    "é",
    "中文",
    "🚚",
    "_x",
)
KINDS = tuple(
    (kind, flags, mask)
    for kind in ("mid", "zeta", "Alpha")
    for flags in ("", "mid", "zeta,alpha", "alpha")
    for mask in (0, 1, 4095)
)
EXACT = tuple(
    (amount, at, stamp, "1999-12-31", clock, code, fixed, number)
    for amount in ("-10.500", "-9.000", "0.000", "9.125", "10.000")
    for at, stamp, clock in (
        ("1000-01-01 00:00:00.000001", "1970-01-01 00:00:01.000", "-838:59:59.00"),
        ("2024-02-29 23:59:59.999999", "2038-01-19 03:14:07.999", "00:00:00.01"),
    )
    for code, fixed, number in ((b"", b"\0\0\0\0", 0), (b"\0", b"a ", 2**64 - 1), (b"a\0 ", b"\xff\xfe", 9))
)


def fill(cursor: Cursor) -> None:
    cursor.execute("SET time_zone = '+00:00'")
    cursor.executemany("INSERT INTO folded VALUES (%s, 1)", [(name,) for name in NAMES])
    cursor.executemany("INSERT INTO numbered VALUES (%s, %s, %s, %s)", [(*key, at % 7) for at, key in enumerate(KINDS)])
    marks = ", ".join(["%s"] * 9)
    cursor.executemany(f"INSERT INTO exact VALUES ({marks})", [(*key, at % 7) for at, key in enumerate(EXACT)])
