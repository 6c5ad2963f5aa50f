"""Findings of a run as data; text is made at the edge (`render`). With the place in a file that each is about, the
places of a spec that have an error, and which codes are advice.

What depends on a place with an error is left out of later checks, so that one run reports every error and nothing that
merely follows from another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Faults:
    """Paths of values that are not what their author meant: malformed, missing, unknown, or at odds with another."""

    paths: frozenset[Path] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.paths)

    def touch(self, *path: str | int) -> bool:
        """Whether one lies at the place, around it or within it."""
        return any(fault[: len(path)] == path[: len(fault)] for fault in self.paths)

    def within(self, *path: str | int) -> frozenset[str | int]:
        """The keys of the mapping at `path` that have one; those around it are not looked at."""
        return frozenset(
            fault[len(path)] for fault in self.paths if len(fault) > len(path) and fault[: len(path)] == path
        )

    def around(self, *path: str | int) -> bool:
        """Whether one lies at the place or around it."""
        return any(fault == path[: len(fault)] for fault in self.paths)

    def and_at(self, paths: Iterable[Path]) -> Faults:
        return Faults(self.paths | frozenset(paths))


NO_FAULTS = Faults()


Path = tuple[str | int, ...]
"""The way to a YAML node from the document's root: ("tables", 0, "sharding")."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: `line` and `column` count from 1, `length` in characters (at least 1).

    `characters` are the places (line, column) of a text's characters when they do not simply follow one another from
    here: a text of several lines, or with escapes.
    """

    file: str
    line: int
    column: int
    length: int = 1
    characters: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def shift(self, characters: int, length: int = 1) -> Span:
        """The place `characters` further on the same line (for errors inside a SQL scalar)."""
        return Span(self.file, self.line, self.column + characters, length)

    def part(self, start: int, end: int) -> Span:
        """The place of the text's characters from `start` to before `end`; of several lines, the part on the first."""
        if not self.characters:
            return self.shift(start, end - start)
        line, column = self.characters[start]
        last = max(place[1] for place in self.characters[start:end] if place[0] == line)
        return Span(self.file, line, column, last - column + 1)


class Places:
    """What knows the places of a file's values and keys, by their paths: a parsed document, a spec that was read from
    one."""

    __slots__ = ()
    file: str
    spans: Mapping[Path, Span]
    key_spans: Mapping[Path, Span]

    def span_of(self, path: Path) -> Span:
        """The place of the value at `path`, or of the nearest value around it when that one is not written."""
        while path and path not in self.spans:
            path = path[:-1]
        return self.spans.get(path, Span(self.file, 1, 1))

    def key_span_of(self, path: Path) -> Span:
        """The place of the key that leads to `path`; of the value itself for list items and what is not written."""
        return self.key_spans.get(path) or self.span_of(path)


IN_BASELINE: Final = "in the baseline"
"""Why a finding is silenced that the project had already."""


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that explains the first ("columns come from schema/shop.sql:3")."""

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `hint` is printed under the marked text ("did you mean 'x'?"). `suppressed` is the reason that the
    author gave for silencing it; such a finding is counted and kept in reports, and has no other effect."""

    code: str
    message: str
    span: Span
    severity: Severity = Severity.ERROR
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    suppressed: str | None = None

    @property
    def stops(self) -> bool:
        """Whether no plan can be made: it is an error, and no mere advice."""
        return self.severity is Severity.ERROR and suppressible(self.code) is None


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By file, line and column."""
    return tuple(sorted(diagnostics, key=lambda d: (d.span, d.code, d.message)))


class SpecError(Exception):
    """The input is at fault (exit code 1); carries every finding of the run."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = in_order(diagnostics)
        super().__init__("; ".join(f"{d.span}: {d.code}: {d.message}" for d in self.diagnostics))


@dataclass(slots=True)
class Findings:
    """Collects findings so that one run reports them all."""

    items: list[Diagnostic] = field(default_factory=list)

    def error(
        self, code: str, message: str, span: Span, *, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> None:
        self.items.append(Diagnostic(code, message, span, Severity.ERROR, hint, notes))

    def warning(
        self, code: str, message: str, span: Span, *, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> None:
        self.items.append(Diagnostic(code, message, span, Severity.WARNING, hint, notes))

    @property
    def has_errors(self) -> bool:
        """Whether something was found that leaves no plan; advice does not count, be its severity error."""
        return any(item.stops for item in self.items)

    def has_stop_since(self, number: int) -> bool:
        """Whether one of those that came after the first `number` stops."""
        return any(item.stops for item in self.items[number:])

    def raise_errors(self) -> None:
        """Raise SpecError with everything found so far, when something among it stops."""
        if self.has_errors:
            raise SpecError(self.items)


Pass = Literal["validate", "compile", "dry-run"]
"""The command whose work includes the check, the first of them."""

_OF_COMPILE = frozenset(
    {
        "SW2117",
        "SW2119",
        "SW2125",
        "SW4001",
        "SW4002",
        "SW4003",
        "SW4004",
        "SW4010",
        "SW4108",
        "SW4214",
        "SW4301",
        "SW4302",
        "SW4303",
        "SW4304",
        "SW4305",
        "SW4306",
        "SW4307",
        "SW4308",
        "SW4309",
        "SW4310",
        "SW4311",
        "SW4312",
        "SW4313",
        "SW4314",
        "SW4316",
        "SW5004",
        "SW5005",
        "SW5011",
        "SW5101",
        "SW5102",
        "SW5103",
        "SW5104",
        "SW5105",
        "SW5106",
        "SW5108",
        "SW5109",
        "SW5110",
        "SW5111",
        "SW6101",
        "SW6102",
        "SW6103",
    }
)


def suppressible(code: str) -> Pass | None:
    """The pass that looks for a code which may be silenced; None for every other text."""
    return "compile" if code in _OF_COMPILE else None
