"""Which reports were asked for: `--report FORMAT[=PATH]`. Nothing heavy is imported here: the command line reads it."""

from __future__ import annotations

from dataclasses import dataclass

FORMATS = ("text", "json", "github", "sarif", "markdown")


class UnknownReport(Exception):
    """The text says which reports there are."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """`path` None means the stream that is the format's own: stderr for people and annotations, stdout for documents."""

    format: str
    path: str | None


def report_request(text: str) -> ReportRequest:
    """Raises UnknownReport."""
    name, equals, path = text.partition("=")
    if name not in FORMATS or (equals and not path):
        raise UnknownReport(f"'{text}' is no report: write FORMAT or FORMAT=PATH, with {', '.join(FORMATS)}")
    return ReportRequest(name, path or None)
