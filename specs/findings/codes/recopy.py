"""SW8464 to SW8466: `run --recopy`, a table that is copied again while the stream goes on."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

RECOPY: tuple[Code, ...] = (
    Code(
        "SW8464",
        "a table that cannot be copied again, because it never was",
        "`--recopy` takes logical tables of the plan of which chunks were copied. The message names those that there are.",
        "shardwright run --recopy orders",
    ),
    Code(
        "SW8465",
        "a table that cannot be copied again by itself",
        "Its rows are removed from the shards first. That would take along what does not come from the source (columns and rows that others\n"
        "write, rows behind a foreign key), or the places of other tables' rows (parents and children). The message says which.",
    ),
    Code(
        "SW8466",
        "a table cannot be copied again now",
        "A source of the migration cannot be read, or `ddl apply` keeps writers out of a table. Nothing was removed: run again later.",
    ),
)
