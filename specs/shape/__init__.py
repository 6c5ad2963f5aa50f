"""Does a document have the shape that its JSON Schema asks for? Every deviation is one finding in the author's words.

`schemas/` has the JSON Schemas of spec, environment and spec tests. Knows no meaning behind the shape; writes nothing.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Literal, get_args

SchemaName = Literal["spec", "environment", "test"]
SCHEMA_NAMES: tuple[SchemaName, ...] = get_args(SchemaName)


def schema_text(name: SchemaName) -> str:
    """The schema as shipped, for editors and for `shardwright jsonschema`."""
    return files("shardwright.specs.shape").joinpath("schemas", f"{name}.v1.schema.json").read_text("utf-8")


def load_schema(name: SchemaName) -> dict[str, Any]:
    """The schema as data."""
    schema: dict[str, Any] = json.loads(schema_text(name))
    return schema
