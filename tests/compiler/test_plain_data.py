"""Plain data and its JSON text are those of the standard library."""

from __future__ import annotations

import json
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.catalogue import ColumnType, UniqueKey
from shardwright.compiler.plain_data import as_data, json_pieces
from tests.compiler.projects import PROJECTS, compiled

SCALARS = st.none() | st.booleans() | st.integers() | st.text()
DATA = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


def _dumped(data: object) -> str:
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)


@given(st.dictionaries(st.text(), DATA))
def test_json(data: dict[str, object]) -> None:
    assert "".join(json_pieces(data)) == _dumped(data)


@given(st.dictionaries(st.text(), st.lists(DATA)))
def test_lists_made_item_by_item(data: dict[str, list[object]]) -> None:
    assert "".join(json_pieces({key: iter(items) for key, items in data.items()})) == _dumped(data)


def test_shared_types_at_every_depth() -> None:
    kind = ColumnType("enum", labels=("a", "b"))
    data = {"a": as_data(kind), "b": [as_data(kind), {"c": as_data(kind)}]}
    assert "".join(json_pieces(data)) == _dumped(data)


def test_shared_types_that_are_gone() -> None:
    """Another's text would be found by the id that is used again."""
    kinds = (ColumnType("varchar", length=length) for length in range(10_000))
    data = {"list": ({"type": as_data(kind)} for kind in kinds)}
    wanted = {"list": [{"type": asdict(ColumnType("varchar", length=length))} for length in range(10_000)]}
    assert "".join(json_pieces(data)) == _dumped(wanted)


def test_as_dataclasses_say() -> None:
    for project in PROJECTS:
        for table in compiled(project).plan.tables:
            assert as_data(table) == asdict(table)
            assert repr(as_data(table)) == repr(asdict(table))
    key = UniqueKey("u", ("a",))
    assert as_data((key,)) == (asdict(key),)
