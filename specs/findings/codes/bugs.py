"""SW9xxx: bugs in the tool itself."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

BUGS: tuple[Code, ...] = (
    Code(
        "SW9000",
        "a bug in the tool",
        "The tool met a case that it does not handle. Nothing half-done stays behind: run again to resume. Please "
        "report it with the output of the same command and --debug.",
    ),
    Code(
        "SW9001",
        "generated SQL does not read back",
        "`dry-run` and `compile --reread` parse every generated statement again, which must give the same text. This "
        "one did not. Please report it with the table it is for.",
    ),
)
