"""Sakila as shipped, sharded by customer: values of every type it has arrive equal, by snapshot and by stream."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.oracle.compare import Shards, compare, count
from tests.oracle.rows import column_types
from tests.oracle.tables import Table, by_crc32
from tests.servers.testbed import Arena
from tests.support.commands import shardwright
from tests.support.job import ENVIRONMENT, Job

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

VARIABLE = "SAKILA_DIR"
FILES = ("sakila-schema.sql", "sakila-data.sql")
DATABASES = ("sakila_0", "sakila_1")
SUFFIXES = ("_0", "_1")
SHARDED = {"customer": ("customer_id",), "payment": ("payment_id",), "rental": ("rental_id",)}
BROADCAST = {
    "actor": ("actor_id",),
    "address": ("address_id",),
    "category": ("category_id",),
    "city": ("city_id",),
    "country": ("country_id",),
    "film": ("film_id",),
    "film_actor": ("actor_id", "film_id"),
    "film_category": ("film_id", "category_id"),
    "film_text": ("film_id",),
    "inventory": ("inventory_id",),
    "language": ("language_id",),
    "staff": ("staff_id",),
    "store": ("store_id",),
}
TABLES = tuple(
    Table(
        name,
        (f"sakila.{name}",),
        key,
        DATABASES,
        SUFFIXES if name in SHARDED else ("",),
        placed_by=("customer_id",) if name in SHARDED else (),
        place=by_crc32(DATABASES, SUFFIXES) if name in SHARDED else None,
    )
    for name, key in {**SHARDED, **BROADCAST}.items()
)

CHANGES = (
    # Integers of every width, text of every kind, ENUM, SET, YEAR, DECIMAL, BLOB and the temporal types ...
    "UPDATE film SET title = CONCAT(title, ' é漢☃'), description = REPEAT('ü', 9000), release_year = 2155, length = NULL,"
    " rental_rate = 99.99, replacement_cost = -999.99, rating = 'NC-17',"
    " special_features = 'Trailers,Behind the Scenes' WHERE film_id IN (1, 2, 3)",
    "UPDATE film SET description = NULL, release_year = NULL, rating = NULL, special_features = ''"
    " WHERE film_id BETWEEN 10 AND 20",
    "UPDATE film SET rental_duration = 255, length = 65535, original_language_id = 2, special_features = NULL"
    " WHERE film_id = 30",
    "UPDATE staff SET picture = UNHEX('00FF0A0D5C27221A00'), password = 'Straße', active = 0 WHERE staff_id = 1",
    "UPDATE staff SET picture = REPEAT(UNHEX('C3285C00'), 5000), email = NULL WHERE staff_id = 2",
    "UPDATE customer SET email = NULL, active = -128, create_date = '9999-12-31 23:59:59' WHERE customer_id < 20",
    "UPDATE customer SET first_name = '\\\\N', last_name = '', last_update = '1970-01-01 00:00:01'"
    " WHERE customer_id BETWEEN 20 AND 30",
    "UPDATE language SET name = ' a ' WHERE language_id = 6",
    "UPDATE address SET district = '\t\n\\\\', address2 = NULL WHERE address_id < 9",
    "UPDATE payment SET amount = -999.99, rental_id = NULL WHERE payment_id < 100",
    "UPDATE store SET last_update = '2038-01-19 03:14:07'",
    # ... rows that come and go ...
    "INSERT INTO language (name) VALUES (''), ('日本語')",
    "INSERT INTO inventory (inventory_id, film_id, store_id) VALUES (16777215, 1, 1)",
    "INSERT INTO customer (customer_id, store_id, first_name, last_name, address_id, create_date)"
    " VALUES (65535, 2, '☃', 'Ⅷ', 5, NOW())",
    "INSERT INTO rental (rental_id, rental_date, inventory_id, customer_id, staff_id)"
    " VALUES (-2147483648, '2005-05-24 22:53:30', 16777215, 65535, 1), (2147483647, '1000-01-01', 1, 65535, 2)",
    "INSERT INTO payment (payment_id, customer_id, staff_id, rental_id, amount, payment_date)"
    " VALUES (65535, 65535, 1, 2147483647, 0.01, '2026-02-28 23:59:59')",
    "DELETE FROM payment WHERE payment_id BETWEEN 300 AND 400",
    "DELETE FROM film_actor WHERE actor_id = 7",
    "DELETE FROM film_text WHERE film_id > 900",
    # ... rows that move to another shard, and keys that change.
    "UPDATE payment SET customer_id = customer_id + 1 WHERE customer_id BETWEEN 100 AND 140 ORDER BY customer_id DESC",
    "UPDATE rental SET customer_id = 599 - customer_id WHERE customer_id BETWEEN 1 AND 40",
    "UPDATE payment SET payment_id = payment_id + 30000 WHERE payment_id BETWEEN 1000 AND 1100",
    "UPDATE film_category SET category_id = category_id % 16 + 1 WHERE film_id < 50",
)


@dataclass(frozen=True)
class Sakila:
    """The source filled with Sakila, and a project that moves it."""

    arena: Arena
    job: Job

    def require_equal(self) -> None:
        """Every table, each row once and where it belongs, to the byte."""
        with ExitStack() as stack:
            source = stack.enter_context(self.arena.source.connect("sakila"))
            shards: Shards = {name: stack.enter_context(self.arena.shard(name)) for name in DATABASES}
            assert all(count(source, table) > 0 for table in TABLES)
            differences = compare(source, TABLES, shards)
        assert not differences, "\n".join([*differences, self.job.end_of_log()])

    def change(self) -> None:
        """Every change of CHANGES in a transaction of its own, as Sakila's own sessions would."""
        with self.arena.source.connect("sakila") as connection, connection.cursor() as cursor:
            cursor.execute("SET SESSION sql_mode = 'TRADITIONAL', time_zone = '+00:00'")
            for statement in CHANGES:
                assert cursor.execute(statement) > 0, f"this changes nothing: {statement}"


