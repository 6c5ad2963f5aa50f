"""SW9xxx: bugs in the tool itself."""

from __future__ import annotations

from shardwright.specs.code_entry import Code

BUGS: tuple[Code, ...] = (
    Code(
        "SW9000",
        "a bug in the tool",
        "Something happened that nobody thought of. Nothing half-done stays behind: run again to resume. Please report it\n"
        "with the output of the same command and --debug.",
    ),
    Code(
        "SW9001",
        "generated SQL does not read back",
        "Every generated statement is parsed again and must give the same tree. This one did not, so nothing was written.",
    ),
)
