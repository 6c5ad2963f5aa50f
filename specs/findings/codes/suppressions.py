"""SW18xx: findings silenced in place."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

SUPPRESSIONS: tuple[Code, ...] = (
    Code(
        "SW1801",
        "not a comment for shardwright",
        "A comment that begins with 'shardwright:' silences findings. It names their codes and says why. It stands on the\n"
        "line of the finding or alone on the line above; several codes have commas between them.",
        "weight: 10  # shardwright: ignore[SW5101] because orders are read through their items",
    ),
    Code(
        "SW1802",
        "silenced without a reason",
        "Whoever reads the file next has to know whether the finding still does not matter. Say why after 'because'.",
        "-- shardwright: ignore[SW4301] because ids come from one sequence service",
    ),
    Code(
        "SW1803",
        "silences a code that does not exist",
        "Nothing is silenced by it. `shardwright explain CODE` says what a code means.",
    ),
    Code(
        "SW1804",
        "silences what may not be silenced",
        "Only advice can be silenced. This finding says that the plan would be wrong, or that it cannot be made: mend what\n"
        "it points at and remove the comment. `shardwright explain CODE` says which codes may be silenced.",
    ),
    Code(
        "SW1805",
        "silences nothing",
        "No such finding was made at the marked line, though the check ran: it was mended, or stands on another line.\n"
        "Remove the code from the comment, or move the comment. Left in place it would hide the next finding.",
    ),
)
