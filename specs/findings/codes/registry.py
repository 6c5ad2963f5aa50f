"""Every diagnostic code of the tool. Each range is a file of its own; add an entry there when you use a new code."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.specs.findings.codes.bugs import BUGS
from shardwright.specs.findings.codes.columns import COLUMNS, CONDITIONS
from shardwright.specs.findings.codes.ddl import DDL
from shardwright.specs.findings.codes.dead_letters import DEAD_LETTERS, QUARANTINE
from shardwright.specs.findings.codes.entry import Code, Pass
from shardwright.specs.findings.codes.environment import ENVIRONMENT
from shardwright.specs.findings.codes.expressions import EXPRESSIONS
from shardwright.specs.findings.codes.invariants import INVARIANTS
from shardwright.specs.findings.codes.lint import LINT_DELETES, LINT_ROUTING, LINT_SCHEMA
from shardwright.specs.findings.codes.messages import MESSAGES, ROCKETMQ, STREAM_OPTIONS
from shardwright.specs.findings.codes.names import NAMES
from shardwright.specs.findings.codes.parents import PARENTS
from shardwright.specs.findings.codes.queues import QUEUES
from shardwright.specs.findings.codes.recopy import RECOPY
from shardwright.specs.findings.codes.review import REVIEW
from shardwright.specs.findings.codes.routing import ROUTING
from shardwright.specs.findings.codes.runtime import RUNTIME
from shardwright.specs.findings.codes.safety import SAFETY
from shardwright.specs.findings.codes.servers import SERVERS
from shardwright.specs.findings.codes.shape import SHAPE
from shardwright.specs.findings.codes.spec_tests import SPEC_TESTS
from shardwright.specs.findings.codes.stream_ddl import STREAM_DDL
from shardwright.specs.findings.codes.suppressions import SUPPRESSIONS
from shardwright.specs.findings.codes.unsupported import UNSUPPORTED
from shardwright.specs.findings.codes.verify import VERIFY
from shardwright.specs.findings.codes.yaml import YAML
from shardwright.specs.findings.wording import quoted

RANGES: Mapping[str, str] = {
    "SW1": "YAML and shape",
    "SW2": "names and references",
    "SW3": "SQL expressions",
    "SW4": "DDL",
    "SW5": "routing and weights",
    "SW6": "deletes and safety",
    "SW7": "environment and secrets",
    "SW8": "run time",
    "SW9": "bug in the tool",
}

ALL_CODES: tuple[Code, ...] = (
    *YAML,
    *SHAPE,
    *SUPPRESSIONS,
    *UNSUPPORTED,
    *QUARANTINE,
    *STREAM_OPTIONS,
    *NAMES,
    *COLUMNS,
    *PARENTS,
    *EXPRESSIONS,
    *CONDITIONS,
    *INVARIANTS,
    *DDL,
    *LINT_SCHEMA,
    *ROUTING,
    *LINT_ROUTING,
    *SAFETY,
    *LINT_DELETES,
    *ENVIRONMENT,
    *RUNTIME,
    *VERIFY,
    *SERVERS,
    *MESSAGES,
    *ROCKETMQ,
    *QUEUES,
    *DEAD_LETTERS,
    *RECOPY,
    *STREAM_DDL,
    *SPEC_TESTS,
    *REVIEW,
    *BUGS,
)

BY_CODE: Mapping[str, Code] = {entry.code: entry for entry in ALL_CODES}


def suppressible(code: str) -> Pass | None:
    """The pass that looks for a code which may be silenced; None for every other text."""
    entry = BY_CODE.get(code)
    return None if entry is None else entry.suppressible


class UnknownCode(Exception):
    """There is no such code; the text says what codes look like."""


def explain(code: str) -> str:
    """The page of a code for a terminal, ending in a line break. Raises UnknownCode."""
    wanted = code.strip().upper()
    entry = BY_CODE.get(wanted) or BY_CODE.get(f"SW{wanted}")
    if entry is None:
        raise UnknownCode(f"there is no code {quoted(code)}: a code is 'SW' and four digits, such as SW1101")
    lines = [f"{entry.code}: {entry.title} ({RANGES[entry.code[:3]]})", "", entry.explanation]
    if entry.suppressible:
        lines += ["", *_how_to_silence(entry)]
    if entry.fix:
        lines += ["", "Example:", "", *(f"    {line}".rstrip() for line in entry.fix.splitlines())]
    return "\n".join(lines) + "\n"


def listed() -> str:
    """Every code with its title, a line each."""
    return "".join(f"{entry.code}  {entry.title}\n" for entry in ALL_CODES)


def page() -> str:
    """All codes as the Markdown page `docs/errors.md`, from the texts that `explain` shows."""
    lines = [
        "# Codes",
        "",
        "Generated from `specs/findings/codes/registry*.py`; `shardwright explain CODE` shows the same.",
        "",
    ]
    for prefix, title in RANGES.items():
        entries = [entry for entry in ALL_CODES if entry.code.startswith(prefix)]
        if not entries:
            continue
        lines += [f"## {prefix}xxx: {title}", ""]
        for entry in sorted(entries, key=lambda entry: entry.code):
            lines += [f"### {entry.code}", "", f"**{entry.title}.** {' '.join(entry.explanation.split())}", ""]
            if entry.suppressible:
                lines += [*_how_to_silence(entry), ""]
            if entry.fix:
                lines += ["```", *entry.fix.splitlines(), "```", ""]
    return "\n".join(lines)


def _how_to_silence(entry: Code) -> tuple[str, str]:
    return (
        "May be silenced on its line, or alone on the line above (in a .sql file with -- for #):",
        f"`# shardwright: ignore[{entry.code}] because REASON`",
    )
