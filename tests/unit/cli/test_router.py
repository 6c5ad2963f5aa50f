"""`router`: what it writes for a project, and what it refuses."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.ledger import switch_row
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
tables:
  - {table: orders, sharding: by_user, weight: 10}
  - {table: line, sharding: {rule: by_user, shard_key: {parent: orders, via: [buyer, order_id]}}, weight: 5}
  - {table: token, sharding: by_token}
  - {table: seat, sharding: by_seat, columns: {rename: {seat: chair}}}
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
  buyer INT UNSIGNED NOT NULL,
  order_id BIGINT NOT NULL,
  KEY (buyer, order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE token (token VARBINARY(4) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE seat (
  seat SMALLINT NOT NULL,
  region CHAR(2) NOT NULL,
  PRIMARY KEY (region, seat)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE currency (code CHAR(3) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE setting (name VARCHAR(20) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
BY_ORDER = "PRIMARY KEY (order_id)"
"""Makes the user no part of what a line knows of its order."""

RANGES = """\
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: "db_{0..3}"}
sharding:
  by_user: {shard_key: [user_id], algorithm: range, options: {boundaries: [1000, 65536, 4000000000]}}
tables:
  - {table: orders, sharding: by_user, weight: 10}
  - {table: currency, sharding: broadcast}
  - {table: setting, sharding: {single: db_1}}
