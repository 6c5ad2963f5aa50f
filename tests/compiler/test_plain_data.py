"""Plain data and its JSON text are those of the standard library."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.plan.catalogue import ColumnType, UniqueKey
from shardwright.compiler.plan.plain_data import as_data, item_text, json_pieces
from shardwright.compiler.plan.table_parts import SourceColumn
from tests.compiler.projects import PROJECTS, compile_folder

SCALARS = st.none() | st.booleans() | st.integers() | st.text()
DATA = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


def _dump(data: object) -> str:
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)


@given(st.dictionaries(st.text(), DATA))
def test_json(data: dict[str, object]) -> None:
    assert "".join(json_pieces(data)) == _dump(data)


@given(st.dictionaries(st.text(), st.lists(DATA)))
def test_lists_made_item_by_item(data: dict[str, list[object]]) -> None:
    assert "".join(json_pieces({key: iter(items) for key, items in data.items()})) == _dump(data)


def test_items_whose_text_is_made_before() -> None:
    items = [1, "a", {"b": [2, {}]}]
    assert "".join(json_pieces({"list": map(item_text, items)})) == _dump({"list": items})


def test_a_column_is_on_one_line() -> None:
    kind = ColumnType("enum", labels=("a", '"'), charset="latin1")
    text = "".join(json_pieces({"columns": [as_data(SourceColumn("größe", kind, nullable=True))]}))
    type_line = r'{"name": "enum", "labels": ["a", "\""], "charset": "latin1"}'
    assert text.splitlines()[2] == f'    {{"name": "größe", "type": {type_line}, "nullable": true}}'


@given(
    st.builds(
        ColumnType,
        st.text(),
        unsigned=st.booleans(),
        length=st.none() | st.integers(),
        labels=st.lists(st.text()).map(tuple),
        collation=st.none() | st.text(),
    ),
    st.text(),
)
def test_columns_are_read_back(kind: ColumnType, name: str) -> None:
    data = json.loads(as_data(SourceColumn(name, kind, nullable=False)))
    labels = tuple(data["type"].get("labels", ()))
    assert SourceColumn(**{**data, "type": ColumnType(**{**data["type"], "labels": labels})}) == SourceColumn(
        name, kind, nullable=False
    )


def test_as_dataclasses_say() -> None:
    for project in PROJECTS:
        for table in compile_folder(project).plan.tables:
            bare = replace(table, source=replace(table.source, columns=(), reads=()), columns=())
            assert as_data(bare) == asdict(bare)
            for column in (*table.source.columns, *table.columns, *table.source.reads):
                found = json.loads(as_data(column))
                plain = asdict(column)
                kind = plain.pop("type")
                assert {**asdict(ColumnType("")), "labels": [], **found.pop("type")} == {
                    **kind,
                    "labels": list(kind["labels"]),
                }
                assert found == plain
    key = UniqueKey("u", ("a",))
    assert as_data((key,)) == (asdict(key),)
