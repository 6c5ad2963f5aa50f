"""Where a row of the source belongs on the shards, when its parent has a parent: the look-up of the backward plan on a
real server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from shardwright.compiler.plan.plan import StepName, with_suffix
from shardwright.compiler.sharding.function import route
from shardwright.runtime.mysql.keys import rows_by_key
from tests.columns.engines import SESSION
from tests.compiler.projects import GOLDEN, compile_folder
from tests.servers.testbed import Server

pytestmark = [pytest.mark.server]

USERS = range(1, 9)


@pytest.fixture
def connection(source_server: Server) -> Iterator[Any]:
    with source_server.connect() as made:
        with made.cursor() as cursor:
            cursor.execute("DROP DATABASE IF EXISTS app")
            cursor.execute("CREATE DATABASE app CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
        source_server.run_script(GOLDEN / "chain" / "schema.sql", database="app")
        with made.cursor() as cursor:
            cursor.execute("USE app")
            cursor.execute(SESSION)
        yield made


def test_a_row_belongs_where_the_topmost_row_above_it_is(connection: Any) -> None:
    chain = compile_folder(GOLDEN / "chain")
    back = chain.plan.backward
    assert back is not None
    with connection.cursor() as cursor:
        for user in USERS:
            cursor.execute("INSERT INTO customer VALUES (%s, %s)", (f"c{user}", user))
            cursor.execute("INSERT INTO order_info VALUES (%s, 1, 0)", (f"c{user}",))
            cursor.execute("INSERT INTO order_line VALUES (%s, %s, 1, 0)", (f"L{user}", f"c{user}"))
            cursor.execute("INSERT INTO line_note VALUES (%s, %s, '')", (user, f"l{user}"))
        cursor.execute("INSERT INTO order_info VALUES ('none', 1, 0)")
        cursor.execute("INSERT INTO order_line VALUES ('of none', 'none', 1, 0), ('alone', NULL, NULL, 0)")
        cursor.execute("INSERT INTO line_note VALUES (100, 'of none', ''), (101, 'alone', ''), (102, 'gone', '')")

    def homes(table: str, keys: Sequence[tuple[str, ...]]) -> Mapping[tuple[str, ...], object]:
        kinds = [column.type for column in back.table(table).key_columns]
        lookup = with_suffix(back.step(table, StepName.LOOKUP).statement("lookup"), "").replace("${database}", "app")
        return {key: row[-1] for key, row in rows_by_key(connection, lookup, kinds, keys=keys).items()}

    def home_of(table: str, user: int) -> str:
        database, part = route(chain.functions["customer"], {"user_id": user})
        return f"order_db_{database}.{table}_{part}"

    orders = homes("order_info", [(f"c{user}", "1") for user in USERS] + [("none", "1")])
    assert orders == {(f"c{user}", "1"): home_of("order_info", user) for user in USERS} | {
        ("none", "1"): "order_db_0.order_info_0"
    }
    lines = homes("order_line", [(f"L{user}",) for user in USERS] + [("of none",), ("alone",)])
    assert lines == {(f"L{user}",): home_of("order_line", user) for user in USERS} | {
        (name,): "order_db_0.order_line_0" for name in ("of none", "alone")
    }
    notes = homes("line_note", [(str(number),) for number in (*USERS, 100, 101, 102)])
    assert notes == {(str(user),): home_of("line_note", user) for user in USERS} | {
        (str(number),): "order_db_0.line_note_0" for number in (100, 101, 102)
    }
    assert len(set(notes.values())) == 4, "all places are tried"
