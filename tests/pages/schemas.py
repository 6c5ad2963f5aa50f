"""The JSON Schemas as Markdown pages in `docs/reference/`: one table a top-level key, one row a key below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shardwright.specs.findings.wording import either, kind_named
from shardwright.specs.shape import SchemaName, load_schema

Node = Mapping[str, Any]

PAGES: Mapping[SchemaName, str] = {
    "spec": "reference/spec.md",
    "environment": "reference/environment.md",
    "test": "reference/spec-test.md",
}
"""Schema name -> the page's path in `docs/`."""


def page(name: SchemaName) -> str:
    """Markdown, ending in a line break."""
    schema = load_schema(name)
    lines = [f"# {schema['title']}: reference", "", f"Generated from `specs/schemas/{name}.v1.schema.json`."]
    lines += [f"`shardwright jsonschema {name}` prints the schema for editors.", "", schema["description"], ""]
    lines += ["Keys that start with `x-` are allowed anywhere a key is: they are yours and are not read.", ""]
    for key, node in schema["properties"].items():
        lines += _section(key, _Reader(schema), node, required=key in schema.get("required", ()))
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Row:
    path: str
    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class _Reader:
    schema: Node

    def rows(self, path: str, node: Node) -> Iterator[_Row]:
        """Every key below a node, the node itself left out."""
        node = self.resolve(node)
        for choice in node.get("oneOf", ()):
            yield from self.rows(path, choice)
        if "items" in node:
            yield from self.rows(f"{path}[]", node["items"])
        required = node.get("required", ())
        for key, child in node.get("properties", {}).items():
            yield self._row(_below(path, key), child, required=key in required)
            yield from self.rows(_below(path, key), child)
        more = node.get("additionalProperties")
        if isinstance(more, Mapping):
            if "description" in self.resolve(more):
                yield self._row(_below(path, "NAME"), more, required=False)
            yield from self.rows(_below(path, "NAME"), more)

    def value(self, node: Node) -> str:
        """What may stand there, in words."""
        node = self.resolve(node)
        if "oneOf" in node:
            return either(list(dict.fromkeys(self.value(choice) for choice in node["oneOf"])))
        if "const" in node:
            return f"`{node['const']}`"
        if "enum" in node:
            return either([f"`{word}`" for word in node["enum"]])
        if "x-says" in node:
            return str(node["x-says"])
        kinds = node.get("type", "object")
        words = either([kind_named(kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)])
        if "items" in node:
            return f"a list: {self.value(node['items'])}" if self._is_plain(node["items"]) else words
        return words + _limits(node)

    def resolve(self, node: Node) -> Node:
        """A reference stands for its definition; what is written beside it wins."""
        reference = node.get("$ref")
        if reference is None:
            return node
        definition: Node = self.schema["definitions"][reference.rsplit("/", 1)[1]]
        return {**definition, **{key: value for key, value in node.items() if key != "$ref"}}

    def _is_plain(self, node: Node) -> bool:
        return "properties" not in self.resolve(node)

    def _row(self, path: str, node: Node, *, required: bool) -> _Row:
        meaning = self.resolve(node).get("description", "")
        return _Row(path, self.value(node) + (", required" if required else ""), meaning)


def _section(key: str, reader: _Reader, node: Node, *, required: bool) -> Iterator[str]:
    resolved = reader.resolve(node)
    yield f"## `{key}`"
    yield ""
    yield f"{resolved.get('description', '')} Value: {reader.value(node)}{', required' if required else ''}."
    yield ""
    rows = tuple(dict.fromkeys(reader.rows("", node)))
    if rows:
        yield "| key | value | meaning |"
        yield "|---|---|---|"
        yield from (f"| `{row.path}` | {_cell(row.value)} | {_cell(row.meaning)} |" for row in rows)
        yield ""


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _limits(node: Node) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return f" of at least {low}" if low is not None else f" of at most {high}" if high is not None else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")
