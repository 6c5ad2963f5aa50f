"""Names of code: a function that acts begins with a verb, a value is a noun, a participle never comes first. And no name
has a word that the field has another one for (`words`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.source_trees import tree_of
from tests.unit.words import begins_with_participle, find_also_banned_in_name, find_banned_in_name, name_words

ROOT: Final = Path(__file__).parents[2]
PRODUCT: Final = ("specs", "compiler", "runtime")
TESTS: Final = ("tests", "examples")

ALLOWED: Final = {
    "weighted": "the algorithm of that name in a sharding rule",
    "Sharded": "the word of the specs for one of three distributions",
    "Following": "the name of an event in JSON reports",
    "deferred_indexes": "a field of plans, which a stand-in of tests has, too",
    "Refused": "the kind of a failure, which 700 places name; tasks write it into notes",
}
"""Functions, one-word classes and one-word files that begin with a participle all the same."""

ALLOWED_WORDS: Final = {
    "way_out": "a key of the JSON of `preflight`",
    "mended": "a key of the JSON of `diff`",
}
"""Names with a word that is banned."""


class Name(NamedTuple):
    kind: str
    text: str
    place: str


def _names(path: Path) -> Iterator[Name]:
    """What a file gives a name to: itself, functions, classes, arguments, variables, attributes, imports."""
    where, tree = str(path.relative_to(ROOT)), tree_of(path)
    if path.stem != "__init__":
        yield Name("file", path.stem, where)
    inner = {id(node) for function in ast.walk(tree) if isinstance(function, _FUNCTIONS) for node in _within(function)}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=text) | ast.AsyncFunctionDef(name=text):
                fixture = any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
                kind = "fixture" if fixture else "inner function" if id(node) in inner else "function"
                yield Name(kind, text, f"{where}:{node.lineno}")
            case ast.ClassDef(name=text):
                yield Name("class", text, f"{where}:{node.lineno}")
            case ast.arg(arg=text) | ast.Name(id=text, ctx=ast.Store()) | ast.Attribute(attr=text, ctx=ast.Store()):
                yield Name("variable", text, f"{where}:{node.lineno}")
            case ast.alias(asname=str(text)):
                yield Name("variable", text, f"{where}:{node.lineno}")


_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def _within(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    return (node for statement in function.body for node in ast.walk(statement))


@cache
def _names_in(folder: str) -> tuple[Name, ...]:
    return tuple(name for path in _files(folder) for name in _names(path))


def _files(folder: str) -> Iterator[Path]:
    return (path for path in sorted((ROOT / folder).rglob("*.py")) if not {"build", "typings"} & {*path.parts})


def _begins_wrong(name: Name) -> bool:
    if name.text in ALLOWED or (name.text.startswith("__") and name.text.endswith("__")):
        return False
    if "function" in name.kind:
        return begins_with_participle(name.text)
    # An adjective before a noun is a noun; a gerund may be one by itself (`Sampling`).
    words = name_words(name.text)
    return len(words) == 1 and not words[0].endswith("ing") and begins_with_participle(name.text)


@pytest.mark.parametrize("layer", PRODUCT)
def test_no_participle_comes_first(layer: str) -> None:
    names = (name for name in _names_in(layer) if name.kind != "variable")
    wrong = [f"{name.place}: {name.text}" for name in names if _begins_wrong(name)]
    assert not wrong, "begin with a verb, or with a noun:\n" + "\n".join(wrong)


@pytest.mark.parametrize("folder", TESTS)
def test_no_participle_comes_first_in_helpers_of_tests(folder: str) -> None:
    """Tests are sentences, fixtures are arguments of tests, and functions within them are near what they are for."""
    helpers = (name for name in _names_in(folder) if name.kind == "function" and not name.text.startswith("test_"))
    wrong = [f"{name.place}: {name.text}" for name in helpers if _begins_wrong(name)]
    assert not wrong, "begin with a verb, or with a noun:\n" + "\n".join(wrong)


@pytest.mark.parametrize("folder", (*PRODUCT, *TESTS))
def test_no_name_has_a_banned_word(folder: str) -> None:
    wrong = []
    for name in _names_in(folder):
        found = _find_banned(name.text, also=folder in PRODUCT and name.kind != "variable")
        if found and name.text not in ALLOWED_WORDS:
            wrong.append(f"{name.place}: {name.text} ({found})")
    assert not wrong, "`words` has the field's terms:\n" + "\n".join(wrong)


@cache
def _find_banned(text: str, *, also: bool) -> str | None:
    """The first such word. `also`: those that are banned in names alone, too."""
    found = [*find_banned_in_name(text), *(find_also_banned_in_name(text) if also else ())]
    return found[0][0] if found else None


def test_what_is_allowed_is_needed() -> None:
    names = {name.text for folder in PRODUCT for name in _names_in(folder)}
    assert names >= {*ALLOWED, *ALLOWED_WORDS}


def test_the_reader_of_names_finds_what_it_should() -> None:
    assert name_words("_SharedLock") == ["shared", "lock"] and name_words("__x_Y") == ["x", "y"]
    for name in ("_named", "begun", "placed_rows", "PassedPlace", "moving", "unwritten"):
        assert begins_with_participle(name), name
    for name in ("_name", "need_rows", "read_rows", "mapping", "moving_parts", "embed", "string", "set_variables"):
        assert not begins_with_participle(name), name
    assert [found[0] for found in find_banned_in_name("_what_goes_on")] == ["goes on"]
    assert not [*find_banned_in_name("standard_books_of")][1:] and [*find_banned_in_name("read_books")]
    assert [*find_also_banned_in_name("Story")] and not [*find_also_banned_in_name("history")]
