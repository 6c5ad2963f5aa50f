"""SW3xxx: SQL expressions of sharding rules and row filters (SW30xx), and invariants (SW32xx)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

_TOTALS = "SELECT status, COUNT(*) AS orders, SUM(amount) AS amount FROM order_info GROUP BY status"

_ORPHANS = (
    "SELECT i.order_id FROM order_item AS i LEFT JOIN order_info AS o\n"
    "  ON o.order_id = i.order_id AND o.user_id = i.user_id WHERE o.order_id IS NULL"
)

EXPRESSIONS: tuple[Code, ...] = (
    Code(
        "SW3001",
        "the expression is not SQL",
        "It cannot be read in the MySQL dialect. The marked place is where it ends.",
    ),
    Code("SW3002", "more than one expression", "Comments and ';' are not allowed in a sharding expression."),
    Code(
        "SW3003",
        "not allowed in a sharding expression",
        "An expression runs in Python, in Spark and in MySQL and must give the same shard in all three. So only "
        "functions and operators whose three forms are known to be equal are allowed.",
        "database: crc32(user_id) % 16",
    ),
    Code(
        "SW3004",
        "the expression names an unknown column",
        "An expression sees the columns of its rule's shard_key only.",
    ),
    Code(
        "SW3005",
        "a column of a type that nothing is sharded by",
        "Integers, texts, binary columns, UUID, INET4 and INET6 can be a shard key.",
    ),
    Code("SW3006", "an argument of the wrong kind", "The message says what the function or operator takes."),
    Code("SW3007", "a divisor that is no plain number", "Divide by a literal number other than zero: div 16, % 16."),
    Code(
        "SW3008", "the value may overflow", "64 bits are not enough for the largest key; the three forms would differ."
    ),
    Code(
        "SW3009",
        "a literal that is not allowed",
        "Integers, and texts of printable ASCII without a backslash, are allowed.",
    ),
    Code("SW3010", "not deterministic", "The same row must find the same shard each time: no now(), rand(), uuid()."),
    Code(
        "SW3050", "no condition", "WHERE, AND, OR, NOT, IF and CASE need a condition: compare the value with something."
    ),
    Code(
        "SW3051",
        "a comparison that is not exact",
        "Only values of one kind are compared, because servers and Spark convert between kinds differently: numbers "
        "with numbers, text with text, dates with dates. A UUID, INET4 or INET6 is compared by =, <> and IN, with "
        "texts that are such values: servers order them by their bytes.",
    ),
    Code(
        "SW3052",
        "no date or time",
        "A date or time is written as '2024-01-31', '2024-01-31 10:00:00' or with up to six digits of a second.",
    ),
    Code(
        "SW3053",
        "a LIKE pattern that is not exact",
        "LIKE may ask how a text begins: LIKE 'abc%'. Other patterns are refused.",
    ),
    Code(
        "SW3054",
        "no label of the ENUM",
        "The literal must be one of the column's labels, letter for letter: another spelling may match under the "
        "server's collation and would not in Spark.",
    ),
    Code(
        "SW3055",
        "a comparison under a collation that folds",
        "The column's collation treats different texts as equal (letter case, accents), by tables that Spark does not "
        "have. `binary column = 'x'` compares the bytes, everywhere in the same way.",
        "where: binary country = 'DE'",
    ),
    Code("SW3056", "a filter without columns", "It would keep all rows or none. Leave `where` out, or the table."),
    Code("SW3201", "an invariant that is no query", "One SELECT in MySQL's words, over the target's tables.", _TOTALS),
    Code(
        "SW3202",
        "an invariant of an unknown table",
        "Its tables are the logical tables of the spec, by the names they have on the target.",
    ),
    Code(
        "SW3203",
        "an invariant of an unknown column",
        "Columns have the names they have on the target. Where two tables have a column of that name, write which is "
        "meant.",
    ),
    Code(
        "SW3204",
        "not possible in an invariant",
        "The query runs on each physical table, or on each pair of co-located tables, and the results are added up. "
        "That does not work for what depends on all rows at once (ORDER BY, LIMIT, DISTINCT, HAVING, windows), on the "
        "time (NOW) or on the server. Instead of AVG write SUM and COUNT.",
        _TOTALS,
    ),
    Code(
        "SW3205",
        "a result column of an invariant",
        "Under `sql` each is SUM, COUNT, MIN or MAX with a name (AS), or what the query groups by. Under `none` each "
        "has a name and is computed from one row of each table.",
        _TOTALS,
    ),
    Code(
        "SW3206",
        "an invariant that is not exact",
        "What FLOAT and DOUBLE add up to depends on the order of the rows, and MIN and MAX of a text on the "
        "collation. A JSON document may print otherwise on the shards. Count them, or compare another column: "
        "`verify` compares every value of every row anyway.",
    ),
    Code(
        "SW3207",
        "the tables of an invariant are not co-located",
        "A join runs within a shard. It needs tables of the same sharding rule, joined by their shard keys (with a "
        "parent: by its key), or tables that every shard has. Add the shard key to the join.",
        _ORPHANS,
    ),
    Code("SW3208", "two invariants of one name", "The name is that of a file of the plan."),
)
