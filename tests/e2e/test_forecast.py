"""What a forecast says of skewed data, against plain Python that knows every row (D17): exactly when it looks at all
of them, within its own bounds when it takes a sample.
"""

from __future__ import annotations

import json
import os
import random
import re
import zlib
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.compiler.sharding.function import route
from shardwright.runtime.mysql.servers import Servers, servers_of
from shardwright.runtime.rehearsal.forecast.estimate import HeavyKeys
from shardwright.runtime.rehearsal.forecast.forecast import Order, forecast
from shardwright.runtime.rehearsal.forecast.html_page import as_html
from shardwright.runtime.rehearsal.forecast.render import as_text
from shardwright.runtime.rehearsal.forecast.result import TableForecast
from shardwright.specs.environment.read import read_environment
from shardwright.specs.spec.read import read_spec
from tests.compiler.projects import write_texts
from tests.servers.testbed import Arena
from tests.support.commands import shardwright

pytestmark = pytest.mark.server

SPEC = """
version: 1
migration: skewed
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "skewed_{0..3}", tables_suffix: "_{0..1}"}
sharding:
  by_tenant: {shard_key: [tenant], database: crc32(tenant) % 4, table: (crc32(tenant) div 4) % 2}
  by_murmur: {shard_key: [tenant], algorithm: murmur3_32}
tables:
  - table: bill
    sharding: by_tenant
    where: state = 'open'
    columns: {rename: {state: bill_state}}
  - table: line
    sharding: {rule: by_tenant, shard_key: {parent: bill, via: [tenant, number]}}
    weight: 5
  - table: visit
    sharding: by_murmur
  - table: "item_*"
    to: item
    expect: 2
    sharding: by_tenant
    key: [id]
  - table: region
    sharding: broadcast
"""
SCHEMA = """
CREATE TABLE bill (
  tenant varchar(20) NOT NULL, number int NOT NULL, state varchar(10) NOT NULL, note varchar(300) NOT NULL,
  PRIMARY KEY (tenant, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line (
  id bigint NOT NULL PRIMARY KEY, tenant varchar(20) NOT NULL, number int NOT NULL, KEY of_bill (tenant, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE visit (id bigint unsigned NOT NULL PRIMARY KEY, tenant varchar(20) NOT NULL) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE item_0 (
  id int NOT NULL PRIMARY KEY, tenant varchar(20) NOT NULL, code varchar(20) NOT NULL, UNIQUE KEY code (code)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE item_1 (
  id int NOT NULL PRIMARY KEY, tenant varchar(20) NOT NULL, code varchar(20) NOT NULL, UNIQUE KEY code (code)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE region (id int NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
BILLS, LINES, VISITS = 6_000, 3_000, 6_000
HOT = "größter"


def _place(tenant: str) -> tuple[int, int]:
    hashed = zlib.crc32(tenant.encode())
    return hashed % 4, hashed // 4 % 2


@dataclass
class Shop:
    """The source's rows as this file made them."""

    arena: Arena
    folder: Path
    compiled: CompiledPlan
    servers: Servers
    bills: list[tuple[str, int, str, str]]
    lines: list[tuple[int, str, int]]
    visits: list[tuple[int, str]]

    def of(self, table: str, sample: int | None) -> TableForecast:
        (found,) = forecast(self.compiled, self.servers, Order(sample), tables=[table]).tables
        return found

    def places(self, table: str) -> Counter[tuple[int, int]]:
        """How many rows of the table belong where."""
        if table == "bill":
            return Counter(_place(tenant) for tenant, _, state, _ in self.bills if state == "open")
        moved = {(tenant, number) for tenant, number, state, _ in self.bills if state == "open"}
        return Counter(_place(tenant) if (tenant, number) in moved else (0, 0) for _, tenant, number in self.lines)


