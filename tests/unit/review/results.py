"""Results to report: one with everything a finding can have, and ones of any size."""

from __future__ import annotations

from shardwright.compiler.review.report.result import RunResult, Sources, run_result
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity, Span

SPEC = "specs/my orders.yaml"
LINES = {
    (SPEC, 3): "    key: [custmer_id]   # 100% of orders",
    (SPEC, 7): "    database: user_id % 2",
    ("schema/shop.sql", 9): "  note TEXT, -- ```",
}
SOURCES = Sources(lambda file, number: LINES.get((file, number)), lambda file: f"team/{file}")


def everything() -> RunResult:
    """An error with hint and notes, a warning, a silenced warning, an error of the same line as the first."""
    unknown = Diagnostic(
        "SW2104",
        "shard key column 'custmer_id' is not in table 'orders'",
        Span(SPEC, 3, 11, 10),
        hint="did you mean 'customer_id'?",
        notes=(Note("columns come from", Span("schema/shop.sql", 2, 1, 4)), Note("100%, surely: or\nnot")),
    )
    again = Diagnostic("SW2104", unknown.message, unknown.span, hint="another hint")
    index = Diagnostic("SW4001", "an index ``` is <left> out", Span("schema/shop.sql", 9, 3, 4), Severity.WARNING)
    empty = Diagnostic(
        "SW5004", "some stay empty", Span(SPEC, 7, 15, 11), Severity.WARNING, suppressed="they are filled by hand"
    )
    return run_result("compile", [SPEC], [empty, unknown, again, index, index], details={"plans": []})


def many(errors: int, warnings: int, *, files: int = 1, message: str = "something is wrong") -> RunResult:
    """So many findings of each severity, spread over files, each on a line of its own."""
    severities = [Severity.WARNING] * warnings + [Severity.ERROR] * errors
    found = [
        Diagnostic("SW5004", f"{message} ({number})", Span(f"specs/s{number % files}.yaml", number + 1, 1), severity)
        for number, severity in enumerate(severities)
    ]
    return run_result("validate", [f"specs/s{number}.yaml" for number in range(files)], found)
