"""The report as a comment on a pull request: the verdict, then folded sections. Errors have one for each file, warnings
one for each rule: the first of them in full, and a line for each other place.

The first line is a mark that is not shown: a workflow finds its earlier comment by it and replaces it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from shardwright.compiler.review.report.result import RunResult, Sources, summary
from shardwright.specs.findings.codes.registry import read_code
from shardwright.specs.findings.diagnostics import Diagnostic, Severity
from shardwright.specs.findings.render import render

MOST_BYTES = 65_000
"""GitHub takes 65,535 characters; bytes are never fewer than characters, however they are counted. The rest is for the
line that says what was cut off."""

_CLOSING = "</details>"
_MOST_DIGITS = 5
"""Of a number of findings in a heading."""


def markdown_text(result: RunResult, sources: Sources) -> str:
    """Errors come first. What does not fit is counted in the last line: warnings before errors."""
    lines = [f"<!-- shardwright:{result.command} -->", f"### shardwright {result.command}: {_verdict(result)}", ""]
    sections, left = _what_fits(result.most_severe_first, sources, room=MOST_BYTES - _size(lines))
    for section in sections:
        lines += section.lines()
    if left:
        lines += [f"**Truncated here:** {left} more {_findings(left)} in the log of the run.", ""]
    return "\n".join(lines)


@dataclass(slots=True)
class _Section:
    """What is folded under one heading."""

    heading: str
    fence: str
    """Longer than all backticks within the short lines."""
    blocks: list[tuple[str, ...]] = field(default_factory=list)
    """Findings in full."""
    short: list[str] = field(default_factory=list)
    """The others of the same rule, a line each."""

    def lines(self) -> Iterator[str]:
        count = len(self.blocks) + len(self.short)
        yield from (f"<details><summary>{html.escape(self.heading)}: {count} {_findings(count)}</summary>", "")
        for block in self.blocks:
            yield from block
        if self.short:
            yield from (f"{self.fence}text", *self.short, self.fence, "")
        yield from (_CLOSING, "")


def _verdict(result: RunResult) -> str:
    count = len(result.specs)
    return summary(result) or f"{count} spec{'' if count == 1 else 's'}, nothing found"


def _what_fits(findings: Sequence[Diagnostic], sources: Sources, *, room: int) -> tuple[list[_Section], int]:
    """The sections of the first findings that fit, and how many findings are left."""
    sections: dict[tuple[Severity, str], _Section] = {}
    fence = _fence_around("".join(item.message + item.span.file for item in findings))
    left = 0
    for item in findings:
        one_rule = item.severity is not Severity.ERROR
        key = item.severity, item.code if one_rule else item.span.file
        known = sections.get(key)
        text = _text_of(item, sources)
        added = (text.split("\n")[0],) if one_rule and known else tuple(_block(text))
        needed = _size(added)
        heading = (
            "" if known else f"{item.code} {read_code(item.code).title}" if one_rule else sources.uri(item.span.file)
        )
        if known is None:
            needed += _size(_Section(heading, fence).lines()) + _size((fence, fence, "text", ""))
            needed += _MOST_DIGITS
        if left or needed > room:
            left += 1
            continue
        room -= needed
        section = known or sections.setdefault(key, _Section(heading, fence))
        if known and one_rule:
            section.short += added
        else:
            section.blocks.append(added)
    return [*sections.values()], left


def _text_of(item: Diagnostic, sources: Sources) -> str:
    return render([item], read_line=sources.line).rstrip("\n")


def _block(text: str) -> Iterator[str]:
    fence = _fence_around(text)
    yield from (f"{fence}text", *text.split("\n"), fence, "")


def _fence_around(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)


def _findings(count: int) -> str:
    return "finding" if count == 1 else "findings"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
