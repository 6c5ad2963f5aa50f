"""No false alarm (H3), no ambiguous row (H5), and never `equal` without having compared (H7)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.steps.verify import RANGE_ROWS
from shardwright.runtime.verify import report
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.result import MismatchKind, Verdict
from shardwright.runtime.verify.verify import CompareRequest, verify
from tests.verify.layout import SESSION, Layout, home
from tests.verify.plans import BIGINT, DATABASES, INT, NAME, SOURCE, SUFFIXES, column, plan, table

pytestmark = pytest.mark.server

TEXT = "VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL"
PAIRS = table("pairs", (column("id", INT), column("a", NAME, nullable=True), column("b", NAME, nullable=True)), ("id",))
USERS = table("users", (column("id", BIGINT), column("name", NAME, nullable=True)), ("id",))
USERS_SQL = f"id BIGINT NOT NULL PRIMARY KEY, name {TEXT}"
PLAN = plan((USERS, "id"))


class _Stream:
    """Stands in for the stream in the tables' tests: what `catch_up` does to them, and what is known of the keys that
    changed."""

    def __init__(
        self, catch_up: Callable[[], None], *, changed: tuple[Key, ...] | None = (), rests: bool = False
    ) -> None:
        self._catch_up = catch_up
        self._changed = changed
        self._rests = rests

    def catch_up(self) -> None:
        self._catch_up()

    def at_rest(self) -> bool:
        return self._rests

    def last_batch(self) -> int:
        return 0

    def keys_changed_since(self, _batch: int, _logical: str) -> tuple[Key, ...] | None:
        return self._changed


@pytest.fixture
def users(layout: Layout) -> Layout:
    layout.create_sharded(USERS_SQL, "users")
    layout.fill("users", [(number, f"n{number}") for number in range(50)], shard_key=0)
    return layout


def test_h5_values_that_concatenate_alike_do_not_hash_alike(layout: Layout) -> None:
    values = (None, "", "N", "NULL", "a", "ab", "bc", "c", "abc", ",", "a,", ",a", "61", "'", "\\", " ", "\x00")
    layout.create(f"id INT NOT NULL PRIMARY KEY, a {TEXT}, b {TEXT}", "pairs", databases=[SOURCE])
    layout.insert(SOURCE, "pairs", [(0, a, b) for a in values for b in values][:1])
    statement = plan((PAIRS, None)).steps[0].statement("keys")
    statement = statement.replace("${source_database}", SOURCE).replace("${source_table}", "pairs")
    hashes = set()
    with layout.connect(SOURCE) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SET @sw_no_low = 1, @sw_no_high = 1, @sw_first_bucket = 0, @sw_last_bucket = 63, @sw_stride = 1"
        )
        for a in values:
            for b in values:
                cursor.execute("UPDATE pairs SET a = %s, b = %s", (a, b))
                cursor.execute(statement)
                hashes.add(cursor.fetchall()[0][-1])
    assert len(hashes) == len(values) ** 2


def test_h3_other_character_sets_and_collations_are_no_difference(layout: Layout) -> None:
    latin = ColumnType("varchar", length=60, charset="latin1", collation="latin1_swedish_ci")
    people = table("people", (column("id", BIGINT), column("name", latin)), ("id",))
    shape = "id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(60) CHARACTER SET {} COLLATE {} NOT NULL"
    layout.create(shape.format("latin1", "latin1_swedish_ci"), "people", databases=[SOURCE])
    layout.create(shape.format("utf8mb4", "utf8mb4_unicode_ci"), "people_0", "people_1", databases=DATABASES)
    layout.fill("people", [(number, "Zoë Ünïted €") for number in range(20)], shard_key=0)
    assert layout.verify(plan((people, "id"))).verdict is Verdict.EQUAL


def _home(number: int) -> tuple[str, str]:
    database, part = home(number)
    return DATABASES[database], "users" + SUFFIXES[part]


def test_h3_h4_a_row_still_in_flight_is_no_difference(users: Layout) -> None:
    users.insert(SOURCE, "users", [(100, "new")])
    users.execute(SOURCE, "UPDATE users SET name = 'later' WHERE id = 7")
    calls: list[None] = []

    def catch_up() -> None:
        calls.append(None)
        if len(calls) == 1:
            users.insert(*_home(100), [(100, "new")])
            users.execute(_home(7)[0], f"UPDATE {_home(7)[1]} SET name = 'later' WHERE id = 7")

    result = users.verify(PLAN, moving=_Stream(catch_up))
    assert (result.verdict, result.tables[0].differing_chunks, len(calls)) == (Verdict.EQUAL, 1, 1)


@pytest.mark.parametrize("changed", [(), None], ids=["proven", "unproven"])
def test_h3_h4_a_wrong_row_is_called_wrong_while_the_stream_runs(
    users: Layout, changed: tuple[Key, ...] | None
) -> None:
    users.execute(_home(7)[0], f"UPDATE {_home(7)[1]} SET name = 'other' WHERE id = 7")
    result = users.verify(PLAN, moving=_Stream(lambda: None, changed=changed))
    assert [(it.kind, it.key) for it in result.tables[0].mismatches] == [(MismatchKind.DIFFERENT, ("7",))]


def test_h3_where_nothing_has_moved_one_look_is_enough(users: Layout) -> None:
    def never() -> None:
        raise AssertionError("nothing to wait for")

    users.execute(DATABASES[0], "UPDATE users_0 SET name = 'spoilt' LIMIT 1")
    result = users.verify(PLAN, moving=_Stream(never, changed=None, rests=True))
    assert len(result.tables[0].mismatches) == 1 and result.verdict is Verdict.DIFFERENT


@pytest.mark.long
def test_h3_a_row_that_batches_change_all_the_time_is_not_proven_wrong(users: Layout) -> None:
    users.execute(_home(7)[0], f"UPDATE {_home(7)[1]} SET name = 'other' WHERE id = 7")
    result = users.verify(PLAN, moving=_Stream(lambda: None, changed=(("7",), ("8",))))
    assert (result.tables[0].still_changing, result.tables[0].mismatches) == ((("7",),), ())


@pytest.mark.in_turn
def test_h3_a_key_that_a_batch_spells_otherwise_is_the_same_key(layout: Layout) -> None:
    spelling = ColumnType("varchar", length=60, charset="utf8mb4", collation="utf8mb4_general_ci")
    people = table("people", (column("name", spelling), column("age", INT)), ("name",))
    shape = "name VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL PRIMARY KEY, age INT NOT NULL"
    layout.create(shape, "people", databases=[SOURCE])
    layout.create(shape, "people_0", "people_1", databases=DATABASES)
    layout.insert(SOURCE, "people", [("Zoe", 1), ("Ann", 2)])
    stream = _Stream(lambda: None, changed=(("ZOE",),))
    result = layout.verify(plan((people, "name")), moving=stream).tables[0]
    assert (result.still_changing, [it.key for it in result.mismatches]) == ((("Zoe",),), [("Ann",)])


@pytest.mark.long
def test_h3_a_row_that_never_rests_is_still_changing_not_different(users: Layout) -> None:
    count = iter(range(1000))

    def never_equal() -> None:
        users.execute(SOURCE, f"UPDATE users SET name = 'v{next(count)}' WHERE id = 7")

    never_equal()
    result = users.verify(PLAN, moving=_Stream(never_equal, changed=(("7",),)))
    assert result.tables[0].still_changing == (("7",),)
    assert (result.verdict, report.exit_code(result)) == (Verdict.COULD_NOT_CHECK, 8)


def test_h7_zero_rows_are_never_equal(layout: Layout) -> None:
    layout.create_sharded(USERS_SQL, "users")
    result = layout.verify(PLAN)
    assert (result.verdict, result.tables[0].is_empty) == (Verdict.COULD_NOT_CHECK, True)
    assert "empty on both sides" in report.as_text(result)


def test_h7_a_lost_copy_of_everything_is_different(users: Layout) -> None:
    for database in DATABASES:
        for suffix in SUFFIXES:
            users.execute(database, f"DELETE FROM users{suffix}")
    result = users.verify(PLAN)
    assert {mismatch.kind for mismatch in result.tables[0].mismatches} == {MismatchKind.MISSING}
    assert (len(result.tables[0].mismatches), report.exit_code(result)) == (50, 1)


def test_h7_a_table_that_cannot_be_read_is_named_and_the_others_are_compared(users: Layout) -> None:
    users.create_sharded(USERS_SQL, "others")
    users.fill("others", [(1, "x")], shard_key=0)
    users.execute(DATABASES[1], "DROP TABLE users_1")
    others = table("others", USERS.columns, ("id",))
    result = users.verify(plan((USERS, "id"), (others, "id")))
    assert [one.verdict for one in result.tables] == [Verdict.COULD_NOT_CHECK, Verdict.EQUAL]
    assert (result.tables[0].problem or "").startswith("SW8501: part_1.users_1 cannot be read: ")
    assert report.exit_code(result) == 8


def test_h7_a_key_the_server_does_not_find_again_is_no_boundary(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a mode that turns zero dates into NULL, every later range would be empty on both sides."""
    days = table("days", (column("day", ColumnType("date")), column("id", INT)), ("day", "id"))
    layout.create_sharded("day DATE NOT NULL, id INT NOT NULL, PRIMARY KEY (day, id)", "days")
    layout.fill("days", [("0000-00-00", number) for number in range(RANGE_ROWS + 5)], shard_key=1)
    whole = plan((days, "id"))
    assert layout.verify(whole).verdict is Verdict.EQUAL
    strict = SESSION.replace("ALLOW_INVALID_DATES", "NO_ZERO_DATE,NO_ZERO_IN_DATE")
    monkeypatch.setattr("tests.verify.layout.SESSION", strict)
    found = layout.verify(whole).tables[0]
    assert found.verdict is Verdict.COULD_NOT_CHECK
    assert (found.problem or "").startswith("SW8502: the comparison of ")


