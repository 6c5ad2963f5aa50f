"""Child tables come to a running migration and leave it, while their parents move and the run is killed (hazards A1,
D13, J7). The oracle reads both sides by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import ORPHANS, SHARDS, Case, place_of
from tests.support.commands import SMALL_CHUNKS

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

ADOPTED = ("before-plan-adopted", "after-plan-adopted")
LOOKUP = ("after-lookup-table-filled", "before-lookup-tables-recorded")
DIED_AT = frozenset({*ADOPTED, *LOOKUP, "after-recopy-shard-cleared", "after-recopy-begun"})
HEADS, ROWS = 60, 900
CHILDREN = ("line", "memo", "late")
HEAD = "  - {table: head, sharding: {rule: by_id, shard_key: [place]}}\n"
LINE, MEMO = (
    f"  - {{table: {name}, sharding: {{rule: by_id, shard_key: {{parent: head, via: [head_id]}}}}}}\n"
    for name in ("line", "memo")
)

LATE = "  - {table: late, sharding: {rule: by_id, shard_key: {parent: memo, via: [head_id]}}}\n"
"""Placed through a table that is placed through another one. Its `head_id` is a key of `memo`."""


def _writes(seed: int) -> Iterator[str]:
    """Parents move, come and go; children are inserted, deleted, and given to other parents."""
    dice = random.Random(seed)
    while True:
        head, child, key = dice.randrange(HEADS + 5), dice.choice(CHILDREN), dice.randrange(2 * ROWS)
        yield dice.choice(
            (
                f"UPDATE head SET place = place + 1 WHERE id = {head}",
                f"DELETE FROM head WHERE id = {head}",
                f"INSERT IGNORE INTO head VALUES ({head}, {dice.randrange(9)})",
                f"UPDATE {child} SET head_id = {head} WHERE id = {key}",
                f"DELETE FROM {child} WHERE id = {key}",
                f"INSERT IGNORE INTO {child} VALUES ({key}, {head})",
            )
        )


def _with(case: Case, *tables: str, ignored: str = "") -> None:
    text = case.spec_file.read_text("utf-8").partition("tables:")[0]
    left = f"ignore_tables: [{ignored}]\n" if ignored else ""
    case.spec_file.write_text(f"{text}tables:\n{''.join(tables)}{left}", "utf-8")
    case.call("compile")


def _require_placed(case: Case, *children: str, via: dict[int, int] | None = None, where: str = "TRUE") -> None:
    """Each row where its parent's place is by the rule; without a parent in the first table of the first database.
    `via` leads from what the children name to the row of `head`."""

    heads = dict(case.source.query("SELECT id, place FROM shop.head"))
    assert sorted(case.shard_rows("head")) == sorted((*place_of(at), (id_, at)) for id_, at in heads.items())
    for child in children:
        rows = case.source.query(f"SELECT id, head_id FROM shop.{child} WHERE {where}")
        head = {id_: id_ for id_ in heads} if via is None else via
        places = {id_: place_of(heads[at]) for id_, at in head.items() if at in heads}
        wanted = sorted((*places.get(row[1], ORPHANS), row) for row in rows)
        assert sorted(case.shard_rows(child)) == wanted, child


def _tables_left(case: Case, child: str) -> list[str]:
    with case.arena.shard(SHARDS[0]) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW TABLES LIKE %s", (f"%left\\_{child}",))
        return [name for (name,) in cursor.fetchall()]


def _begin_case(arena: Arena, folder: Path, tables: str, *ignored: str) -> Case:
    """Copied once."""
    values = ", ".join(f"({number}, {number % (HEADS + 3)})" for number in range(ROWS))
    case = Case(
        arena,
        folder,
        f"tables:\n{tables}",
        setup=[
            "CREATE TABLE head (id INT PRIMARY KEY, place INT NOT NULL) DEFAULT CHARSET=utf8mb4",
            f"INSERT INTO head VALUES {', '.join(f'({id_}, {id_ % 9})' for id_ in range(HEADS))}",
            *(
                statement
                for name in CHILDREN
                for statement in (
                    f"CREATE TABLE {name} (id INT PRIMARY KEY, head_id INT NOT NULL, KEY (head_id)) "
                    "DEFAULT CHARSET=utf8mb4",
                    f"INSERT INTO {name} VALUES {values}",
                )
            ),
        ],
        settings=SMALL_CHUNKS,
        ignored=ignored,
    )
    case.plan()
    case.run()
    return case


def _require_chained(case: Case) -> None:
    """Rows of `late` are placed through `memo`."""
    _require_placed(case, "memo")
    memos = dict(case.source.query("SELECT id, head_id FROM shop.memo"))
    _require_placed(case, "late", via=memos)
    case.verify(saying="verdict: equal")


def test_a1_d13_j7_tables_become_parents_while_their_rows_move(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """Their lookup tables are read while the application writes, and the run is killed around that."""
    case = _begin_case(arena, tmp_path, HEAD, *CHILDREN)
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        _with(case, HEAD, MEMO, LATE, ignored="line")
        for place in ("after-plan-adopted", *LOOKUP):
            case.kill_at(place)
        case.run(saying="rows are routed by head, memo from here on")
    case.run()
    _require_chained(case)


@pytest.mark.long
def test_a1_d13_j7_children_come_and_go_while_their_parents_move(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    case = _begin_case(arena, tmp_path, HEAD + LINE, "memo", "late")
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        _with(case, HEAD, LINE, MEMO, ignored="late")
        case.call("preflight", "--env", "test", saying="new, copied beside the stream: memo")
        for place in ADOPTED:
            case.kill_at(place)
        case.run()
    case.run()
    _require_placed(case, "line", "memo")
    case.verify(saying="verdict: equal")

    # Both are copied again, one by another filter. The lookup tables stay.
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        few = MEMO.replace("table: memo", "table: memo, where: id % 3 > 0")
        _with(case, HEAD, LINE, few, ignored="late")
        case.run(code=6, saying="SW8221: the rows on the shards are not those of this plan: memo differs in filter")
        case.kill_at("after-recopy-shard-cleared", "--recopy", "head,memo")
        case.kill_at("after-recopy-begun")
        case.run()
    case.run()
    _require_placed(case, "line")
    _require_placed(case, "memo", where="id % 3 > 0")
    case.verify(saying="verdict: equal")

    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        _with(case, HEAD, MEMO.replace("table: memo", "table: memo, where: id % 3 > 0"), ignored="line, late")
        case.run(code=6, saying="run with --leave-out line when that is meant")
        case.kill_at("before-plan-adopted", "--leave-out", "line")
        case.run("--leave-out", "line")
        assert _tables_left(case, "memo") and not _tables_left(case, "line")
    case.run()
    _require_placed(case, "memo", where="id % 3 > 0")

    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        _with(case, HEAD, LINE.replace("table: line", "table: line, existing_rows: replace"), MEMO, ignored="late")
        case.kill_at("before-plan-adopted", "--recopy", "memo")
        case.run("--recopy", "memo")
    case.run()
    _require_placed(case, "line", "memo")
    case.verify(saying="verdict: equal")

    _with(case, HEAD, ignored="line, memo, late")
    case.run("--leave-out", "line,memo")
    _require_placed(case)
    case.write("DELETE FROM head WHERE id % 7 = 0")
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        again = MEMO.replace("table: memo", "table: memo, existing_rows: replace")
        _with(case, HEAD, again, LATE, ignored="line")
        case.kill_at("after-plan-adopted")
        case.run(saying="rows are routed by head, memo from here on")
    case.run()
    _require_chained(case)

    # Tables get another parent, and none.
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        _with(
            case,
            HEAD,
            "  - {table: memo, sharding: by_id}\n",
            LATE.replace("parent: memo", "parent: head"),
            ignored="line",
        )
        case.run(code=6, saying="memo differs in sharding rule, parent")
        case.kill_at("after-recopy-begun", "--recopy", "late,memo")
        case.run()
    case.run()
    case.require_equal("memo")
    _require_placed(case, "late")
    case.verify(saying="verdict: equal")
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        _with(case, HEAD, MEMO, "  - {table: late, sharding: by_id}\n", ignored="line")
        case.run("--recopy", "late,memo")
    case.run()
    case.require_equal("late")
    _require_placed(case, "memo")
    case.verify(saying="verdict: equal")
