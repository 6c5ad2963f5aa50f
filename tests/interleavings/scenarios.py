"""What happens to families of rows: swapped and handed-over unique values, moves, key changes (C6, C7; D9 to D13)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.lab import Write, move, new_family, rekey, remove


@dataclass(frozen=True)
class Scenario:
    """Families `id: place` that stand before, and the transactions that happen to them."""

    name: str
    before: dict[int, int]
    transactions: tuple[Write, ...]

    def __str__(self) -> str:
        return self.name


def rename(*names: tuple[int, str | None]) -> list[str]:
    """Names are exchanged in one transaction: all taken away, then all given."""
    taken = [f"UPDATE parent SET name = NULL WHERE id = {id_}" for id_, _ in names]
    return taken + [f"UPDATE parent SET name = '{name}' WHERE id = {id_}" for id_, name in names if name]


UNIQUE_VALUES = (
    Scenario("C6-D10 two rows of a table swap", {110: 0, 111: 0}, (rename((110, "n111"), (111, "n110")),)),
    Scenario(
        "C6-D10 three rows of a table swap in a ring, twice",
        {112: 0, 113: 0, 114: 0},
        (rename((112, "n113"), (113, "n114"), (114, "n112")), rename((112, "n114"), (113, "n112"), (114, "n113"))),
    ),
    Scenario("C6-D11 swap across tables of a shard", {120: 0, 121: 2}, (rename((120, "n121"), (121, "n120")),)),
    Scenario("C6-D11 swap across shards", {122: 0, 123: 1}, (rename((122, "n123"), (123, "n122")),)),
    Scenario(
        "C6-D11 swap names and places across shards",
        {124: 0, 125: 1},
        ([*rename((124, "n125"), (125, "n124")), *move(124, 1), *move(125, 0)],),
    ),
    Scenario(
        "C6-D11 swap names and places across tables of a shard",
        {126: 0, 127: 2},
        ([*rename((126, "n127"), (127, "n126")), *move(126, 2), *move(127, 0)],),
    ),
    Scenario(
        "C6-D11 swap places and keep the names", {128: 0, 129: 1, 130: 2}, (move(128, 1), move(129, 2), move(130, 0))
    ),
    Scenario(
        "C6-D10 late: a row takes the value of one that leaves",
        {140: 0, 141: 0},
        ([*rename((140, "left"), (141, "n140")), *move(140, 1)],),
    ),
    Scenario(
        "C6-D10 late: a new row takes the value of one that leaves",
        {142: 0},
        ([*rename((142, "left142")), *move(142, 3), *new_family(143, 0, name="n142")],),
    ),
    Scenario(
        "C6-D10 late: a chain of rows, each takes the value of the one before it",
        {144: 0, 145: 0, 146: 0},
        ([*rename((144, "left144"), (145, "n144"), (146, "n145")), *move(144, 1)],),
    ),
    Scenario(
        "C6-D10 late: a row comes and takes the value of one that leaves, which takes the next one's",
        {147: 0, 148: 1, 149: 2},
        ([*rename((147, "n148"), (148, "n149"), (149, "n147")), *move(147, 1), *move(148, 2), *move(149, 0)],),
    ),
    Scenario(
        "C6-D10 a value freed by a delete is taken by an old row and a new one",
        {150: 0, 151: 0, 152: 1},
        (
            remove(150),
            ["UPDATE parent SET name = 'n150' WHERE id = 151"],
            remove(152),
            new_family(153, 1, name="n152"),
        ),
    ),
    Scenario(
        "C6-D10 a value goes from hand to hand and home again",
        {154: 0, 155: 0},
        (rename((154, None), (155, "n154")), rename((155, "n155"), (154, "n154"))),
    ),
    Scenario(
        "C6-D10 swapped rows where one also changes its key",
        {156: 0, 157: 0},
        ([*rename((156, "n157"), (157, "n156")), *rekey(156, 158)],),
    ),
)

MOVES = (
    Scenario("C7-D13 A-B", {210: 0}, (move(210, 1),)),
    Scenario("C7-D13 A-B within the shard", {211: 0}, (move(211, 2),)),
    Scenario("C7-D13 A-B-C", {212: 0}, (move(212, 1), move(212, 2))),
    Scenario("C7-D13 A-B-C-A", {213: 0}, (move(213, 1), move(213, 2), move(213, 0))),
    Scenario("C7-D13 A-B-A", {214: 1}, (move(214, 0), move(214, 1, note="home"))),
    Scenario("C7-D13 A-B and deleted", {215: 0}, (move(215, 1), remove(215))),
    Scenario("C7-D13 A-B, deleted, back at C", {216: 0}, (move(216, 1), remove(216), new_family(216, 3))),
    Scenario("C7-D13 a key value that stays in its place", {217: 0}, (move(217, 4),)),
    Scenario("C7-D13 new and moved at once", {}, (new_family(218, 0), move(218, 1), move(218, 2))),
)

KEYS = (
    Scenario("D9 1-2", {310: 0}, (rekey(310, 311),)),
    Scenario("D9 1-2-3 in one transaction", {320: 0}, ([*rekey(320, 321), *rekey(321, 322)],)),
    Scenario("D9 1-2-3 in two transactions", {323: 1}, (rekey(323, 324), rekey(324, 325))),
    Scenario(
        "D9 three rows move up", {330: 0, 331: 0, 332: 1}, ([*rekey(332, 333), *rekey(331, 332), *rekey(330, 331)],)
    ),
    Scenario(
        "D9 a cycle through a spare key", {340: 0, 341: 0}, ([*rekey(340, 349), *rekey(341, 340), *rekey(349, 341)],)
    ),
    Scenario(
        "D9 a cycle across shards through a spare key",
        {342: 0, 343: 1},
        (rekey(342, 348), rekey(343, 342), rekey(348, 343)),
    ),
    Scenario("D9 1-2-1", {350: 0}, (rekey(350, 351), rekey(351, 350))),
    Scenario("D9-D13 key and place at once", {360: 0}, ([*rekey(360, 361), *move(361, 1)],)),
    Scenario(
        "D9 an old key taken by a new row elsewhere", {370: 0}, (rekey(370, 371), new_family(370, 1, name="again"))
    ),
)


ALL = {"C6-unique-values": UNIQUE_VALUES, "C7-moves": MOVES, "D9-keys": KEYS}