"""


@pytest.fixture
def shop(project: Path) -> Path:
    for spec in (project / "specs").iterdir():
        spec.unlink()
    (project / "specs" / "shop.yaml").write_text(SPEC)
    (project / "schema" / "shop.sql").write_text(SCHEMA)
    return project


def with_lines_that_know_no_user(shop: Path) -> None:
    spec = SPEC.replace("via: [buyer, order_id]", "via: [order_id]")
    (shop / "specs" / "shop.yaml").write_text(spec)
    schema = SCHEMA.replace("PRIMARY KEY (user_id, order_id)", BY_ORDER).replace(
        "KEY (buyer, order_id)", "KEY (order_id)"
    )
    (shop / "schema" / "shop.sql").write_text(schema)


def make_router(shop: Path, call: Call) -> Any:
    """The Python library, imported."""
    ended = call("router", "--format", "python", "--out", str(shop / "places.py"))
    assert ended.code == 0, ended.err
    module = types.ModuleType("places")
    exec(compile((shop / "places.py").read_text("utf-8"), "places.py", "exec"), module.__dict__)
    return module


def test_d15_the_library_passes_its_vectors(shop: Path, call: Call) -> None:
    router = make_router(shop, call)
    held = json.loads((shop / "places.vectors.json").read_text("utf-8"))
    assert {vector["table"] for vector in held["vectors"]} == {"orders", "line", "token", "seat"}
    for vector in held["vectors"]:
        assert router.route(vector["table"], key_of(vector["key"])) == (vector["database"], vector["name"])
    assert held["places"]["setting"] == [["db_1", "setting"]]


def key_of(written: Mapping[str, Mapping[str, str]]) -> dict[str, object]:
    read = {"integer": int, "text": str, "bytes": bytes.fromhex}
    return {name: read[kind](text) for name, value in written.items() for kind, text in value.items()}


def test_places_of_every_kind_of_table(shop: Path, call: Call) -> None:
    router = make_router(shop, call)
    assert router.route("orders", {"user_id": 4711, "order_id": 1}) == ("db_3", "orders_1")
    assert router.route("line", {"buyer": 4711}) == ("db_3", "line_1")
    assert router.route("seat", {"region": "eu ", "chair": -7}) == router.route("seat", {"region": "eu", "chair": -7})
    assert router.route("setting", {}) == ("db_1", "setting")
    assert [place.database for place in router.places("currency")] == ["db_0", "db_1", "db_2", "db_3"]


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("nothing", {}),
        ("currency", {"code": "EUR"}),
        ("orders", {"order_id": 1}),
        ("orders", {"user_id": "4711"}),
        ("orders", {"user_id": -1}),
        ("orders", {"user_id": None}),
        ("token", {"token": b"12345"}),
        ("seat", {"region": "\ud800", "chair": 1}),
    ],
)
def test_d14_what_has_no_place_is_refused(shop: Path, call: Call, table: str, key: Mapping[str, object]) -> None:
    router = make_router(shop, call)
    with pytest.raises(router.NoPlace):
        router.route(table, key)


def test_the_switch_row(shop: Path, call: Call) -> None:
    router = make_router(shop, call)
    assert router.SWITCH_QUERY.replace("`", "") == switch_row._READ.replace("`", "").replace("%s", "'shop'")
    old, new = router.read_switch(None), router.read_switch(("shards", 3))
    assert (old, new, new.newest(old), old.newest(new)) == (("source", 0), ("shards", 3), new, new)
    with pytest.raises(ValueError, match="says 'both'"):
        router.read_switch(("both", 1))


def test_buckets_of_rows_and_who_may_write_them(shop: Path, call: Call) -> None:
    """A bucket that is on its way stays where it was, and no older generation counts."""
    by_token = "by_token: {shard_key: [token], algorithm: crc32_mod, buckets: 64}"
    spec = SPEC.replace("user_id div 4 % 2}", "user_id div 4 % 2, buckets: user_id % 64}")
    spec = spec.replace("by_token: {shard_key: [token], algorithm: crc32_mod}", by_token)
    spec = spec.replace("[region, seat], algorithm: crc32_mod}", "[region, seat], algorithm: crc32_mod, buckets: 64}")
    (shop / "specs" / "shop.yaml").write_text(spec)
    router = make_router(shop, call)
    held = json.loads((shop / "places.vectors.json").read_text("utf-8"))["vectors"]
    assert all(router.bucket(one["table"], key_of(one["key"])) == one["bucket"] for one in held) and len(held) > 50
    assert router.bucket("orders", {"user_id": 130, "order_id": 1}) == 2 == router.bucket("line", {"buyer": 66})
    assert router.bucket("currency", {}) == router.BUCKETS == 64
    known = router.read_buckets([(2, "shards", 4), (3, "source", 1)], {})
    later = router.read_buckets([(2, "none", 4), (3, "shards", 5), (2, "source", 3)], known)
    assert later == {2: router.Writes("shards", 4), 3: router.Writes("shards", 5)}


def test_lines_that_know_no_user_are_placed_by_the_key_of_their_order(shop: Path, call: Call) -> None:
    with_lines_that_know_no_user(shop)
    router = make_router(shop, call)
    assert router.route("line", {"user_id": 4711}) == ("db_3", "line_1")


def test_shardingsphere_cannot_place_such_lines(shop: Path, call: Call) -> None:
    with_lines_that_know_no_user(shop)
    ended = call("router", "--format", "shardingsphere", "--out", str(shop / "rules"))
    assert ended.code == 1 and "specs/shop.yaml:11:" in ended.err and "SW5302" in ended.err


def test_php_cannot_add_beyond_63_bits(shop: Path, call: Call) -> None:
    schema = SCHEMA.replace("user_id INT UNSIGNED", "user_id BIGINT UNSIGNED")
    (shop / "schema" / "shop.sql").write_text(schema.replace("buyer INT UNSIGNED", "buyer BIGINT UNSIGNED"))
    spec = SPEC.replace("database: user_id % 4", "database: (user_id + user_id) % 4")
    (shop / "specs" / "shop.yaml").write_text(spec)
    ended = call("router", "--format", "php")
    assert ended.code == 1 and "SW5301" in ended.err and "'add_wide'" in ended.err
    assert call("router", "--format", "java").code == 0


def test_views(shop: Path, call: Call) -> None:
    ended = call("router", "--views", "db_1")
    assert ended.code == 0, ended.err
    statements = [" ".join(text.split()) for text in ended.out.split(";")]
    assert (
        "CREATE VIEW `db_1`.`orders` AS SELECT `user_id`, `order_id` FROM `db_1`.`orders_0` "
        "UNION ALL SELECT `user_id`, `order_id` FROM `db_1`.`orders_1`"
    ) in statements
    assert "`chair` AS `seat`" in ended.out and "currency" not in ended.out


def test_no_view_has_the_name_of_a_physical_table(shop: Path, call: Call) -> None:
    older = SPEC + "  - {table: orders_0, to: older, sharding: {single: db_1}}\n"
    (shop / "specs" / "shop.yaml").write_text(older)
    text = "CREATE TABLE orders_0 (id INT NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;\n"
    (shop / "schema" / "shop.sql").write_text(SCHEMA + text)
    ended = call("router", "--views", "db_1")
    assert ended.code == 1 and "specs/shop.yaml:16:" in ended.err and "SW5303" in ended.err


@pytest.mark.parametrize(
    "arguments",
    [("--views", "db_7"), ("--format", "python", "--migration", "shpo"), ("--format", "shardingsphere")],
)
def test_what_is_not_there(shop: Path, call: Call, arguments: tuple[str, ...]) -> None:
    ended = call("router", *arguments)
    assert ended.code == 1 and "SW5304" in ended.err


def make_vitess(shop: Path, call: Call, spec: str) -> str:
    """The findings; the files are in `made`."""
    (shop / "specs" / "shop.yaml").write_text(spec)
    return call("router", "--format", "vitess", "--out", str(shop / "made") + "/").err


def test_vitess_gets_ranges_as_they_are(shop: Path, call: Call) -> None:
    make_vitess(shop, call, RANGES)
    made = shop / "made"
    assert json.loads((made / "vschema.json").read_text("utf-8")) == {
        "sharded": True,
        "vindexes": {"key_as_number": {"type": "numeric"}},
        "tables": {
            "orders": {"column_vindexes": [{"column": "user_id", "name": "key_as_number"}]},
            "currency": {"type": "reference"},
            "setting": {"pinned": "00000000000003e8"},
        },
    }
    assert json.loads((made / "shards.json").read_text("utf-8")) == {
        "db_0": "-00000000000003e8",
        "db_1": "00000000000003e8-000000000001",
        "db_2": "000000000001-00000000ee6b28",
        "db_3": "00000000ee6b28-",
    }


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        (
            "algorithm: range, options: {boundaries: [1000, 65536, 4000000000]}",
            "algorithm: mod",
            "SW5301 no vindex of Vitess",
        ),
        ("shard_key: [user_id]", "shard_key: [order_id]", "SW5301 Vitess takes a key of 'orders' as an unsigned"),
        ("[1000, 65536, 4000000000]", "[1000], places: [db_0, db_1]", "SW5302 the rule of 'orders' does not give each"),
        ('"db_{0..3}"}', '"db_{0..3}", tables_suffix: "_{0..1}"}', "SW5302 'orders' has 2 tables in a database"),
    ],
)
def test_d15_vitess_is_refused_what_it_would_place_elsewhere(
    shop: Path, call: Call, old: str, new: str, finding: str
) -> None:
    spec = RANGES.replace(old, new)
    if "tables_suffix" in new:
        spec = spec.replace("4000000000]", "4000000000], tables_by: crc32")
    found = make_vitess(shop, call, spec)
    code, message = finding.split(" ", 1)
    assert f"error {code}: {message}" in found, found
    assert not (shop / "made").exists()


def test_proxysql_finds_the_server_of_a_database(shop: Path, call: Call) -> None:
    call("router", "--format", "proxysql", "--out", str(shop / "made") + "/")
    made = (shop / "made" / "proxysql.sql").read_text("utf-8").splitlines()
    assert (
        "INSERT INTO mysql_query_rules ( rule_id, active, schemaname, destination_hostgroup, apply ) VALUES "
        "(102, 1, 'db_2', 102, 1);"
    ) in [line.replace("`", "") for line in made]
    assert made[-1] == "SAVE MYSQL QUERY RULES TO DISK;"
    assert len([line for line in made if "ADDRESS" in line and line.startswith("INSERT")]) == 4
