"""Plain data and its JSON text are those of the standard library."""

from __future__ import annotations

import json
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.catalogue import ColumnType, UniqueKey
from shardwright.compiler.plain_data import as_data, json_text
from tests.compiler.projects import PROJECTS, compiled

SCALARS = st.none() | st.booleans() | st.integers() | st.text()
DATA = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


@given(DATA)
def test_json_text(data: object) -> None:
    assert json_text(data) == json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)


def test_shared_types_at_every_depth() -> None:
    kind = ColumnType("enum", labels=("a", "b"))
    data = {"a": as_data(kind), "b": [as_data(kind), {"c": as_data(kind)}]}
    assert json_text(data) == json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)


def test_as_dataclasses_say() -> None:
    for project in PROJECTS:
        for table in compiled(project).plan.tables:
            assert as_data(table) == asdict(table)
            assert repr(as_data(table)) == repr(asdict(table))
    key = UniqueKey("u", ("a",))
    assert as_data((key,)) == (asdict(key),)
