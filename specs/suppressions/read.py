"""The suppressions of a file."""

from __future__ import annotations

from shardwright.specs.diagnostics import Findings
from shardwright.specs.span import Span
from shardwright.specs.suppressions.comment import Suppression, read_comment, speaks_to_us
from shardwright.specs.suppressions.sql_comments import sql_comments
from shardwright.specs.suppressions.yaml_comments import yaml_comments

_WORD = "shardwright"


def read_suppressions(text: str, file: str, findings: Findings) -> tuple[Suppression, ...]:
    """What the comments of a YAML or SQL text silence. `file` as findings name it; its ending tells which of the two."""
    if file.endswith(".csv") or _WORD not in text.lower():
        return ()  # scanning takes time, and most files have none; CSV has no comments
    text = text.replace("\r\n", "\n")
    comments = sql_comments(text) if file.endswith(".sql") else yaml_comments(text)
    found: list[Suppression] = []
    for comment in comments:
        if speaks_to_us(comment.text):
            span = Span(file, comment.line, comment.column, len(comment.text))
            found += read_comment(comment.text, span, lines=(comment.first, comment.last), findings=findings)
    return tuple(found)
