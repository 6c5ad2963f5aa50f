"""SW1951 and SW851x: rows that are held as dead letters."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

QUARANTINE: tuple[Code, ...] = (
    Code(
        "SW1951",
        "not supported yet: rows of this table as dead letters",
        "A dead letter holds one row by its key. Of broadcast tables, families, tables from several sources and keys with several\n"
        "spellings one key is not one row in one place: use `errors: stop` for them.",
    ),
)
DEAD_LETTERS: tuple[Code, ...] = (
    Code(
        "SW8511",
        "a target refuses a row",
        "A value that the target's column cannot hold. Under `errors: quarantine` the row's key is held with all its later events:\n"
        "`shardwright dead-letters list` shows it. Mend the source's row or the target's column, then `dead-letters retry`.",
    ),
    Code(
        "SW8512",
        "more rows would be held than `at_most` allows",
        "So many refused rows are no accident of some of them. Find what they have in common, then raise `errors.at_most`, mend\n"
        "the rows or the targets, or `dead-letters discard` what need not come.",
    ),
    Code(
        "SW8513",
        "there is no such dead letter",
        "`shardwright dead-letters list` names tables and keys as they are given to --table and --key.",
    ),
    Code(
        "SW8514",
        "a held row that moved cannot be given up",
        "Its events named several places. Given up, an old row could stay in one and a new one come to another. Mend what the\n"
        "target refuses, then `dead-letters retry`: the row is read again, and every place it has left is cleared.",
    ),
    Code(
        "SW8515",
        "a held row cannot be read again at its source now",
        "A retry reads the row at the source's server, also where changes come by a queue or a folder. While that server does not\n"
        "answer, or refuses what is asked, the letters wait and the stream goes on: the next run that can read it answers them. Where\n"
        "there is no such server any more, `dead-letters discard` gives the rows up.",
    ),
)
