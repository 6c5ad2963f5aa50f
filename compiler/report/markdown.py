"""The report as a comment on a pull request: the verdict, then a folded section for each file.

The first line is a mark that is not shown: a workflow finds its earlier comment by it and replaces it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from shardwright.compiler.report.result import RunResult, Sources, summary
from shardwright.specs.diagnostics import Diagnostic
from shardwright.specs.render import render

MOST_BYTES = 65_000
"""GitHub takes 65,535 characters; bytes are never fewer than characters, however they are counted."""


class MarkdownReport:
    """Files with errors come first. What does not fit is counted in the last line."""

    def text(self, result: RunResult, sources: Sources) -> str:
        head = [f"<!-- shardwright:{result.command} -->", f"### shardwright {result.command}: {_verdict(result)}", ""]
        lines, left = list(head), 0
        room = MOST_BYTES - _size(lines) - 200
        for file, findings in _by_file(result.most_severe_first):
            section = list(_section(file, findings, sources, room=room))
            shown = sum(line.startswith("```text") for line in section)
            left += len(findings) - shown
            if shown:
                lines += section
                room -= _size(section)
        if left:
            lines += [f"**Cut off here:** {left} more {_findings(left)} in the log of the run.", ""]
        return "\n".join(lines)


def _verdict(result: RunResult) -> str:
    count = len(result.specs)
    return summary(result) or f"{count} spec{'' if count == 1 else 's'}, nothing found"


def _by_file(findings: Iterable[Diagnostic]) -> list[tuple[str, list[Diagnostic]]]:
    files: dict[str, list[Diagnostic]] = {}
    for item in findings:
        files.setdefault(item.span.file, []).append(item)
    return list(files.items())


def _section(file: str, findings: list[Diagnostic], sources: Sources, *, room: int) -> Iterator[str]:
    title = f"<details><summary>{html.escape(sources.uri(file))}: {len(findings)} {_findings(len(findings))}</summary>"
    opening, closing = (title, ""), ("</details>", "")
    room -= _size(opening) + _size(closing)
    yield from opening
    for item in findings:
        block = tuple(_block(item, sources))
        room -= _size(block)
        if room < 0:
            break
        yield from block
    yield from closing


def _block(item: Diagnostic, sources: Sources) -> Iterator[str]:
    text = render([item], read_line=sources.line).rstrip("\n")
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from (f"{fence}text", *text.split("\n"), fence, "")


def _findings(count: int) -> str:
    return "finding" if count == 1 else "findings"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
