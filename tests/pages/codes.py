"""The page `docs/reference/errors.md`, from the texts that `explain` shows."""

from __future__ import annotations

from shardwright.specs.findings.codes.registry import RANGES, how_to_silence, read_all_codes
from shardwright.specs.findings.diagnostics import suppressible


def page() -> str:
    """Markdown, ending in a line break."""
    lines = [
        "# Codes",
        "",
        "Generated from `specs/findings/codes/*.md`; `shardwright explain CODE` shows the same.",
        "",
    ]
    for prefix, title in RANGES.items():
        entries = [entry for entry in read_all_codes() if entry.code.startswith(prefix)]
        if not entries:
            continue
        lines += [f"## {prefix}xxx: {title}", ""]
        for entry in entries:
            lines += [f"### {entry.code}", "", f"**{entry.title}.** {entry.explanation}", ""]
            if suppressible(entry.code):
                lines += [*how_to_silence(entry.code), ""]
            if entry.fix:
                lines += ["```", *entry.fix.splitlines(), "```", ""]
    return "\n".join(lines)
