"""The page `docs/reference/events.md`, from the events themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shardwright.runtime.events.catalogue import MODULES, event_types, kind_schema

_HEAD = """\
# Events of a run

Generated from `runtime/events/`. `--log-format json` writes each event as a JSON line, to stderr or to `--log-file`,
and `shardwright jsonschema events` prints the schema of such a line. On a terminal and in logs, an event is its
`sentence`, with fewer lines for chunks and batches.

Besides the fields below, each line has `event` (the kind), `at` (seconds since 1970) and `sentence`. Times are in
seconds, sizes in bytes. A later version may add kinds and fields: skip those that you do not know.
"""
_TITLES = {
    "run": "The run itself",
    "copy": "The copy",
    "stream": "The stream",
    "compare": "Comparisons and repairs",
    "cutover": "Cutovers, and tools for online schema change",
    "notify": "Notifications",
}


def page() -> str:
    """Markdown, ending in a line break."""
    return "\n".join([_HEAD, *(line for module in MODULES for line in _section(module))])


def _section(module: str) -> Iterator[str]:
    yield f"## {_TITLES[module]}"
    yield ""
    yield "| event | when | fields |"
    yield "|---|---|---|"
    for kind in event_types(module):
        schema = kind_schema(kind)
        own = {name: node for name, node in schema["properties"].items() if name not in ("event", "at", "sentence")}
        shown = "; ".join(_field(name, node) for name, node in own.items()) or "none"
        yield f"| `{schema['title']}` | {_cell(schema['description'])} | {_cell(shown)} |"
    yield ""


def _field(name: str, node: Mapping[str, Any]) -> str:
    words = node.get("description", "").rstrip(".")
    return f"`{name}`" + (f": {words[:1].lower()}{words[1:]}" if words else "")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
