"""Where the source had AUTO_INCREMENT: the SQL that docs/how-to/new-row-numbers.md shows gives new rows numbers nobody ever had
(D18).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.workload.shop import PROJECT

pytestmark = pytest.mark.server

_PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "new-row-numbers.md"
_USER = "INSERT INTO shop.users (name, email, created_at) VALUES (%s, %s, NOW())"


def test_d18_new_rows_continue_where_the_source_stopped(arena: Arena) -> None:
    ask, make, take, count_again = _blocks_of_page()
    source, target = arena.source, arena.targets[0]
    source.query("CREATE DATABASE shop")
    source.run_script(PROJECT / "schema" / "shop.sql", database="shop")
    for name in ("a", "b", "c"):
        source.query(_USER, (name, name))
    source.query("DELETE FROM shop.users WHERE id = 3")
    with source.connect() as connection, connection.cursor() as cursor:
        if source.sandbox.kind == "mysql":
            cursor.execute("SET SESSION information_schema_stats_expiry = 0")
        cursor.execute(ask)
        ((following,),) = cursor.fetchall()
    assert following == 4, "3 was somebody's number"

    target.run_script(make.replace("4711", str(following)))
    firsts = []
    for _application in range(2):
        with target.connect() as connection, connection.cursor() as cursor:
            update, select = (statement for statement in take.split(";") if statement.strip())
            cursor.execute(update)
            cursor.execute(select)
            firsts.append(cursor.fetchall()[0][0])
    assert firsts == [4, 104]

    target.query("CREATE DATABASE order_db_0")
    target.query("CREATE TABLE order_db_0.coupons (id bigint NOT NULL PRIMARY KEY, note text)")
    target.query("INSERT INTO order_db_0.coupons VALUES (1, 'copied'), (2, 'copied')")
    target.query(count_again.replace("4711", str(following)))
    target.query("INSERT INTO order_db_0.coupons (note) VALUES ('new')")
    assert target.query("SELECT id FROM order_db_0.coupons WHERE note = 'new'") == [(4,)]


def _blocks_of_page() -> list[str]:
    """The section's blocks of SQL, without their comments."""
    (section,) = re.findall(r"^## Numbers for new rows, .*?(?=^## )", _PAGE.read_text(encoding="utf-8"), re.M | re.S)
    blocks = re.findall(r"^```sql\n(.*?)^```", section, re.M | re.S)
    return [re.sub(r"^-- .*\n", "", block, flags=re.M) for block in blocks]
