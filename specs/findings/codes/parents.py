"""SW205x: tables that are placed through their parent."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

_SHAPE = "sharding: {rule: by_user, shard_key: {parent: orders, via: [order_id]}}"

PARENTS: tuple[Code, ...] = (
    Code(
        "SW2051",
        "a table is its own parent",
        "A row would have to stand where it stands. `parent` is another table, whose own columns hold the shard key.",
        _SHAPE,
    ),
    Code(
        "SW2052",
        "a parent that has a parent",
        "Only one level is supported yet: the parent needs a shard key of its own. Copy the shard key into one of the two\n"
        "tables, or name the topmost table as parent if the row holds its key.",
    ),
    Code(
        "SW2053",
        "the parent is sharded otherwise",
        "A child stands beside its parent, in the table of the same number, so both are sharded by the same rule.",
        _SHAPE,
    ),
    Code(
        "SW2054",
        "'via' is not the parent's key",
        "`via` names one column for each column of the parent's key, in its order.",
        _SHAPE,
    ),
    Code(
        "SW2055",
        "a column of 'via' and the parent's key are of different types",
        "Equal values must be equal to the server and to us: two integers, two texts of one character set and collation, or\n"
        "the very same type. Change the column at the source.",
    ),
    Code(
        "SW2056",
        "a column of 'via' is not copied",
        "When the parent moves, its rows are found on their shard by this column. Take it out of `exclude`.",
    ),
    Code(
        "SW2057",
        "a delete policy that a child cannot have",
        "What a chunk may bring back is remembered by key for a table that is placed through its parent. Use until_snapshot,\n"
        "which is exact, or immediate.",
    ),
    Code(
        "SW2058",
        "no index leads to a parent's rows",
        "Whenever a parent comes, moves or goes, its rows are looked for by these columns on a shard. Without an index that\n"
        "reads a whole table for each batch. Add one at the source before the move, or on the targets by a DDL change.",
        "ALTER TABLE order_item ADD KEY by_order (order_id)",
    ),
    Code(
        "SW2061",
        "a parent or a child of several source tables",
        "Rows of one logical table that come from several source tables have an owner each, which a row that follows its parent\n"
        "does not bring along yet. Shard the child by a column of its own.",
    ),
    Code(
        "SW2062",
        "MySQL cannot compute where a parent stands",
        "The places of all parents are read from the source at the start, which computes them. Shard the parent by a rule that\n"
        "MySQL can compute.",
    ),
    Code(
        "SW2161",
        "a key of a family that may be spelt in several ways",
        "Where parents stand is remembered by the text of their keys. Under a collation that ignores letter case or accents one\n"
        "row's key has several texts, which is not supported in families yet. Give the key a _bin collation at the source, or\n"
        "shard the child by a column of its own.",
    ),
    Code(
        "SW2162",
        "a child that writes changed columns only",
        "Rows that follow their parent are written whole where it goes. Leave `write` out, or shard the child by a column of its\n"
        "own.",
    ),
)
