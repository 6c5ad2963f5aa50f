"""SW213x, SW305x: columns whose values change on the way, and row filters."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

COLUMNS: tuple[Code, ...] = (
    Code(
        "SW2130",
        "a cast loses something",
        "Some values would not arrive as they are; the message says what is lost. Take a type that holds every value, or say in\n"
        "the spec that the loss is meant, and why.",
        "columns: {cast: {at: {type: datetime, loss: accept, reason: nobody looks at microseconds}}}",
    ),
    Code(
        "SW2131",
        "a cast is impossible",
        "Values of the source's type may have no place in the target's type, or there is no way to it that is exact in Spark,\n"
        "in MySQL and in Python alike. docs/casts.md lists every change that is possible.",
    ),
    Code(
        "SW2132",
        "a type that cannot be read",
        "A type is written as in CREATE TABLE, without NOT NULL, DEFAULT or comments. Text may name its character set and\n"
        "collation; a cast keeps the column's own where the type names none.",
        "type: varchar(40) character set utf8mb4 collate utf8mb4_bin",
    ),
    Code(
        "SW2133",
        "a loss is accepted where there is none",
        "The cast is lossless. Leave `loss` out: it would hide a real loss after a later change of the schema.",
    ),
    Code(
        "SW2134",
        "a derived column's type does not hold its values",
        "The message names the worst case of the expression, worked out from the types of its columns. Take a wider type, or\n"
        "bound the expression.",
        "columns: {derive: {region: {expr: 'left(country, 8)', type: varchar(8)}}}",
    ),
    Code(
        "SW2135",
        "a default that the column cannot hold",
        "A default is one literal of the source column's type. Text and dates stand in quotes of their own inside the YAML text.",
        "columns: {default: {country: \"'XX'\"}}",
    ),
    Code("SW2136", "a mask that does not fit the column", "The message says which masks the column's type allows."),
    Code(
        "SW2137",
        "not supported yet: a salt",
        "A salt is a secret: it may not stand in a spec, and plans hold the SQL that runs as it stands. A hash without a salt\n"
        "hides long values; short ones (telephone numbers, dates of birth) can be guessed by trying. Redact those.",
    ),
    Code(
        "SW2138",
        "a mapping of a column that is not copied",
        "cast, default and mask say how a copied column's values change. Copy the column, or drop the mapping.",
    ),
    Code(
        "SW2139",
        "a mask beside another mapping",
        "A masked column is not cast and has no default: the mask stands alone.",
    ),
    Code("SW2140", "a default that is never used", "The source column is NOT NULL, so there is no NULL to replace."),
    Code(
        "SW2141",
        "a key, shard key or version column is changed",
        "Rows are found, ordered and placed by these columns on both sides, so their values arrive as they are. A wider integer,\n"
        "VARCHAR or VARBINARY of the same collation changes nothing about a value and is fine.",
    ),
    Code(
        "SW2142",
        "a unique column might collide",
        "Two rows with different values at the source could have equal values on the target, and one of them would have no\n"
        "place. A target collation that ignores letter case or accents does that, and so does a mask other than a hash.",
    ),
    Code(
        "SW2143",
        "a column that cannot be read",
        "Generated columns are computed by the server and not carried by the stream as others are, and MySQL's JSON has no\n"
        "canonical text yet: neither filters nor derived columns may look at them.",
    ),
    Code("SW2144", "a loss without a reason", "Who accepts a loss says why: the next reviewer was not there."),
)

CONDITIONS: tuple[Code, ...] = (
    Code(
        "SW3050", "no condition", "WHERE, AND, OR, NOT, IF and CASE need a condition: compare the value with something."
    ),
    Code(
        "SW3051",
        "a comparison that is not exact",
        "Only values of one kind are compared, because servers and Spark convert between kinds differently: numbers with\n"
        "numbers, text with text, dates with dates.",
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
        "The literal must be one of the column's labels, letter for letter: another spelling may match under the server's\n"
        "collation and would not in Spark.",
    ),
    Code(
        "SW3055",
        "a comparison under a collation that folds",
        "The column's collation takes different texts for equal (letter case, accents), by tables that Spark does not have.\n"
        "`binary column = 'x'` compares the bytes, in all places alike.",
        "where: binary country = 'DE'",
    ),
    Code("SW3056", "a filter without columns", "It would keep all rows or none. Leave `where` out, or the table."),
)