@pytest.fixture
def shop(arena: Arena, tmp_path: Path, seed: int) -> Shop:
    """90 % of the rows are one tenant's. Keys have gaps of all sizes."""
    dice = random.Random(seed)
    (tmp_path / "p").mkdir()
    project = write_texts(tmp_path / "p", SPEC, SCHEMA)
    spec = read_spec(str(project / "spec.yaml"))
    compiled = build_plan(spec, schema=SCHEMA, ddl={})
    environment = arena.prepare(project, source_databases=("shop",), target_databases=spec.target.databases)
    arena.source.run_script(project / "schema.sql", database="shop")
    servers = servers_of(
        read_environment(str(environment), databases=compiled.plan.databases), compiled.plan, os.environ
    )
    tenants = [HOT if dice.random() < 0.9 else f"t{dice.randrange(200)}" for _ in range(BILLS)]
    bills = [
        (tenant, n * n, dice.choice(("open", "open", "paid")), "x" * dice.randrange(300))
        for n, tenant in enumerate(tenants)
    ]
    lines = [(n * 7, *dice.choice(bills)[:2]) for n in range(LINES)]
    visits = [(2**63 + n if n % 2 else n, dice.choice(tenants)) for n in range(VISITS)]
    items = [(0, n, f"t{n}", f"c{n}") for n in range(50)] + [(1, n + 40, f"t{n + 40}", f"c{2 * n}") for n in range(50)]
    with arena.source.connect("shop") as connection, connection.cursor() as cursor:
        cursor.executemany("INSERT INTO bill VALUES (%s, %s, %s, %s)", bills)
        cursor.executemany("INSERT INTO line VALUES (%s, %s, %s)", lines)
        cursor.executemany("INSERT INTO visit VALUES (%s, %s)", visits)
        for number in (0, 1):
            cursor.executemany(
                f"INSERT INTO item_{number} VALUES (%s, %s, %s)", [row[1:] for row in items if row[0] == number]
            )
        cursor.execute("INSERT INTO region VALUES (1), (2), (3)")
        cursor.execute("ANALYZE TABLE bill, line, visit, item_0, item_1, region")
    return Shop(arena, project, compiled, servers, bills, lines, visits)


def test_d17_everything_is_looked_at(shop: Shop) -> None:
    for table in ("bill", "line"):
        found, places = shop.of(table, None), shop.places(table)
        assert (found.rows, found.is_whole) == (places.total(), True)
        expected = {f"skewed_{d}.{table}_{t}": places[(d, t)] for d in range(4) for t in range(2)}
        assert {part.name: part.rows for part in found.parts} == expected
        assert {at.error for at in (*found.shards, *found.parts)} == {0.0}
    bill = shop.of("bill", None)
    counts = Counter(tenant for tenant, _, state, _ in shop.bills if state == "open")
    assert [(key.key, key.rows) for key in bill.keys[:1]] == [((HOT,), counts[HOT])]
    assert {(key.key[0], key.rows) for key in bill.keys} <= set(counts.items())
    sizes = Counter[int]()
    for tenant, number, state, note in shop.bills:
        if state == "open":
            sizes[_place(tenant)[0]] += len(tenant.encode()) + len(str(number)) + len(state) + len(note)
    reported = {at.name: at.bytes / sum(it.bytes for it in bill.shards) for at in bill.shards}
    assert reported == pytest.approx({f"skewed_{d}": sizes[d] / sizes.total() for d in range(4)}, abs=0.001)


def test_d17_a_sample_is_within_its_bounds(shop: Shop) -> None:
    """Rows of bills lie by tenant, which a sample over the whole key knows better than its bounds say; those of visits
    lie at random."""
    function = shop.compiled.functions["visit"]
    visits = Counter(route(function, {"tenant": tenant})[0] for _, tenant in shop.visits)
    bills = Counter[int]()
    for (shard, _), rows in shop.places("bill").items():
        bills[shard] += rows
    outside = Counter[str]()
    for seed in range(1, 61):
        made = forecast(shop.compiled, shop.servers, Order(1_500, seed), tables=["bill", "visit"])
        for found, places in zip(made.tables, (bills, visits), strict=True):
            assert 0 < found.looked_at < 3_000 and not found.is_whole
            assert abs(found.rows - places.total()) < 0.4 * places.total()
            for shard, at in enumerate(found.shards):
                assert 0.0 < at.error < 0.6
                outside[found.table] += abs(at.rows / found.rows - places[shard] / places.total()) > at.error + 0.0002
    # A shard's share and those of the others are off together, so that one bad sample counts several times.
    assert max(outside.values()) <= 48, "of 240 each: 12 are expected outside of 95 %"
    again = forecast(shop.compiled, shop.servers, Order(1_500, 3), tables=["bill"])
    assert again == forecast(shop.compiled, shop.servers, Order(1_500, 3), tables=["bill"])


def test_a_rule_that_mysql_cannot_compute(shop: Shop) -> None:
    """Its Python form places the keys, which are counted in the server."""
    table = shop.compiled.plan.table("visit")
    assert table.placement.no_mysql is not None
    found = shop.of("visit", None)
    function = shop.compiled.functions["visit"]
    places = Counter(route(function, {"tenant": tenant}) for _, tenant in shop.visits)
    assert [part.rows for part in found.parts] == [places[(d, t)] for d in range(4) for t in range(2)]
    assert found.rows == VISITS


