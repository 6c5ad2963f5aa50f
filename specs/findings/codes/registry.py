"""Finds a diagnostic code, lists all of them, and has what `explain` prints of one.

The explanations are Markdown beside this module. A new code goes into the file whose name it begins with; `blocks` says
how a block of it is written. Runs in the process of the command. Imports read none of these files; each is read when
one of its codes is looked up, once in a process. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Final

from shardwright.specs.findings.codes.blocks import Code, read_codes
from shardwright.specs.findings.diagnostics import suppressible
from shardwright.specs.findings.remedies import BY_NAME
from shardwright.specs.findings.wording import quote

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

_FOLDER: Final = Path(__file__).parent
_WIDTH: Final = 100
"""Of an explanation on a terminal, in columns."""


class UnknownCode(Exception):
    """There is no such code; the text says what codes look like."""


def find_code(code: str) -> Code | None:
    """What is known about a code such as SW8207; None where there is no such code. Raises BadCodes."""
    for file in _list_files():
        if code.startswith(file.removesuffix(".md")):
            return next((entry for entry in _read_file(file) if entry.code == code), None)
    return None


def read_code(code: str) -> Code:
    """What is known about a code as a person writes it: SW8207, sw8207 or 8207. Raises UnknownCode, BadCodes."""
    wanted = code.strip().upper()
    entry = find_code(wanted) or find_code(f"SW{wanted}")
    if entry is None:
        raise UnknownCode(f"there is no code {quote(code)}: a code is 'SW' and four digits, such as SW1101")
    return entry


@cache
def read_all_codes() -> tuple[Code, ...]:
    """Every code, sorted. Raises BadCodes."""
    return tuple(entry for file in _list_files() for entry in _read_file(file))


def explain(code: str) -> str:
    """The page of a code for a terminal, ending in a line break. `code` as for `read_code`. Raises UnknownCode,
    BadCodes."""
    entry = read_code(code)
    explanation = wrap(entry.explanation, _WIDTH, break_long_words=False, break_on_hyphens=False)
    lines = [f"{entry.code}: {entry.title} ({RANGES[entry.code[:3]]})", "", *explanation]
    if suppressible(entry.code):
        lines += ["", *how_to_silence(entry.code)]
    if entry.fix:
        lines += ["", "Example:", "", *(f"    {line}".rstrip() for line in entry.fix.splitlines())]
    return "\n".join(lines) + "\n"


def anchor_of(code: str) -> str:
    """Where the documentation's site explains a code, relative to the site's root. `code` as SW8207."""
    return f"reference/errors.html#{code.lower()}"


def list_codes() -> str:
    """Every code with its title, a line each. Raises BadCodes."""
    return "".join(f"{entry.code}  {entry.title}\n" for entry in read_all_codes())


def how_to_silence(code: str) -> tuple[str, str]:
    """Two lines. They hold for a code that is `suppressible`."""
    return (
        "May be silenced on its line, or alone on the line above (in a .sql file with -- for #):",
        f"`# shardwright: ignore[{code}] because REASON`",
    )


@cache
def _list_files() -> tuple[str, ...]:
    return tuple(sorted(path.name for path in _FOLDER.glob("*.md")))


@cache
def _read_file(file: str) -> tuple[Code, ...]:
    return read_codes((_FOLDER / file).read_text("utf-8"), file, BY_NAME)
