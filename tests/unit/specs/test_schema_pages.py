"""The reference pages in docs/ say what the schemas say. SHARDWRIGHT_REWRITE=1 writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.specs.shape import SchemaName, load_schema
from shardwright.specs.shape.page import PAGES, page

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_current(name: SchemaName) -> None:
    file = DOCS / PAGES[name]
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        file.write_text(page(name), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == page(name)


@pytest.mark.parametrize("name", PAGES)
def test_every_key_has_a_place_and_a_meaning(name: SchemaName) -> None:
    """A key that nobody described cannot be looked up."""
    text = page(name)
    for key in _keys(load_schema(name)):
        assert any(part in text for part in (f"`{key}`", f".{key}`")), key
    assert "|  |" not in text


def _keys(node: object) -> set[str]:
    if isinstance(node, dict):
        own = set(node["properties"]) if isinstance(node.get("properties"), dict) else set()
        return own.union(*(_keys(child) for child in node.values()))
    return set().union(*(_keys(child) for child in node)) if isinstance(node, list) else set()