def test_h7_rows_that_no_range_holds_are_missed(users: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a range ever leave out rows on both sides alike, counting the tables tells."""
    first_ten = KeyRange(None, ("9",))
    monkeypatch.setattr("shardwright.runtime.verify.table_run.ranges", lambda source, *, steps, low: iter([first_ten]))
    found = users.verify(PLAN).tables[0]
    assert (found.rows_source, found.mismatches, found.verdict) == (10, (), Verdict.COULD_NOT_CHECK)
    assert (found.problem or "").startswith("SW8506: users: 50 rows are on the source but the ranges compared held 10")


def test_h7_value_longer_than_the_packet_limit_still_counts(layout: Layout) -> None:
    """Functions give up beyond max_allowed_packet and return NULL: two rows must not look equal for that."""
    blobs = table("blobs", (column("id", INT), column("data", ColumnType("longblob"), nullable=True)), ("id",))
    layout.create_sharded("id INT NOT NULL PRIMARY KEY, data LONGBLOB NULL", "blobs")
    size = 3 * 2**20
    for database, name, last in ((SOURCE, "blobs", "x"), (_home(5)[0], _home(5)[1].replace("users", "blobs"), "y")):
        layout.execute(database, f"INSERT INTO {name} VALUES (5, CONCAT(REPEAT(CHAR(0), {size}), %s))", last)
    limits = {}
    for database in (SOURCE, *DATABASES):
        limits[database] = _limit(layout, database)
        layout.execute(database, f"SET GLOBAL max_allowed_packet = {2**20}")
    try:
        [mismatch] = layout.verify(plan((blobs, "id"))).tables[0].mismatches
    finally:
        for database, limit in limits.items():
            layout.execute(database, f"SET GLOBAL max_allowed_packet = {limit}")
    assert (mismatch.kind, [it.column for it in mismatch.columns]) == (MismatchKind.DIFFERENT, ["data"])


def _limit(layout: Layout, database: str) -> int:
    with layout.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT @@GLOBAL.max_allowed_packet")
        return int(cursor.fetchall()[0][0])


def test_the_report_says_what_was_compared(users: Layout) -> None:
    users.execute(_home(7)[0], f"UPDATE {_home(7)[1]} SET name = NULL WHERE id = 7")
    result = users.verify(PLAN)
    text = report.as_text(result)
    assert f"  different  7 ({'.'.join(_home(7))})\n      name: source 'n7', target NULL" in text
    assert text.splitlines()[-1].startswith("verdict: DIFFERENT (1 mismatches; 100 rows compared in ")
    read_back = json.loads(json.dumps(report.as_json(result)))
    assert (read_back["verdict"], read_back["tables"][0]["mismatches"][0]["kind"]) == ("different", "different")


def test_progress_is_reported_range_by_range(users: Layout) -> None:
    seen: list[int] = []
    verify(
        PLAN,
        CompareRequest(),
        source=lambda _database: users.connect(SOURCE),
        shard=lambda index: users.connect(DATABASES[index]),
        on_progress=lambda progress: seen.append(progress.rows),
    )
    assert seen == [50]


def test_h7_places_that_mysql_cannot_compute_are_said_to_be_unchecked(users: Layout) -> None:
    """A misplaced row of such a table is not found: the report must say so wherever it says `equal`."""
    blind = plan((replace(USERS, placement=replace(USERS.placement, no_mysql="hash_mod of a long text")), None))
    users.execute(_home(7)[0], f"DELETE FROM {_home(7)[1]} WHERE id = 7")
    elsewhere = next(_home(number) for number in range(50) if _home(number) != _home(7))
    users.insert(*elsewhere, [(7, "n7")])
    assert users.verify(PLAN).verdict is Verdict.DIFFERENT
    result = users.verify(blind)
    assert (result.verdict, report.exit_code(result)) == (Verdict.EQUAL, 0)
    text = report.as_text(result)
    assert "equal, PLACES NOT CHECKED\n" in text
    assert "users: misplaced rows were not looked for: MySQL cannot compute hash_mod of a long text." in text
    assert text.splitlines()[-1].startswith("verdict: equal, PLACES NOT CHECKED of users (0 mismatches; ")
    reported = report.as_json(result)
    assert reported["places_not_checked"] == ["users"]
    assert reported["tables"][0]["not_looked_for"] == "hash_mod of a long text"
    users.execute(_home(8)[0], f"UPDATE {_home(8)[1]} SET name = 'other' WHERE id = 8")
    result = users.verify(blind)
    assert [(it.kind, it.key) for it in result.tables[0].mismatches] == [(MismatchKind.DIFFERENT, ("8",))]
    assert "verdict: DIFFERENT, PLACES NOT CHECKED of users (1 mismatches; " in report.as_text(result)


def test_checked_places_are_not_called_unchecked(users: Layout) -> None:
    result = users.verify(PLAN)
    assert "PLACES" not in report.as_text(result) and report.as_json(result)["places_not_checked"] == []
