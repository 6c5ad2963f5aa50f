"""Does a document have the shape its JSON Schema (draft 7) asks for? Every deviation becomes one precise finding. Reads
the schemas of this package.

jsonschema says what is wrong; this module says where, which alternative of a `oneOf` the author meant, and what was
probably meant. The schema's own keywords `x-says` (the rule in words) and `x-conceal` (never repeat the value) help.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Literal, get_args

from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Path
from shardwright.specs.shape.deviations import Schema, deviations
from shardwright.specs.shape.messages import describe
from shardwright.specs.yaml.source import YamlSource

SchemaName = Literal["spec", "environment", "test"]
SCHEMA_NAMES: tuple[SchemaName, ...] = get_args(SchemaName)


def schema_text(name: SchemaName) -> str:
    """The schema as shipped, for editors and for `shardwright schema`."""
    return files("shardwright.specs.shape").joinpath("schemas", f"{name}.v1.schema.json").read_text("utf-8")


def load_schema(name: SchemaName) -> dict[str, Any]:
    """The schema as data."""
    schema: dict[str, Any] = json.loads(schema_text(name))
    return schema


def check_shape(
    source: YamlSource, schema_name: SchemaName, findings: Findings, *, known: frozenset[Path] = frozenset()
) -> frozenset[Path]:
    """Report every deviation from the schema, except for the values at `known` paths, about which all is said.

    Returns the paths of the values that are not as they should be, the known ones included.
    """
    said = source.refused | known
    malformed = set(said)
    for path, diagnostic in _all_findings(source, load_schema(schema_name)):
        malformed.add(path)
        if diagnostic is None:
            continue
        match diagnostic.code:
            case "SW1101":  # that a key is unknown is worth saying whatever stands behind it
                explained = lies_within(path[:-1], said) or path in source.refused
            case "SW1102":
                explained = lies_within(path, said) or path[:-1] in source.incomplete
            case _:
                explained = lies_within(path, said)
        if not explained:
            findings.items.append(diagnostic)
    return frozenset(malformed)


def lies_within(path: Path, refused: frozenset[Path]) -> bool:
    """Whether the path, or one around it, is among the refused ones."""
    return any(path[:length] in refused for length in range(len(path) + 1))


def _all_findings(source: YamlSource, schema: Schema) -> Iterator[tuple[Path, Diagnostic | None]]:
    for deviation in deviations(schema, source.data):
        yield from describe(deviation, source)
