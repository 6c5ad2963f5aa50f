"""The page `docs/errors.md`, from the texts that `explain` shows."""

from __future__ import annotations

from shardwright.specs.findings.codes.registry import ALL_CODES, RANGES, how_to_silence
from shardwright.specs.findings.diagnostics import suppressible


def page() -> str:
    """Markdown, ending in a line break."""
    lines = [
        "# Codes",
        "",
        "Generated from `specs/findings/codes/*.py`; `shardwright explain CODE` shows the same.",
        "",
    ]
    for prefix, title in RANGES.items():
        entries = [entry for entry in ALL_CODES if entry.code.startswith(prefix)]
        if not entries:
            continue
        lines += [f"## {prefix}xxx: {title}", ""]
        for entry in entries:
            lines += [f"### {entry.code}", "", f"**{entry.title}.** {' '.join(entry.explanation.split())}", ""]
            if suppressible(entry.code):
                lines += [*how_to_silence(entry.code), ""]
            if entry.fix:
                lines += ["```", *entry.fix.splitlines(), "```", ""]
    return "\n".join(lines)
