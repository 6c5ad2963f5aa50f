"""SW885x and SW886x: spec tests."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

SPEC_TESTS: tuple[Code, ...] = (
    Code(
        "SW8851",
        "a case's rows are not as expected",
        "The plan's SQL gives other rows than the test expects. `-` is expected and missing, `+` stands there, `~` marks the\n"
        "columns that differ. Either the spec does not say what was meant, or the test does not.",
    ),
    Code(
        "SW8852",
        "tests of an unknown migration",
        "`migration` names the migration under test, as one of the project's specs does.",
        "migration: shop-split",
    ),
    Code(
        "SW8853",
        "a test names an unknown source table",
        "`given` and `events` speak of source tables, by name, or as database.table where several databases have the table.",
        "- insert: order_item_1",
    ),
    Code(
        "SW8854",
        "a test names an unknown column",
        "`given` and `events` use the source's column names, `expect` those on the shards.",
    ),
    Code(
        "SW8855",
        "a value that the column cannot hold",
        "The message says why. A source with strict mode would refuse it too.",
    ),
    Code(
        "SW8856",
        "a test expects rows in an unknown table",
        '`expect` names target databases (a range such as "order_db_{0..3}" names several) and their physical tables; under\n'
        "`anywhere` stand logical tables.",
        "expect:\n  order_db_01:\n    order_info_2:\n      - {order_id: 4}",
    ),
    Code(
        "SW8857",
        "an event that cannot happen",
        "An update or a delete whose rows are not there, or a row whose key is there already: the source would log nothing, or\n"
        "refuse. The events of a test start from its given rows.",
    ),
    Code(
        "SW8858",
        "a test's row without its key or shard key",
        "All other columns may be left out; these decide where the row goes.",
    ),
    Code("SW8859", "two cases of one name", "Reports name a case by its name: give each its own."),
    Code(
        "SW8860",
        "batches that do not fit the events",
        "The sizes under `batches` must add up to the number of events.",
        "batches: [2, 1]",
    ),
    Code(
        "SW8861",
        "Spark cannot run a case",
        "The note is Spark's reason. A source value that no statement of the plan accepts stops a run too; if the values are\n"
        "fine, please report it.",
    ),
    Code("SW8863", "there are no spec tests", "`shardwright test` looks for tests/*.yaml in the project folder."),
)
