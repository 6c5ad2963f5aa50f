"""A parsed YAML file: plain data, and the place of every value and key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.specs.findings.span import Path, Span


@dataclass(frozen=True, slots=True)
class YamlSource:
    """A parsed file. `data` holds dict, list, str, int, float, bool and None only; keys are always text.

    A quoted scalar's span covers what is between the quotes and a block scalar's begins at its first line of text, so
    that an offset inside the text can be added to it. `refused` are the paths whose value was left out because of a
    finding: nothing more should be said about them. `incomplete` are mappings that lost an entry that way: what seems to
    be missing there may have been written.
    """

    file: str
    data: object
    spans: Mapping[Path, Span]
    key_spans: Mapping[Path, Span]
    refused: frozenset[Path]
    incomplete: frozenset[Path]

    def span_of(self, path: Path) -> Span:
        """The place of the value at `path`, or of the nearest value around it."""
        while path and path not in self.spans:
            path = path[:-1]
        return self.spans.get(path, Span(self.file, 1, 1))

    def key_span_of(self, path: Path) -> Span:
        """The place of the key that leads to `path`; of the value itself for list items and the document."""
        return self.key_spans.get(path) or self.span_of(path)
