"""The report as a comment on a pull request: the verdict, then a folded section for each file.

The first line is a mark that is not shown: a workflow finds its earlier comment by it and replaces it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping

from shardwright.compiler.review.report.result import RunResult, Sources, summary
from shardwright.specs.findings.diagnostics import Diagnostic
from shardwright.specs.findings.render import render

MOST_BYTES = 65_000
"""GitHub takes 65,535 characters; bytes are never fewer than characters, however they are counted. The rest is for the
line that says what was cut off."""

_CLOSING = "</details>"


def markdown_text(result: RunResult, sources: Sources) -> str:
    """Files with errors come first. What does not fit is counted in the last line: warnings before errors."""
    lines = [f"<!-- shardwright:{result.command} -->", f"### shardwright {result.command}: {_verdict(result)}", ""]
    files, left = _what_fits(result.most_severe_first, sources, room=MOST_BYTES - _size(lines))
    for file, blocks in files.items():
        lines += [
            _details_start(file, len(blocks), sources),
            "",
            *(line for block in blocks for line in block),
            _CLOSING,
            "",
        ]
    if left:
        lines += [f"**Truncated here:** {left} more {_findings(left)} in the log of the run.", ""]
    return "\n".join(lines)


def _verdict(result: RunResult) -> str:
    count = len(result.specs)
    return summary(result) or f"{count} spec{'' if count == 1 else 's'}, nothing found"


def _what_fits(
    findings: Iterable[Diagnostic], sources: Sources, *, room: int
) -> tuple[Mapping[str, list[tuple[str, ...]]], int]:
    """The blocks of the first findings that fit, by file, and how many findings are left."""
    files: dict[str, list[tuple[str, ...]]] = {}
    left = 0
    for item in findings:
        block = tuple(_block(item, sources))
        needed = _size(block)
        if item.span.file not in files:
            needed += _size((_details_start(item.span.file, 99_999, sources), "", _CLOSING, ""))
        if left or needed > room:
            left += 1
            continue
        room -= needed
        files.setdefault(item.span.file, []).append(block)
    return files, left


def _details_start(file: str, count: int, sources: Sources) -> str:
    return f"<details><summary>{html.escape(sources.uri(file))}: {count} {_findings(count)}</summary>"


def _block(item: Diagnostic, sources: Sources) -> Iterator[str]:
    text = render([item], read_line=sources.line).rstrip("\n")
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from (f"{fence}text", *text.split("\n"), fence, "")


def _findings(count: int) -> str:
    return "finding" if count == 1 else "findings"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
