"""The JSON Schemas: valid, closed everywhere, described everywhere, and in agreement with the typed model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from jsonschema import Draft7Validator

from shardwright.specs.shape import SchemaName, load_schema, schema_text
from shardwright.specs.spec.cross_references import ALGORITHM_OPTIONS
from shardwright.specs.spec.model import DeletePolicyName, Dialect

NAMES: tuple[SchemaName, ...] = get_args(SchemaName)


def parts(schema: Any, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield place, schema
        for key, value in schema.items():
            yield from parts(value, f"{place}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from parts(value, f"{place}/{index}")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_schema(name: SchemaName) -> None:
    Draft7Validator.check_schema(load_schema(name))
    assert schema_text(name).endswith("}\n")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_closed_everywhere(name: SchemaName) -> None:
    for place, part in parts(load_schema(name)):
        if part.get("type") == "object":
            assert "additionalProperties" in part, place
        if part.get("type") == "object" and "properties" in part:
            assert part["additionalProperties"] is False, place
            assert part["patternProperties"] == {"^x-": {}}, place


@pytest.mark.parametrize("name", NAMES)
def test_every_property_is_described(name: SchemaName) -> None:
    schema = load_schema(name)
    for place, part in parts(schema):
        if place.endswith("/properties"):
            for key, value in part.items():
                about = schema["definitions"][value["$ref"].rsplit("/", 1)[1]] if "$ref" in value else value
                assert about.get("description", "").endswith("."), f"{place}/{key}"


@pytest.mark.parametrize("name", NAMES)
def test_patterns_are_anchored_and_said_in_words(name: SchemaName) -> None:
    for place, part in parts(load_schema(name)):
        if isinstance(part.get("pattern"), str):
            assert part["pattern"].startswith("^") and part["pattern"].endswith("$"), place
            assert part["x-says"], place


@pytest.mark.parametrize("name", NAMES)
def test_alternatives_can_be_distinguished(name: SchemaName) -> None:
    """By type, and mappings by their first required key: that is how `shape.alternatives` chooses."""
    schema = load_schema(name)
    for place, part in parts(schema):
        branches = part.get("oneOf", [])
        assert "anyOf" not in part, place
        marks = [(branch["type"], tuple(branch.get("required", ()))[:1]) for branch in branches]
        assert len(set(marks)) == len(marks), place
        assert sum(kind != "object" for kind, _ in marks) == len({kind for kind, _ in marks} - {"object"}), place


def test_words_agree_with_the_model() -> None:
    schema = load_schema("spec")
    assert tuple(schema["properties"]["source"]["properties"]["dialect"]["enum"]) == get_args(Dialect)
    assert tuple(schema["definitions"]["deletes"]["oneOf"][0]["enum"]) == get_args(DeletePolicyName)
    rule = schema["definitions"]["rule"]["properties"]
    assert rule["algorithm"]["enum"] == list(ALGORITHM_OPTIONS)
    read = {name for options in ALGORITHM_OPTIONS.values() for name in options.names}
    assert set(schema["definitions"]["ruleOptions"]["properties"]) == read
