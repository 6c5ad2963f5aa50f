"""Tables that DDL files make, change, rename, empty and drop: once in each database, whatever happens on the way
(hazard E18).
"""

from __future__ import annotations

import pytest

from shardwright.runtime.ddl.routing.router import DdlResult
from shardwright.runtime.ddl.routing.status import ddl_status
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.ddl_record import Entry, mark_started, sha256
from tests.ddl.plans import DATABASES, shop_plan
from tests.ddl.shards import Shards
from tests.ddl.test_router import create, route

pytestmark = pytest.mark.server

MAKE = "CREATE TABLE audit (id BIGINT NOT NULL AUTO_INCREMENT, what VARCHAR(40) NOT NULL, PRIMARY KEY (id)) DEFAULT CHARSET=utf8mb4;\n"
CHANGE = "ALTER TABLE audit ADD COLUMN who VARCHAR(20) NOT NULL DEFAULT '', ADD INDEX by_who (who);\n"
FILES = {"0001_make.sql": MAKE, "0002_change.sql": CHANGE}
LATER = {**FILES, "0003_empty.sql": "TRUNCATE TABLE audit;\n", "0004_rename.sql": "RENAME TABLE audit TO trail;\n"}
GONE = {**LATER, "0005_drop.sql": "DROP TABLE trail;\n"}


def _there(shards: Shards, name: str) -> list[str]:
    sql = f"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '{{}}' AND table_name = '{name}'"
    return [database for database in DATABASES if shards.query(database, sql.format(database))[0][0]]


def test_e18_a_table_of_the_shards_own_from_its_making_to_its_end(shards: Shards) -> None:
    create(shards)
    assert route(shards, FILES) == DdlResult(applied=8, already=0)
    assert _there(shards, "audit") == list(DATABASES)
    for database in DATABASES:
        shards.query(database, "INSERT INTO audit (what, who) VALUES ('began', 'me')")
    with pytest.raises(Refused, match="SW8420"):
        route(shards, LATER, allowed=frozenset())
    assert route(shards, LATER, allowed=frozenset({"SW8420"})) == DdlResult(applied=8, already=8)
    assert (_there(shards, "audit"), _there(shards, "trail")) == ([], list(DATABASES))
    assert [shards.query(database, "SELECT COUNT(*) FROM trail")[0][0] for database in DATABASES] == [0] * 4
    assert route(shards, GONE) == DdlResult(applied=4, already=16)
    assert _there(shards, "trail") == []
    assert all((row.done, row.total) == (4, 4) for row in ddl_status(shop_plan(GONE), connect=shards.connect))
    # The migration's tables were not touched.
    assert len(shards.shapes("orders")) == 1


@pytest.mark.parametrize("took_effect", [False, True])
def test_e18_killed_between_the_statement_and_its_record(shards: Shards, took_effect: bool) -> None:
    create(shards)
    plan = shop_plan(GONE)
    by_hand = {
        "0001_make.sql": MAKE.rstrip(";\n"),
        "0004_rename.sql": "RENAME TABLE audit TO trail",
        "0005_drop.sql": "DROP TABLE trail",
    }
    for change in plan.ddl:
        if change.file in by_hand:
            with shards.connect("order_db_1") as connection:
                statement = change.template.replace("${suffix}", "")
                mark_started(connection, Entry(plan.migration, change.file, 1, change.logical, sha256(statement)))
            if took_effect:
                shards.query("order_db_1", by_hand[change.file])
        upto = {name: text for name, text in GONE.items() if name <= change.file}
        route(shards, upto)
        assert all(row.missing == () for row in ddl_status(shop_plan(upto), connect=shards.connect))
    assert _there(shards, "trail") == []


def test_a_table_of_that_name_that_somebody_else_made_is_in_the_way(shards: Shards) -> None:
    create(shards)
    shards.query("order_db_0", "CREATE TABLE audit (x INT)")
    with pytest.raises(Refused, match="was changed by someone else"):
        route(shards, FILES)
    assert _there(shards, "audit") == ["order_db_0"]
