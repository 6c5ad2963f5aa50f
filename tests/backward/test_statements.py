"""The SQL of a backward plan on a real server: rows of the shards change the source's own tables, and nothing else in
them. The tables and columns of tests/compiler/golden/backward have something of everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from shardwright.compiler.plan.plan import Plan, StepName, with_suffix
from shardwright.compiler.sharding.function import route
from shardwright.runtime.mysql.keys import rows_by_key
from shardwright.runtime.mysql.transactions import decode_text
from shardwright.runtime.stream.apply.statements import with_columns
from tests.columns.engines import SESSION
from tests.compiler.projects import GOLDEN, compile_folder
from tests.servers.testbed import Server

pytestmark = [pytest.mark.server]

LEDGER = "ledger_of_app"
OLD = "2001-02-03 04:05:06"


@pytest.fixture
def connection(source_server: Server) -> Iterator[Any]:
    made = source_server.connect()
    with made.cursor() as cursor:
        for name in ("app", LEDGER):
            cursor.execute(f"DROP DATABASE IF EXISTS {name}")
            cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
    source_server.run_script(GOLDEN / "backward" / "schema.sql", database="app")
    with made.cursor() as cursor:
        cursor.execute("DROP TRIGGER app.account_counted")  # as a cutover does
        cursor.execute(f"USE {LEDGER}")
        cursor.execute(SESSION)
    yield made
    made.close()


@pytest.fixture(scope="module")
def plan() -> Plan:
    found = compile_folder(GOLDEN / "backward").plan.backward
    assert found is not None
    return found


def _query(connection: Any, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def _statement(plan: Plan, table: str, step: StepName, name: str, *, suffix: str = "") -> str:
    return with_suffix(plan.step(table, step).statement(name), suffix).replace("${database}", "app")


def _stage(
    connection: Any, plan: Plan, table: str, action: str, rows: Sequence[Sequence[object]], part: int = 0
) -> None:
    _query(connection, _statement(plan, table, StepName.BOOKKEEPING, "stage"))
    names = ", ".join(f"`{column.target}`" for column in plan.table(table).columns)
    for line, row in enumerate(rows):
        marks = ", ".join(["%s"] * len(row))
        _query(
            connection,
            f"INSERT INTO `{plan.table(table).ours.stage}` (sw_batch, sw_part, sw_action, sw_line, sw_file, sw_offset, "
            f"sw_row, sw_source, {names}) VALUES (1, {part}, %s, {line}, 1, 4, {line}, 0, {marks})",
            action,
            *row,
        )
    _query(connection, f"SET @sw_batch = 1, @sw_part = {part}, @sw_action = '{action}'")


def _apply(connection: Any, plan: Plan, table: str, step: StepName, *names: str, suffix: str = "") -> None:
    written: tuple[str, ...] = ()
    for name in names:
        rows = _query(connection, with_columns(_statement(plan, table, step, name, suffix=suffix), written))
        if name == "written_columns":
            written = tuple(str(decode_text(column)) for (column,) in rows)


def _fill_accounts(connection: Any) -> None:
    for id_, active in ((1, 1), (2, 1), (3, 0)):
        _query(
            connection,
            "INSERT INTO app.account (id, email, kind, limit_amount, born, phone, internal_note, seen_at, active) VALUES "
            f"({id_}, 'a{id_}@x', 'free', 1.50, '1999-01-01', '0123', 'calls twice', '{OLD}', {active})",
        )


def test_what_no_row_brings_stays_as_the_source_has_it(connection: Any, plan: Plan) -> None:
    """Excluded, masked and generated columns, and one with ON UPDATE; a row that is born on the shards gets the spec's
    values and the source's defaults."""
    _fill_accounts(connection)
    _stage(connection, plan, "account", "upsert", [
        (1, "new@x", "paid", "2.75", "2000-02-29", 1),
        (9, "born@x", "free", "0.00", None, 1),
    ])  # fmt: skip
    _apply(connection, plan, "account", StepName.UPSERT, "insert", "update")
    found = _query(
        connection,
        "SELECT id, email, kind, limit_amount + 0, CAST(born AS CHAR), phone, internal_note, CAST(seen_at AS CHAR), doubled "
        "FROM app.account ORDER BY id",
    )
    assert [(row[0], row[1], row[2], float(row[3]), *row[4:]) for row in found] == [
        (1, "new@x", "paid", 2.75, "2000-02-29", "0123", "calls twice", OLD, 2),
        (2, "a2@x", "free", 1.5, "1999-01-01", "0123", "calls twice", OLD, 4),
        (3, "a3@x", "free", 1.5, "1999-01-01", "0123", "calls twice", OLD, 6),
        (9, "born@x", "free", 0.0, None, None, "born on the shards", None, 18),
    ]


