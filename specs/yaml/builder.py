"""From parser events to plain data with places, down to each character of a text, for findings inside expressions.
Nesting is bounded here, not by a stack; aliases are never followed.

One walk finds the characters of a text in all styles. White space may be folded, so its place is only near; every other
character's is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import yaml

from shardwright.specs.findings.diagnostics import Findings, Note, Path, Span
from shardwright.specs.yaml.document import YamlSource
from shardwright.specs.yaml.scalars import scalar_value, speaks_of_a_secret

_LONG_ESCAPES = {"x": 4, "u": 6, "U": 10}


def character_places(
    lines: Sequence[str], *, start: tuple[int, int], end: tuple[int, int], quote: str, value: str
) -> tuple[tuple[int, int], ...]:
    """Line and column (from 1) of every character of `value`, which was read from between `start` and `end` (from 0,
    without quotes and block signs). `quote` is the sign around it, or empty. Nothing when the two do not fit together.
    """
    text = _between(lines, start, end)
    position = 0
    offsets: list[int] = []
    for character in value:
        position = _skip_space(text, position, white_space=not character.isspace(), quote=quote)
        if position >= len(text):
            if not character.isspace():
                return ()
            offsets.append(len(text))
            continue
        width = _width(text, position, character, quote)
        if width is None:
            return ()
        offsets.append(position)
        position += width
    return _places(text, offsets, start)


def _between(lines: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    text = "\n".join(lines[start[0] : end[0] + 1])
    after = len(lines[end[0]]) - end[1] if end[0] < len(lines) else 0
    return text[start[1] : len(text) - after]


def _skip_space(text: str, position: int, *, white_space: bool, quote: str) -> int:
    """The position of the next character that stands for something."""
    while position < len(text):
        if quote == '"' and text.startswith("\\\n", position):
            position += 2
            while text.startswith((" ", "\n"), position):
                position += 1
        elif white_space and text[position].isspace():
            position += 1
        else:
            break
    return position


def _width(text: str, position: int, character: str, quote: str) -> int | None:
    """How many characters of the file stand for this one; None when it cannot be this one."""
    written = text[position]
    if quote == '"' and written == "\\":
        return _LONG_ESCAPES.get(text[position + 1 : position + 2], 2)
    if quote == "'" and text.startswith("''", position):
        return 2 if character == "'" else None
    if written == character:
        return 1
    if character.isspace():
        return 1 if written.isspace() else 0
    return None


def _places(text: str, offsets: Sequence[int], start: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    line, line_start = start[0] + 1, -start[1]
    position = 0
    places = []
    for offset in offsets:
        while (newline := text.find("\n", position, offset)) >= 0:
            line, line_start = line + 1, newline + 1
            position = newline + 1
        places.append((line, offset - line_start + 1))
    return tuple(places)


MAX_DEPTH = 32


class TooDeep(Exception):
    """Nesting passed MAX_DEPTH: the finding is made, the rest of the file is not read."""


@dataclass(slots=True)
class DocumentBuilder:
    file: str
    lines: tuple[str, ...]
    findings: Findings
    spans: dict[Path, Span] = field(default_factory=dict)
    key_spans: dict[Path, Span] = field(default_factory=dict)
    refused: set[Path] = field(default_factory=set)
    incomplete: set[Path] = field(default_factory=set)

    def document(self, events: Iterator[yaml.Event]) -> YamlSource | None:
        """Build the first document and refuse a second one."""
        data: object = None
        documents = 0
        for event in events:
            if not isinstance(event, yaml.DocumentStartEvent):
                continue
            documents += 1
            if documents > 1:
                line, column, _, _ = _marks(event)
                span = self.clamp(line, column, 3)
                self.findings.error("SW1006", "a second YAML document starts here", span, hint="one document per file")
                break
            if event.version or event.tags:
                self.findings.error("SW1007", "YAML directives are not allowed", self.clamp(0, 0))
            data = self.value(next(events), events, ())
        if not documents:
            self.findings.error("SW1010", "the file is empty", Span(self.file, 1, 1))
            return None
        return YamlSource(
            self.file, data, self.spans, self.key_spans, frozenset(self.refused), frozenset(self.incomplete)
        )

    def value(self, event: yaml.Event, events: Iterator[yaml.Event], path: Path) -> object:
        span = self.spans[path] = self.with_characters(event, self.span_of_event(event))
        if len(path) > MAX_DEPTH:
            self.findings.error("SW1012", f"nested deeper than {MAX_DEPTH} levels", span)
            raise TooDeep
        self.refuse_node_properties(event, path, span)
        match event:
            case yaml.ScalarEvent():
                return scalar_value(event.value) if event.implicit[0] and not event.style else event.value
            case yaml.SequenceStartEvent():
                return self.sequence(event, events, path)
            case yaml.MappingStartEvent():
                return self.mapping(event, events, path)
            case _:
                return None  # an alias: refused above

    def refuse_node_properties(self, event: yaml.Event, path: Path, span: Span) -> None:
        # A password that begins with * & or ! lands here: its text must not be repeated.
        hidden = any(speaks_of_a_secret(part) for part in path)
        if isinstance(event, yaml.AliasEvent):
            self.refused.add(path)
            name = "an alias" if hidden else f"alias '*{event.anchor}'"
            hint = "write the value out; a text that begins with * needs quotes"
            self.findings.error("SW1004", f"{name} is not allowed", span, hint=hint)
            return
        assert isinstance(event, yaml.NodeEvent)
        if event.anchor:
            name = "an anchor" if hidden else f"anchor '&{event.anchor}'"
            hint = "write the value out where it is needed"
            self.findings.error("SW1004", f"{name} is not allowed", span, hint=hint)
        tag = getattr(event, "tag", None)
        if tag:
            self.refused.add(path)
            name = "a tag" if hidden else f"tag '{tag.replace('tag:yaml.org,2002:', '!!', 1)}'"
            self.findings.error("SW1007", f"{name} is not allowed", span, hint="write a plain value")

    def sequence(self, start: yaml.CollectionStartEvent, events: Iterator[yaml.Event], path: Path) -> list[object]:
        items: list[object] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(self.value(event, events, (*path, len(items))))
        self.mark_whole(path, start, event, None)
        return items

    def mapping(self, start: yaml.CollectionStartEvent, events: Iterator[yaml.Event], path: Path) -> dict[str, object]:
        items: dict[str, object] = {}
        first_key: Span | None = None
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self.key(event, events, path)
            if key is None:
                self.incomplete.add(path)
            if key is None or key in items:
                self.discard(next(events), events, path)
                continue
            first_key = first_key or self.key_spans[(*path, key)]
            items[key] = self.value(next(events), events, (*path, key))
        self.mark_whole(path, start, event, first_key)
        return items

    def key(self, event: yaml.Event, events: Iterator[yaml.Event], path: Path) -> str | None:
        """The key's text; None when the entry is to be left out."""
        span = self.span_of_event(event)
        if not isinstance(event, yaml.ScalarEvent):
            if isinstance(event, yaml.AliasEvent):
                self.refuse_node_properties(event, path, span)
            else:
                hint = "a name with braces or brackets needs quotes"
                self.findings.error("SW1011", "a key must be a plain name", span, hint=hint)
                self.discard(event, events, path)
            return None
        if event.anchor or event.tag:
            self.refuse_node_properties(event, path, span)
        if event.value == "<<" and not event.style:
            self.findings.error("SW1004", "merge key '<<' is not allowed", span, hint="write the keys out")
            return None
        if (known := self.key_spans.get((*path, event.value))) is not None:
            note = Note("first written at", known)
            self.findings.error("SW1003", f"key '{event.value}' is written twice", span, notes=(note,))
            return event.value
        self.key_spans[(*path, event.value)] = span
        return event.value

    def discard(self, event: yaml.Event, events: Iterator[yaml.Event], path: Path) -> None:
        """Read over a node without keeping its places; what is wrong inside it is still found."""
        DocumentBuilder(self.file, self.lines, self.findings).value(event, events, (*path, "discarded"))

    def span_of_event(self, event: yaml.Event) -> Span:
        line, column, end_line, end_column = _marks(event)
        style = getattr(event, "style", None)
        if style in ("|", ">"):
            return self.block_scalar_span(line)
        if line != end_line:
            return self.clamp(line, column, len(self.lines[line].rstrip()) - column)
        if style in ("'", '"') and self.lines[line][column] == style:
            return self.clamp(line, column + 1, end_column - column - 2)
        return self.clamp(line, column, end_column - column)

    def with_characters(self, event: yaml.Event, span: Span) -> Span:
        """The span, knowing its characters' places when they do not simply follow one another."""
        if not isinstance(event, yaml.ScalarEvent):
            return span
        line, column, end_line, end_column = _marks(event)
        quote = event.style if event.style in ("'", '"') else ""
        if line == end_line and end_column - column - 2 * len(quote) == len(event.value):
            return span
        start = (line + 1, 0) if event.style in ("|", ">") else (line, column + len(quote))
        end = (end_line, end_column - len(quote))
        places = character_places(self.lines, start=start, end=end, quote=quote, value=event.value)
        return replace(span, characters=places)

    def block_scalar_span(self, indicator: int) -> Span:
        for number in range(indicator + 1, len(self.lines)):
            text = self.lines[number].strip()
            if text:
                return self.clamp(number, len(self.lines[number]) - len(self.lines[number].lstrip()), len(text))
        return self.clamp(indicator, 0, len(self.lines[indicator]))

    def mark_whole(self, path: Path, start: yaml.CollectionStartEvent, end: yaml.Event, first_key: Span | None) -> None:
        """Mark the whole of a collection in brackets on one line, and the first key of any other mapping."""
        line, column, _, _ = _marks(start)
        _, _, end_line, end_column = _marks(end)
        if start.flow_style and end_line == line:
            self.spans[path] = self.clamp(line, column, end_column - column)
        elif first_key is not None and not start.flow_style:
            self.spans[path] = first_key

    def clamp(self, line: int, column: int, length: int = 1) -> Span:
        """A span from marks that count from 0; marks at the end of the text stay inside it."""
        line = min(line, len(self.lines) - 1)
        return Span(self.file, line + 1, column + 1, max(length, 1))


def _marks(event: yaml.Event) -> tuple[int, int, int, int]:
    """Line and column of the event's start and end, counting from 0. Parsers give both to every event."""
    start, end = event.start_mark, event.end_mark
    assert start is not None and end is not None
    return start.line, start.column, end.line, end.column