def test_unique_values_of_two_source_tables_that_will_meet(shop: Shop) -> None:
    found = {met.key: met for met in shop.of("item", None).collisions}
    keys = set(range(40, 50))
    codes = {f"c{n}" for n in range(50)} & {f"c{2 * n}" for n in range(50)}
    together = sum(_place(f"t{code[1:]}") == _place(f"t{int(code[1:]) // 2 + 40}") for code in codes)
    assert (found["PRIMARY"].pairs, found["PRIMARY"].together) == (len(keys), len(keys))
    assert (found["code"].pairs, found["code"].together) == (len(codes), together)


def test_what_is_reported_and_drawn(shop: Shop, tmp_path: Path) -> None:
    made = forecast(shop.compiled, shop.servers, Order(None))
    text = as_text(made)
    assert f"({HOT})" in text and "region (broadcast): 3 rows" in text
    database, suffix = _place(HOT)  # the fullest five are told: which the others are is chance
    assert f"skewed_{database}.bill_{suffix}" in text and text.count(".bill_") == 5
    assert made.shards()["skewed_1"][0] == sum(
        place.rows for table in made.tables for place in table.shards if place.name == "skewed_1"
    )
    now = datetime(2026, 11, 30, tzinfo=UTC)
    page = as_html(made, "test", at=now)
    assert page == as_html(forecast(shop.compiled, shop.servers, Order(None)), "test", at=now)
    hot = f"skewed_{_place(HOT)[0]}"
    rows = {at.name: at.rows for at in made.tables[0].shards}
    charts = dict(re.findall(r"<h2>(.*?)</h2>(.*?)(?=<h2>|</body>)", page, re.DOTALL))
    assert next(iter(charts)) == "All tables" and f"{made.shards()[hot][0]:,} rows" in charts["All tables"]
    drawn = re.findall(
        r'name">(\w+)</span>\n<span class="lane"><i( class="heavy")? style="width: ([\d.]+)%"></i>.*?<u style="left: '
        r'([\d.]+)%"></u></span>\n<span>([\d,]+) rows',
        charts["bill (sharded)"],
    )
    assert {name: int(count.replace(",", "")) for name, *_, count in drawn} == rows
    marks = re.findall(r'<span style="left: ([\d.]+)%">([\d,]+)</span>', charts["bill (sharded)"])
    end = int(marks[-1][1].replace(",", ""))
    assert marks[0] == ("0.0", "0") and marks[-1][0] == "100.0" and 3 <= len(marks) <= 6
    for name, heavy, width, mean, _ in drawn:
        assert float(width) == pytest.approx(100 * rows[name] / end, abs=0.01)
        assert float(mean) == pytest.approx(100 * sum(rows.values()) / len(rows) / end, abs=0.01)
        assert bool(heavy) == (rows[name] >= 2 * sum(rows.values()) / len(rows))


def test_d17_largest_keys_in_bounded_memory(dice: random.Random) -> None:
    keys = [("hot",) if dice.random() < 0.3 else (f"k{dice.randrange(5_000)}",) for _ in range(20_000)]
    counted = HeavyKeys(capacity=50)
    for key in keys:
        counted.add(key, 1)
        assert len(counted._counts) <= 100
    real = Counter(keys)
    ((first, rows),) = counted.largest(1)
    assert first == ("hot",) and rows <= real[first] <= rows + counted.short
    assert 0 < counted.short <= len(keys) / 50


def test_the_command(shop: Shop) -> None:
    project = shop.folder.parent / "project"
    for part in ("specs", "schema", "environments"):
        (project / part).mkdir(parents=True)
    (project / "specs" / "skewed.yaml").write_text(
        SPEC.replace("schema: schema.sql", "schema: schema/shop.sql"), "utf-8"
    )
    (project / "schema" / "shop.sql").write_text(SCHEMA, "utf-8")
    (environment,) = [path for path in shop.folder.rglob("*.yaml") if path.name != "spec.yaml"]
    (project / "environments" / "test.yaml").write_text(environment.read_text("utf-8"), "utf-8")
    asked = ("forecast", "--env", "test", "--table", "bill", "--full", "--html", "skew.html", "--format", "json")
    reported = json.loads(shardwright(project, *asked).require(0).out)
    assert reported["tables"][0]["rows"] == shop.places("bill").total()
    page = (project / "skew.html").read_text("utf-8")
    assert "<h1>Forecast</h1>" in page and "<dd>test</dd>" in page and "http" not in page.replace("http-equiv", "")
    assert "SW5031" in shardwright(project, "forecast", "--env", "test", "--table", "bil").require(1).err
    shardwright(project, "compile").require(0)
    asked = ("preflight", "--env", "test", "--forecast", "3000", "--format", "json")
    needed = [
        check for check in json.loads(shardwright(project, *asked).out)["checks"] if check["name"] == "free space"
    ]
    assert len(needed) == len(shop.arena.targets) and all("needed as forecast" in check["found"] for check in needed)
