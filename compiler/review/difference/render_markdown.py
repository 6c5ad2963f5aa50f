"""A difference as a comment for a pull request: what is dangerous first, details folded away, never longer than a
comment may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.compiler.review.difference.changes import Change, Risk, SqlChanged
from shardwright.compiler.review.difference.compare import Difference
from shardwright.compiler.review.difference.render_text import heading, phrase, steps_words, summary

MARKER = "<!-- shardwright:diff -->"
"""By which CI finds its own comment again."""

LIMIT = 65_000
"""Characters; GitHub takes 65,535 in a comment."""

_SIGNS = {Risk.DANGER: "🔴 danger", Risk.REVIEW: "🟡 review", Risk.NOTE: "⚪ note"}
_CUT = "\n\n_Truncated: the whole is longer than a comment may be. `shardwright diff` prints it._\n"


def render_markdown(differences: Sequence[Difference], *, base: str) -> str:
    """Ends in a line break."""
    changed = [difference for difference in differences if difference.changes or difference.replans]
    parts = [MARKER, f"### Shardwright: what changes against `{base}`", ""]
    if not changed:
        parts.append("Nothing changes in meaning.")
    for difference in changed:
        parts += _table_part(difference)
    text = "\n".join(parts) + "\n"
    for part in (part for difference in changed for part in _sql_parts(difference)):
        if len(text) + len(part) + len(_CUT) > LIMIT:
            return text[: LIMIT - len(_CUT)] + _CUT
        text += part
    return text if len(text) <= LIMIT else text[: text.rfind("\n", 0, LIMIT - len(_CUT))] + _CUT


def _table_part(difference: Difference) -> Iterator[str]:
    yield f"**{heading(difference)}** — {summary(difference)}"
    yield ""
    if difference.steps is not None:
        yield f"> {_cell(steps_words(difference.steps))}."
        yield ""
    rows = [change for change in difference.changes if not isinstance(change, SqlChanged)]
    if rows:
        yield "| | table | change |"
        yield "|---|---|---|"
        yield from (_row(change) for change in rows)
        yield ""


def _row(change: Change) -> str:
    return f"| {_SIGNS[change.risk]} | {_cell(change.table or '')} | {_cell(phrase(change))} |"


def _cell(text: str) -> str:
    """Text that neither ends the cell nor starts markup of its own."""
    plain = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\|`*_<>[]" else sign for sign in plain)


def _sql_parts(difference: Difference) -> Iterator[str]:
    """One folded block a table; a fence longer than any within the text."""
    changed = [change for change in difference.changes if isinstance(change, SqlChanged)]
    for table in sorted({change.table or "" for change in changed}):
        own = [change for change in changed if (change.table or "") == table]
        text = "\n".join(f"{change.step}\n{change.diff}" for change in own)
        fence = "```"
        while fence in text:
            fence += "`"
        names = ", ".join(change.step for change in own)
        yield (
            "\n"
            f"<details><summary>SQL of {_cell(table or 'every table')}: {names}</summary>\n"
            "\n"
            f"{fence}diff\n"
            f"{text}\n"
            f"{fence}\n"
            "\n"
            "</details>\n"
        )
