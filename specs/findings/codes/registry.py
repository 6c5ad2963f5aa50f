"""Every diagnostic code of the tool, sorted, and what `explain` prints of them.

A module holds a thousand (SW8xxx has four); add an entry there when you use a new code. Compiling needs none of these
explanations and does not import them.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

from shardwright.specs.findings.codes.bugs import BUGS
from shardwright.specs.findings.codes.ddl import DDL
from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.codes.environment import ENVIRONMENT
from shardwright.specs.findings.codes.expressions import EXPRESSIONS
from shardwright.specs.findings.codes.names import NAMES
from shardwright.specs.findings.codes.routing import ROUTING
from shardwright.specs.findings.codes.runtime_80_81 import RUNTIME_80_81
from shardwright.specs.findings.codes.runtime_82_84 import RUNTIME_82_84
from shardwright.specs.findings.codes.runtime_85_88 import RUNTIME_85_88
from shardwright.specs.findings.codes.runtime_89 import RUNTIME_89
from shardwright.specs.findings.codes.safety import SAFETY
from shardwright.specs.findings.codes.yaml import YAML
from shardwright.specs.findings.diagnostics import suppressible
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
    *NAMES,
    *EXPRESSIONS,
    *DDL,
    *ROUTING,
    *SAFETY,
    *ENVIRONMENT,
    *RUNTIME_80_81,
    *RUNTIME_82_84,
    *RUNTIME_85_88,
    *RUNTIME_89,
    *BUGS,
)

_WIDTH = 100
"""Of an explanation on a terminal, in columns."""

BY_CODE: Mapping[str, Code] = {entry.code: entry for entry in ALL_CODES}


class UnknownCode(Exception):
    """There is no such code; the text says what codes look like."""


def explain(code: str) -> str:
    """The page of a code for a terminal, ending in a line break. Raises UnknownCode."""
    wanted = code.strip().upper()
    entry = BY_CODE.get(wanted) or BY_CODE.get(f"SW{wanted}")
    if entry is None:
        raise UnknownCode(f"there is no code {quoted(code)}: a code is 'SW' and four digits, such as SW1101")
    explanation = wrap(entry.explanation, _WIDTH, break_long_words=False, break_on_hyphens=False)
    lines = [f"{entry.code}: {entry.title} ({RANGES[entry.code[:3]]})", "", *explanation]
    if suppressible(entry.code):
        lines += ["", *how_to_silence(entry.code)]
    if entry.fix:
        lines += ["", "Example:", "", *(f"    {line}".rstrip() for line in entry.fix.splitlines())]
    return "\n".join(lines) + "\n"


def listed() -> str:
    """Every code with its title, a line each."""
    return "".join(f"{entry.code}  {entry.title}\n" for entry in ALL_CODES)


def how_to_silence(code: str) -> tuple[str, str]:
    """Two lines. They hold for a code that is `suppressible`."""
    return (
        "May be silenced on its line, or alone on the line above (in a .sql file with -- for #):",
        f"`# shardwright: ignore[{code}] because REASON`",
    )