def test_unique_values_change_hands_in_a_table_with_generated_columns(connection: Any, plan: Plan) -> None:
    _fill_accounts(connection)
    _stage(connection, plan, "account", "upsert", [
        (1, "a2@x", "free", "1.50", None, 1),
        (2, "a1@x", "free", "1.50", None, 1),
    ])  # fmt: skip
    _apply(connection, plan, "account", StepName.UPSERT,
           "defer", "delete_early", "written_columns", "stash_table", "stash", "remove_stashed", "update_stash", "restore",
           "drop_stash_table", "insert", "update")  # fmt: skip
    found = _query(
        connection, "SELECT id, email, phone, CAST(seen_at AS CHAR) FROM app.account WHERE id < 3 ORDER BY id"
    )
    assert found == [(1, "a2@x", "0123", OLD), (2, "a1@x", "0123", OLD)]


def test_rows_find_their_own_of_several_tables_and_leave_the_other(connection: Any, plan: Plan) -> None:
    _query(connection, "INSERT INTO app.entry_1 (no, account_id, text) VALUES (3, 7, 'old')")
    suffixes = plan.table("entry").suffixes
    assert suffixes == ("0", "1")
    _stage(connection, plan, "entry", "upsert", [(4, 7, "even")], part=0)
    _apply(connection, plan, "entry", StepName.UPSERT, "insert", "update", suffix=suffixes[0])
    _stage(connection, plan, "entry", "delete", [(3, 7, None)], part=1)
    _apply(connection, plan, "entry", StepName.DELETE, "delete", suffix=suffixes[1])
    assert _query(connection, "SELECT no, text FROM app.entry_0") == [(4, "even")]
    assert _query(connection, "SELECT no, text FROM app.entry_1") == []


def test_the_server_says_in_which_table_of_the_shards_a_row_belongs(connection: Any, plan: Plan) -> None:
    """As the forward plan's rule places it, in Python; a child by its parent's row, and without one where rows without
    a parent are."""
    forward = compile_folder(GOLDEN / "backward")
    rule = forward.functions["account"]
    ids = [1, 2, 3, 4, 5, 6, 7, 8, 4294967295]
    for id_ in ids:
        _query(
            connection,
            "INSERT INTO app.account (id, email, kind, internal_note) VALUES (%s, %s, 'free', '')", id_, f"{id_}@x"
        )  # fmt: skip
        _query(connection, "INSERT INTO app.message (account_id, no, body) VALUES (%s, 1, '')", id_)
    _query(connection, "INSERT INTO app.message (account_id, no, body) VALUES (99, 1, 'nobody has this account')")

    def home(table: str, keys: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], object]:
        kinds = [column.type for column in plan.table(table).key_columns]
        lookup = _statement(plan, table, StepName.LOOKUP, "lookup")
        return {key: row[-1] for key, row in rows_by_key(connection, lookup, kinds, keys=keys).items()}

    def home_of(table: str, id_: int) -> str:
        database, part = route(rule, {"id": id_})
        return f"app_{database}.{table}_{part}"

    accounts = home("account", [(str(id_),) for id_ in ids])
    assert accounts == {(str(id_),): home_of("account", id_) for id_ in ids}
    assert len(set(accounts.values())) == 4, "all places are tried"
    messages = home("message", [(str(id_), "1") for id_ in (*ids, 99)])
    assert messages == {(str(id_), "1"): home_of("message", id_) for id_ in ids} | {("99", "1"): "app_0.message_0"}
