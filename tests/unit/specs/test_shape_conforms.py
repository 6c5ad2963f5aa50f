"""The quick answer to "has it the right shape?" is jsonschema's own, for good documents and for spoiled ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from shardwright.specs.diagnostics import Findings
from shardwright.specs.schema import SchemaName, load_schema
from shardwright.specs.shape_conforms import conforms
from shardwright.specs.shape_keywords import make_validator
from shardwright.specs.yaml_source import read_yaml

CASES = Path(__file__).parents[2] / "cases"
FILES: dict[SchemaName, str] = {"spec": "spec.yaml", "environment": "environment.yaml", "test": "tests.yaml"}

VALUES: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 2**70, 1.5, "", "a", "a\n", "A b", "x" * 300, "${a}"),
    *([], ["a"], ["a", "a"], ["a", 1], [None], {}, {"a": 1}, {"x-a": 1}, {"": ""}, {"a b": {}}),
)
"""What a part of a document is replaced with."""

UNCERTAIN: tuple[object, ...] = (1.0, [1, True], [{}, {}], ["a", []])
"""The same, where the quick answer may be "ask jsonschema"."""


def documents(schema: SchemaName) -> list[Any]:
    found = (read_yaml(str(path), Findings()) for path in sorted(CASES.glob(f"*/*/{FILES[schema]}")))
    return [source.data for source in found if source is not None]


def places(value: object) -> Iterator[tuple[Any, Any]]:
    """Each part of the document, as what holds it and its key there."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield value, key
        yield from places(inner)


def spoiled(document: object, random: Random, values: tuple[object, ...]) -> object:
    made = copy.deepcopy(document)
    everywhere = list(places(made))
    if not everywhere:
        return random.choice(values)
    holder, key = random.choice(everywhere)
    match random.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[random.choice(("x-a", "databases", "", "key", "policy"))] = holder[key]
        case _:
            holder[key] = copy.deepcopy(random.choice(values))
    return made


@pytest.mark.parametrize("name", FILES)
def test_the_quick_answer_is_that_of_jsonschema(name: SchemaName) -> None:
    schema, random = load_schema(name), Random(3)
    validator = make_validator(schema)
    answers = {True: 0, False: 0}
    for document in documents(name):
        for candidate in (document, *(spoiled(document, random, VALUES) for _ in range(8))):
            answer = conforms(schema, candidate)
            assert answer == validator.is_valid(candidate), candidate
            answers[answer] += 1
    assert min(answers.values()) > 5


@pytest.mark.parametrize("name", FILES)
def test_where_it_is_not_sure_it_says_no(name: SchemaName) -> None:
    schema, random = load_schema(name), Random(4)
    validator = make_validator(schema)
    for document in documents(name)[:80]:
        candidate = spoiled(document, random, UNCERTAIN)
        assert validator.is_valid(candidate) or not conforms(schema, candidate), candidate


def test_an_unknown_keyword_is_not_known() -> None:
    assert conforms({"type": "object"}, {})
    assert not conforms({"type": "object", "dependencies": {}}, {})
    assert not conforms({"properties": {"a": {"oneOf": [{"type": "string"}, {"not": {}}]}}}, {"a": "b"})
