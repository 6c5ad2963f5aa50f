"""What does the emitter have to know of a programming language? Its words for each step, its types, its statements.
Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from shardwright.compiler.router.terms import Kind

_SECTION = re.compile(r"^@@ ([\w.]+)\n", re.MULTILINE)
_IMPORT = re.compile(r"^@import (.*)\n", re.MULTILINE)
_WORD = re.compile(r"(\w+)(\.?)")
_COMMENT = re.compile(r"^ *(?://|#).*$", re.MULTILINE)
_LITERAL = re.compile(r'"(?:\\.|[^"\\])*"')


Declare = Callable[[str, Any], str]
"""The declaration of a constant, of its name and a term's table."""


@dataclass(frozen=True, slots=True)
class Statements:
    """Templates of statements; `{name}`, `{type}`, `{value}` and `{test}` are filled."""

    declare: str
    """A variable that later gets its value. Empty: none is needed."""
    define: str
    assign: str
    first_test: str
    next_test: str
    otherwise: str
    end: str
    """After a chain of tests. Empty: nothing."""
    function: str
    """The first line of a function, `{name}`."""
    answer: str
    """Returns `{database}` and `{table}`."""
    last: str
    """After the function. Empty: nothing."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the libraries.

    steps       a template for each word of a term, of the operands {0}, {1} and, for tables, {table} and {default}
    types       of a value that is never NULL, and `nullable` of one that may be
    some, value   from a value to one that may be NULL, and back
    integer, quote   literals
    variable    a variable of that name
    tables      declarations of constants, by the word of the step that reads them
    """

    name: str
    extension: str
    steps: Mapping[str, str]
    types: Mapping[Kind, str]
    nullable: Mapping[Kind, str]
    null: str
    some: Mapping[Kind, str]
    value: Mapping[Kind, str]
    statements: Statements
    integer: Callable[[int, Kind], str]
    quote: Callable[[str], str]
    tables: Mapping[str, Declare]
    variable: str = "{0}"
    indent: int = 0
    """Of a function's first line, in spaces."""
    tab: str = "    "
    comment: str = "//"
    yes: str = "true"
    no: str = "false"


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of a language's own text: `frame`, and helpers by the name that code calls them by, with what each of
    them imports."""

    helpers: Mapping[str, str]
    imports: Mapping[str, tuple[str, ...]]

    @property
    def frame(self) -> str:
        return self.helpers["frame"]

    def find_used(self, code: str) -> tuple[str, ...]:
        """The helpers that the code calls, and those that they call, in the file's order."""
        found: set[str] = set()
        waiting = [code, self.frame]
        while waiting:
            found_words = _WORD.findall(_LITERAL.sub("", _COMMENT.sub("", waiting.pop())))
            words = {word + dot for word, dot in found_words} | {word for word, _ in found_words}
            for name in (words & self.helpers.keys()) - found - {"frame"}:
                found.add(name)
                waiting.append(self.helpers[name])
        return tuple(name for name in self.helpers if name in found)


@cache
def read_sections(language: str) -> Sections:
    """Of the file `libraries/LANGUAGE.txt`: each section begins with `@@ NAME` (`@@ NAME.` for a package of that
    name), and `@import` lines in it say what it needs."""
    text = (Path(__file__).parent / "libraries" / f"{language}.txt").read_text("utf-8")
    parts = _SECTION.split(text)[1:]
    helpers, imports = {}, {}
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        imports[name] = tuple(_IMPORT.findall(body))
        helpers[name] = _IMPORT.sub("", body).strip("\n") + "\n"
    return Sections(helpers, imports)
