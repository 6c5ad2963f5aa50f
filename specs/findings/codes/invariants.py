"""SW32xx: invariants, the queries that both sides must answer alike."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

_TOTALS = "SELECT status, COUNT(*) AS orders, SUM(amount) AS amount FROM order_info GROUP BY status"
_ORPHANS = (
    "SELECT i.order_id FROM order_item AS i LEFT JOIN order_info AS o\n"
    "  ON o.order_id = i.order_id AND o.user_id = i.user_id WHERE o.order_id IS NULL"
)

INVARIANTS: tuple[Code, ...] = (
    Code("SW3201", "an invariant that is no query", "One SELECT in MySQL's words, over the target's tables.", _TOTALS),
    Code(
        "SW3202",
        "an invariant of an unknown table",
        "Its tables are the logical tables of the spec, by the names they have on the target.",
    ),
    Code(
        "SW3203",
        "an invariant of an unknown column",
        "Columns have the names they have on the target. Where two tables have a column of that name, write which is meant.",
    ),
    Code(
        "SW3204",
        "not possible in an invariant",
        "Each physical table, or each pair of tables that stand together, is asked by itself, and the answers are added up. What\n"
        "depends on all rows at once (ORDER BY, LIMIT, DISTINCT, HAVING, windows), on the moment (NOW) or on the server cannot be\n"
        "had so. Instead of AVG write SUM and COUNT.",
        _TOTALS,
    ),
    Code(
        "SW3205",
        "a result column of an invariant",
        "Under `sql` each is SUM, COUNT, MIN or MAX with a name (AS), or what the query groups by. Under `none` each has a name and\n"
        "is computed from one row of each table.",
        _TOTALS,
    ),
    Code(
        "SW3206",
        "an invariant that is not exact",
        "What FLOAT and DOUBLE add up to depends on the order of the rows, and MIN and MAX of a text on the collation. Count them, or\n"
        "compare another column: `verify` compares every value of every row anyway.",
    ),
    Code(
        "SW3207",
        "the tables of an invariant stand apart",
        "Tables are joined where they stand: by the same sharding rule, joined by their shard keys (with a parent: by its key), or\n"
        "with tables that every shard has. Add the shard key to the join.",
        _ORPHANS,
    ),
    Code("SW3208", "two invariants of one name", "The name is that of a file of the plan."),
)
