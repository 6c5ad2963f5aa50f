"""`route` without a server: what it answers, in which form, and what it refuses."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Call

SPEC = """\
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: "db_{0..3}", tables_suffix: "_{0..1}"}
sharding:
  by_user: {shard_key: [user_id], database: user_id % 4, table: user_id div 4 % 2}
  by_token: {shard_key: [token], algorithm: crc32_mod}
  by_seat: {shard_key: [region, seat], algorithm: crc32_mod}
  by_text: {shard_key: [region], algorithm: murmur3_32}
tables:
  - {table: orders, sharding: by_user}
  - {table: line, sharding: {rule: by_user, shard_key: {parent: orders, via: [user_id, order_id]}}}
  - {table: token, sharding: by_token}
  - {table: seat, sharding: by_seat}
  - {table: place, sharding: by_text}
  - {table: currency, sharding: broadcast}
  - {table: setting, sharding: {single: db_1}}
"""
SCHEMA = """\
CREATE TABLE orders (
  user_id INT UNSIGNED NOT NULL,
  order_id BIGINT NOT NULL,
  PRIMARY KEY (user_id, order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line (
  line_id BIGINT NOT NULL PRIMARY KEY,
  user_id INT UNSIGNED NOT NULL,
  order_id BIGINT NOT NULL,
  KEY (user_id, order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE token (token VARBINARY(4) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE seat (
  seat SMALLINT NOT NULL,
  region CHAR(2) NOT NULL,
  PRIMARY KEY (region, seat)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE place (region VARCHAR(60) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE currency (code CHAR(3) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE setting (name VARCHAR(20) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


@pytest.fixture
def shop(project: Path) -> Path:
    for spec in (project / "specs").iterdir():
        spec.unlink()
    (project / "specs" / "shop.yaml").write_text(SPEC)
    (project / "schema" / "shop.sql").write_text(SCHEMA)
    return project


def test_text(shop: Path, call: Call) -> None:
    ended = call("route", "--table", "orders", "--key", "USER_ID=4711")
    assert (ended.code, ended.out) == (0, "user_id=4711  db_3.orders_1  (python)\n")


def test_a_key_says_its_bucket(shop: Path, call: Call) -> None:
    spec = shop / "specs" / "shop.yaml"
    rules = SPEC.replace("table: user_id div 4 % 2}", "table: user_id div 4 % 2, buckets: 16}")
    kept = [line for line in rules.splitlines() if not any(name in line for name in ("token", "seat", "by_text"))]
    spec.write_text("\n".join(kept))
    bucket = zlib.crc32(b"4711") % 16
    text = call("route", "--table", "orders", "--key", "user_id=4711")
    assert text.out == f"user_id=4711  db_3.orders_1  bucket {bucket}  (python)\n", text
    reported = json.loads(call("route", "--table", "orders", "--key", "user_id=4711", "--format", "json").out)
    assert reported["bucket"] == bucket


def test_bytes_are_hexadecimal_digits(shop: Path, call: Call) -> None:
    digest = zlib.crc32(bytes.fromhex("00ff"))
    ended = call("route", "--table", "token", "--key", "token=0x00FF", "--format", "json")
    reported = json.loads(ended.out)
    assert (reported["key"], reported["place"]) == ({"token": "00ff"}, f"db_{digest % 4}.token_{digest // 4 % 2}")
    assert (reported["database"], reported["part"], reported["asked"]) == (digest % 4, digest // 4 % 2, ["python"])


def test_composite_key_in_any_order(shop: Path, call: Call) -> None:
    digest = zlib.crc32(b"eu:-7")
    ended = call("route", "--table", "seat", "--key", "seat=-7", "--key", "region=eu")
    assert ended.out == f"seat=-7, region=eu  db_{digest % 4}.seat_{digest // 4 % 2}  (python)\n"


def test_sql_runs_as_it_is_and_says_what_mysql_cannot(shop: Path, call: Call) -> None:
    ended = call("route", "--table", "orders", "--key", "user_id=5", "--format", "sql")
    assert ended.out.startswith("-- user_id=5: db_1.orders_1\n-- Spark\nSELECT\n")
    assert "-- MySQL\nSELECT\n" in ended.out and "CAST(5 AS UNSIGNED)" in ended.out and ended.out.endswith(";\n")
    ended = call("route", "--table", "place", "--key", "region=Ωmega", "--format", "sql")
    assert ended.code == 0 and "-- MySQL\n-- MySQL cannot compute " in ended.out


def test_keys_of_a_file_one_after_another(shop: Path, call: Call) -> None:
    (shop / "keys.csv").write_text('\ufeffRegion, seat\neu,7\n\n"a,","-1"\n')
    ended = call("route", "--table", "seat", "--keys", "keys.csv")
    keys = [line.partition("  ")[0] for line in ended.out.splitlines()]
    assert keys == ["seat=7, region=eu", "seat=-1, region=a,"]


def test_what_is_before_a_bad_key_is_answered(shop: Path, call: Call) -> None:
    (shop / "keys.csv").write_text("user_id\n1\n2\n-3\n4\n")
    ended = call("route", "--table", "orders", "--keys", "keys.csv")
    assert (ended.code, len(ended.out.splitlines())) == (1, 2)
    assert "SW5031: keys.csv:4:1: '-3' is not a whole number from 0 to 4294967295, as column 'user_id' has" in ended.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "keys.csv is empty: its first line names the shard key columns"),
        ("usr_id\n1\n", "keys.csv:1:1: 'usr_id' is no shard key column of 'orders'; did you mean 'user_id'?"),
        ("user_id,User_ID\n1,2\n", "keys.csv:1:1: 'User_ID' is there twice"),
        ("user_id\n1,2\n", "keys.csv:2:1: this line has 2 cells, the header 1"),
        ('user_id\n"1\n', "keys.csv:2:1: "),
        ('user_id\n"1"2\n', "keys.csv:2:4: text follows a closing quote"),
    ],
    ids=["empty", "misspelt", "twice", "too wide", "quote not closed", "text after a quote"],
)
def test_damaged_files(shop: Path, call: Call, text: str, said: str) -> None:
    (shop / "keys.csv").write_text(text)
    ended = call("route", "--table", "orders", "--keys", "keys.csv")
    assert (ended.code, ended.out) == (1, "") and f"SW5031: {said}" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--table", "ordrs"), "no migration moves a table 'ordrs'; did you mean 'orders'?"),
        (("--table", "orders"), "the shard key of 'orders' has no value for user_id"),
        (("--table", "seat", "--key", "region=eu"), "the shard key of 'seat' has no value for seat"),
        (("--table", "orders", "--key", "usr_id=1"), "'usr_id' is no shard key column of 'orders'; did you mean 'user_id'?"),
        (("--table", "orders", "--key", "order_id=1"), "'order_id' is no shard key column of 'orders'"),
        (("--table", "orders", "--key", "user_id"), "--key user_id: write each column once, as column=value"),
        (("--table", "orders", "--key", "user_id=1", "--key", "USER_ID=1"), "write each column once"),
        (("--table", "orders", "--key", "user_id=4294967296"), "'4294967296' is not a whole number from 0 to 4294967295"),
        (("--table", "orders", "--key", "user_id=01"), "'01' is not a whole number"),
        (("--table", "token", "--key", "token=xy"), "'xy' is not bytes as hexadecimal digits"),
        (("--table", "token", "--key", "token=0011223344"), "is not at most 4 bytes"),
        (("--table", "seat", "--key", "region=eur", "--key", "seat=0"), "'eur' is not a text of at most 2 characters"),
        (("--table", "orders", "--key", "user_id=1", "--keys", "keys.csv"), "--key and --keys: give one of them"),
        (("--table", "orders", "--keys", "keys.csv"), "cannot read keys.csv: "),
        (("--table", "orders", "--key", "user_id=1", "--in", "mysql"), "--in mysql needs --env: a server to ask"),
        (("--table", "place", "--key", "region=x", "--in", "mysql", "--env", "any"), "--in mysql: MySQL cannot compute "),
        (("--table", "line", "--key", "user_id=1"), "'line' is a co-located child table: ask for the place of its 'orders'"),
    ],
)  # fmt: skip
def test_questions_that_have_no_answer(shop: Path, call: Call, arguments: tuple[str, ...], said: str) -> None:
    ended = call("route", *arguments)
    assert (ended.code, ended.out) == (1, "") and "SW5031: " in ended.err and said in ended.err


@pytest.mark.parametrize(
    ("table", "words", "data"),
    [
        (
            "line",
            "line  co-located with its parent 'orders': a row is where the row of 'orders' is that its "
            "user_id, order_id names; ask for the place of 'orders'",
            {"distribution": "parent", "places": [], "parent": {"table": "orders", "via": ["user_id", "order_id"]}},
        ),
        (
            "currency",
            "currency  a copy in every database, whatever the key: "
            "db_0.currency, db_1.currency, db_2.currency, db_3.currency",
            {"distribution": "broadcast", "places": [f"db_{i}.currency" for i in range(4)], "parent": None},
        ),
        (
            "setting",
            "setting  whole in one database: db_1.setting",
            {"distribution": "single", "places": ["db_1.setting"], "parent": None},
        ),
    ],
)
def test_tables_that_no_key_routes(shop: Path, call: Call, table: str, words: str, data: dict[str, object]) -> None:
    assert call("route", "--table", table).out == f"{words}\n"
    assert call("route", "--table", table, "--format", "sql").out == f"-- {words}\n"
    assert json.loads(call("route", "--table", table, "--format", "json").out) == {"table": table, **data}


def test_a_table_of_two_migrations(project: Path, call: Call) -> None:
    ended = call("route", "--table", "orders", "--key", "user_id=1")
    assert "several migrations move 'orders' (one, two): choose with --migration" in ended.err
    assert "two_db_1.orders_0" in call("route", "--table", "orders", "--key", "user_id=1", "--migration", "two").out
