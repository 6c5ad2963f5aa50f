"""The generated pages in docs/ say what the product says. SHARDWRIGHT_REWRITE=1 writes them anew."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from shardwright.runtime.cli.main import VERBS
from shardwright.specs.shape import SchemaName, load_schema
from tests.pages import casts, cli, codes, ddl_classes, events, first_change, lint, metrics, rooms, schemas

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "reference/casts.md": casts.page,
    "reference/cli.md": cli.page,
    "reference/ddl-classes.md": ddl_classes.page,
    "reference/errors.md": codes.page,
    "reference/events.md": events.page,
    "first-change.md": first_change.page,
    "reference/lint.md": lint.page,
    "reference/metrics.md": metrics.page,
    **{file: partial(schemas.page, name) for name, file in schemas.PAGES.items()},
}


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_current(name: str) -> None:
    page = PAGES[name]()
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        (DOCS / name).write_text(page, encoding="utf-8")
    assert (DOCS / name).read_text(encoding="utf-8") == page


@pytest.mark.parametrize("file", rooms.PARTS, ids=lambda file: file.name)
def test_the_tables_of_rooms_are_current(file: Path) -> None:
    current = rooms.renew(file)
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        file.write_text(current, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == current


def test_every_verb_and_option_says_what_it_does() -> None:
    lines = cli.page().splitlines()
    assert {line.split()[2].strip("`") for line in lines if line.startswith("## `shardwright ")} == set(VERBS)
    assert [line for line in lines if line.startswith("* ") and line.rstrip().endswith(":")] == []


@pytest.mark.parametrize("name", schemas.PAGES)
def test_every_key_has_a_place_and_a_meaning(name: SchemaName) -> None:
    """A key that nobody described cannot be looked up."""
    text = schemas.page(name)
    for key in _keys(load_schema(name)):
        assert any(part in text for part in (f"`{key}`", f".{key}`")), key
    assert "|  |" not in text


def _keys(node: object) -> set[str]:
    if isinstance(node, dict):
        own = set(node["properties"]) if isinstance(node.get("properties"), dict) else set()
        return own.union(*(_keys(child) for child in node.values()))
    return set().union(*(_keys(child) for child in node)) if isinstance(node, list) else set()