@pytest.fixture
def sakila(arena: Arena, tmp_path: Path) -> Iterator[Sakila]:
    folder = _folder()
    example = tmp_path / "example"
    for part in ("specs", "schema", "ddl"):
        (example / part).mkdir(parents=True)
    spec = _spec(dialect=arena.source.sandbox.kind)
    (example / "specs" / "sakila.yaml").write_text(yaml.safe_dump(spec, sort_keys=False), encoding="utf-8")
    job = Job(arena, example, tmp_path)
    for name in FILES:
        arena.source.run_script(folder / name)
    yield Sakila(arena, job)


@pytest.mark.long
def test_sakila(sakila: Sakila) -> None:
    job = sakila.job
    job.call("import", "--env", ENVIRONMENT)
    job.call("compile")
    job.run_until_caught_up()
    sakila.require_equal()

    sakila.change()
    job.run_until_caught_up()
    sakila.require_equal()

    outcome = shardwright(job.project, "verify", "--env", ENVIRONMENT, "--format", "json").require(0)
    verdicts = {table["table"]: table["verdict"] for table in json.loads(outcome.out)["tables"]}
    assert verdicts == dict.fromkeys((table.name for table in TABLES), "equal")


def test_every_table_and_type_is_there(sakila: Sakila) -> None:
    """The list above is the whole of Sakila: nothing that it ships is left out of the comparison."""
    with sakila.arena.source.connect("sakila") as connection, connection.cursor() as cursor:
        cursor.execute("SHOW FULL TABLES WHERE table_type = 'BASE TABLE'")
        assert {str(row[0]) for row in cursor.fetchall()} == {table.name for table in TABLES}
        types = {kind for table in TABLES for kind in column_types(connection, "sakila", table.name).values()}
    assert types >= {"blob", "char", "datetime", "decimal", "enum", "mediumint", "set", "text", "timestamp", "year"}


def _folder() -> Path:
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"{VARIABLE} is not set: it names the folder with {' and '.join(FILES)}")
    folder = Path(named)
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        pytest.fail(f"{VARIABLE}={named}, but {', '.join(missing)} is not there")
    return folder


def _spec(*, dialect: str) -> dict[str, object]:
    return {
        "version": 1,
        "migration": "sakila-split",
        "owner": "rental-team",
        "source": {
            "dialect": dialect,
            "databases": ["sakila"],
            "schema": "schema/sakila.sql",
            "stream": {"format": "binlog"},
        },
        "target": {"databases": "sakila_{0..1}", "tables_suffix": "_{0..1}"},
        "sharding": {
            "by_customer": {
                "shard_key": ["customer_id"],
                "database": "crc32(customer_id) % 2",
                "table": "(crc32(customer_id) div 2) % 2",
            }
        },
        "tables": [
            *({"table": name, "sharding": "by_customer", "deletes": "until_snapshot"} for name in SHARDED),
            *({"table": name, "sharding": "broadcast", "deletes": "until_snapshot"} for name in BROADCAST),
        ],
    }
