"""A new source table that a pattern of the spec means stops the stream before it, and an operator takes it or leaves it
out (hazards A1, E17).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.field.case import SHARDS, Case
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

STOPPED_AT = "after-new-table-recorded"
TAKEN_AT = ("before-plan-adopted", "after-plan-adopted", "after-stream-ddl-begun", "after-stream-ddl-passed")
DIED_AT = frozenset({STOPPED_AT, *TAKEN_AT})
COLUMNS = "(id INT PRIMARY KEY, code VARCHAR(20) NOT NULL) DEFAULT CHARSET=utf8mb4"


def chunks(case: Case) -> list[tuple[object, ...]]:
    with case.arena.shard(SHARDS[0]) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT source_table, chunk, low, high, state, rows_read, high_position FROM _shardwright_chunk ORDER BY 1, 2"
        )
        return list(cursor.fetchall())


def require_equal(case: Case, *sources: str) -> None:
    case.verify(saying="verdict: equal")
    rows = sorted(row for source in sources for row in case.source.query(f"SELECT * FROM shop.`{source}`"))
    assert sorted(row for _, _, row in case.shard_rows("item")) == rows


@pytest.mark.parametrize(
    ("policy", "made"),
    [
        ("apply", f"CREATE TABLE item_3 {COLUMNS} SELECT id + 30 AS id, code FROM item_0"),
        pytest.param("stop", "CREATE TABLE item_3 LIKE item_0", marks=pytest.mark.long),
    ],
    ids=["apply", "stop"],
)
def test_a1_e17_a_new_table_of_a_pattern_is_taken_or_left_out_and_never_skipped(
    arena: Arena, tmp_path: Path, policy: str, made: str
) -> None:
    """The log has a table that is made and filled by one statement, and its rows, in one transaction. Behind it another
    one is made, and one plan takes both."""
    case = Case(
        arena,
        tmp_path,
        'tables:\n  - {table: "item_?", expect: 2, to: item, sharding: by_id}',
        setup=(
            *(f"CREATE TABLE item_{source} {COLUMNS}" for source in (0, 1)),
            *(f"INSERT INTO item_{source} VALUES ({source + 2}, 'a'), ({source + 4}, 'b')" for source in (0, 1)),
        ),
        stream=f'{{format: binlog, ddl: {policy}, ignore_ddl: ["create table item_z*"]}}',
    )
    case.plan()
    case.run()
    case.write("CREATE TABLE item_z (id INT PRIMARY KEY)", "UPDATE item_0 SET code = 'c' WHERE id = 2")
    case.run()
    case.write("DROP TABLE item_z", f"CREATE TABLE item_2 {COLUMNS}", "INSERT INTO item_2 VALUES (20, 'x'), (21, 'y')")
    case.write("UPDATE item_0 SET code = 'later' WHERE id = 2")
    said = case.run(code=6, saying="SW8157").err
    assert "shop.item_2 is new, and the pattern 'item_?' of item means it" in said
    assert "later" not in [row[1] for _, _, row in case.shard_rows("item")], "nothing behind it is read"
    case.run(code=6, saying="SW8157")
    spec = case.spec_file.read_text()
    case.spec_file.write_text(spec.replace("expect: 2,", "expect: 2, except: [item_2],"))
    case.plan()
    case.run()
    assert "later" in [row[1] for _, _, row in case.shard_rows("item")]
    case.write(made, "INSERT INTO item_3 VALUES (30, 'z')", f"CREATE TABLE item_4 {COLUMNS}")
    case.write("INSERT INTO item_4 VALUES (60, 'f'), (61, 'g')", "UPDATE item_4 SET code = 'h' WHERE id = 60")
    case.killed_at(STOPPED_AT)
    case.run(code=6, saying="SW8157")
    case.spec_file.write_text(spec.replace("expect: 2", "expect: 5"))
    case.plan()
    copied = chunks(case)
    assert [source for source, *_ in copied] == ["shop.item_0", "shop.item_1"]
    for place in (*TAKEN_AT, *TAKEN_AT[2:]) if policy == "stop" else ():
        case.killed_at(place)
    case.run()
    assert [chunk for chunk in chunks(case) if chunk in copied] == copied, "what was copied is not copied again"
    assert [source for source, *_ in chunks(case)] == [f"shop.item_{number}" for number in range(5)]
    case.write("INSERT INTO item_3 VALUES (31, 'zz')", "DELETE FROM item_2 WHERE id = 20", "DELETE FROM item_4 LIMIT 1")
    case.run()
    require_equal(case, *(f"item_{number}" for number in range(5)))
    if policy == "stop":
        case.write("CREATE TABLE shadow LIKE item_0", "RENAME TABLE shadow TO `item_-`")
        case.write("INSERT INTO `item_-` VALUES (40, 'before the others')")
        case.run(code=6, saying="SW8157")
        case.spec_file.write_text(spec.replace("expect: 2", "expect: 6"))
        case.plan()
        case.run(code=6, saying="SW8221")
        case.run("--recopy", "item")
        require_equal(case, "item_-", *(f"item_{number}" for number in range(5)))
    else:
        case.write("DROP TABLE item_2", f"CREATE TABLE item_2 {COLUMNS}", "INSERT INTO item_2 VALUES (20, 'again')")
        for statement, ends in (("DROP TABLE", 6), ("CREATE TABLE", 0)):  # it makes no new table any more
            said = case.run(code=6, saying=statement).err
            (place,) = re.findall(r"shardwright run --allow (\S+)$", said, re.MULTILINE)
            case.run("--allow", place, code=ends)
