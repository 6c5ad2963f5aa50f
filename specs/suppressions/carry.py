"""Suppressions of a schema file that is written anew from the source: each stays beside its line."""

from __future__ import annotations

from collections import defaultdict

from shardwright.specs.suppressions.apply import speaks_to_us
from shardwright.specs.suppressions.comments import CommentPlace, sql_comments

_Place = tuple[str, str]
"""The CREATE TABLE line above, and the line itself; both without margins, comments and a comma at the end."""


def carry_over(old: str, new: str) -> tuple[str, tuple[str, ...]]:
    """The new text with the old one's suppressions, and the comments whose line it does not hold any more."""
    found = [comment for comment in sql_comments(old) if speaks_to_us(comment.text)]
    if not found:
        return new, ()
    beside: dict[_Place, list[str]] = defaultdict(list)
    above: dict[_Place, list[str]] = defaultdict(list)
    places = _places(old)
    for comment in found:
        (beside if comment.first == comment.line else above)[places[comment.first - 1]].append(comment.text)
    lines = []
    for line, place in zip(new.split("\n"), _places(new), strict=True):
        margin = line[: len(line) - len(line.lstrip())]
        lines += [margin + text for text in above.pop(place, ())]
        lines.append(" ".join([line, *beside.pop(place, ())]))
    lost = tuple(text for rest in (above, beside) for texts in rest.values() for text in texts)
    return "\n".join(lines), lost


def _places(text: str) -> list[_Place]:
    comments: dict[int, CommentPlace] = {comment.line: comment for comment in sql_comments(text)}
    places: list[_Place] = []
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        comment = comments.get(number)
        plain = (line if comment is None else line[: comment.column - 1]).strip().rstrip(",")
        if plain.upper().startswith("CREATE TABLE"):
            table = plain
        places.append((table, plain))
    return places
