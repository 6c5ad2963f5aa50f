"""A new source table that a pattern of the spec means stops the stream before it, and an operator takes it or leaves it
out (hazards A1, E17).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import ORPHANS, SHARDS, Case, place_of
from tests.support.job import ENVIRONMENT

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


@pytest.mark.in_turn
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
    case.kill_at(STOPPED_AT)
    case.run(code=6, saying="SW8157")
    case.spec_file.write_text(spec.replace("expect: 2", "expect: 5"))
    case.plan()
    copied = chunks(case)
    assert [source for source, *_ in copied] == ["shop.item_0", "shop.item_1"]
    for place in (*TAKEN_AT, *TAKEN_AT[2:]) if policy == "stop" else ():
        case.kill_at(place)
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


FAMILY = """tables:
  - {table: "head_?", expect: 2, to: head, sharding: by_id}
  - {table: "line_?", expect: 2, to: line, sharding: {rule: by_id, shard_key: {parent: head, via: [head_id]}}}"""
HEAD = "(id INT PRIMARY KEY, note VARCHAR(20) NOT NULL) DEFAULT CHARSET=utf8mb4"
LINE = "(id INT PRIMARY KEY, head_id INT NOT NULL, KEY (head_id)) DEFAULT CHARSET=utf8mb4"


def require_placed(case: Case) -> None:
    """Every row of the source once on the shards, and each line where its head is by the rule; those without one in the
    first table of the first database."""
    case.verify(saying="verdict: equal")

    def rows(logical: str) -> list[tuple[int, ...]]:
        names = [name for (name,) in case.source.query("SHOW TABLES", database="shop") if name.startswith(logical)]
        return [r for name in names if name[-1] in "012" for r in case.source.query(f"SELECT * FROM shop.{name}")]

    heads = rows("head")
    known = {row[0] for row in heads}
    wanted = [(*place_of(row[0]), row) for row in heads]
    assert sorted(case.shard_rows("head")) == sorted(wanted)
    lines = [(*(place_of(row[1]) if row[1] in known else ORPHANS), row) for row in rows("line")]
    assert sorted(case.shard_rows("line")) == sorted(lines)
    assert len({(shard, suffix) for shard, suffix, _ in wanted}) == 4


@pytest.mark.long
def test_a1_d13_new_tables_of_a_family_are_taken_where_the_log_makes_them(arena: Arena, tmp_path: Path) -> None:
    """Children come before their parents, and parents go from an older table to the new one."""
    case = Case(
        arena,
        tmp_path,
        FAMILY,
        setup=(
            *(f"CREATE TABLE head_{source} {HEAD}" for source in (0, 1)),
            *(f"CREATE TABLE line_{source} {LINE}" for source in (0, 1)),
            *(f"INSERT INTO head_{id_ % 2} VALUES ({id_}, 'a')" for id_ in range(10)),
            *(f"INSERT INTO line_{id_ % 2} VALUES ({id_}, {id_ % 20})" for id_ in range(40)),
        ),
        stream="{format: binlog, ddl: apply}",
    )
    case.plan()
    case.run()
    require_placed(case)
    case.write(
        "INSERT INTO head_0 VALUES (10, 'before')",
        f"CREATE TABLE line_2 {LINE}",
        "INSERT INTO line_2 VALUES (50, 3), (51, 11), (52, 12), (53, 10), (54, 99)",
        f"CREATE TABLE IF NOT EXISTS head_2 {HEAD}",
        "INSERT INTO head_2 VALUES (11, 'new'), (13, 'new')",
        "DELETE FROM head_1 WHERE id = 3",
        "INSERT INTO head_2 SELECT * FROM head_0 WHERE id = 4",
        "DELETE FROM head_0 WHERE id = 4",
        "UPDATE head_2 SET id = 12 WHERE id = 11",
        "UPDATE line_0 SET head_id = 12 WHERE id < 6",
    )
    case.run(code=6, saying="shop.line_2 is new, and the pattern 'line_?' of line means it")
    spec = case.spec_file.read_text().replace("expect: 2, to: line", "expect: 3, to: line")

    def take(heads: int, left_out: list[str]) -> None:
        but = f", except: [{', '.join(left_out)}]" if left_out else ""
        case.spec_file.write_text(spec.replace("expect: 2", f"expect: {heads}{but}"))
        case.plan()

    take(3, [])
    copied = chunks(case)
    for place in TAKEN_AT:
        case.kill_at(place)
    case.run()
    assert [chunk for chunk in chunks(case) if chunk in copied] == copied, "what was copied is not copied again"
    assert {source for source, *_ in chunks(case)} == {
        f"shop.{name}_{n}" for name in ("head", "line") for n in range(3)
    }
    require_placed(case)
    case.write(
        "INSERT INTO head_2 VALUES (99, 'late')",
        "UPDATE head_2 SET id = 14 WHERE id = 12",
        "DELETE FROM head_2 WHERE id = 13",
        "INSERT INTO line_2 VALUES (55, 14)",
    )
    case.run()
    require_placed(case)
    left_out: list[str] = []
    for name, *made in (
        ("head_4", f"CREATE TABLE head_4 {HEAD} SELECT id + 100 AS id, note FROM head_0"),
        ("head_5", f"CREATE TABLE later {HEAD}", "INSERT INTO later VALUES (200, '')", "RENAME TABLE later TO head_5"),
    ):
        case.write(*made, f"INSERT INTO {name} VALUES (1000, '')", "UPDATE head_0 SET note = 'b' LIMIT 1")
        case.run(code=6, saying=f"shop.{name} is new")
        take(4, left_out)
        case.call("preflight", "--env", ENVIRONMENT, code=6, saying="SW8224")
        case.run(code=6, saying=f"SW8224: shop.{name} is new in this plan")
        left_out.append(name)
        take(3, left_out)
        case.run()
        require_placed(case)
    # The log of MySQL has this statement once more, and the table has rows that the stream does not have.
    case.write(f"CREATE TABLE IF NOT EXISTS head_5 {HEAD}", "UPDATE head_0 SET note = 'c' LIMIT 1")
    take(4, ["head_4"])
    case.run(code=6, saying="SW8224: shop.head_5 is new in this plan")
