"""Values as people write them, as canonical text: what the made-up values of every type are made of comes back
unchanged.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.expressions.canonical import NotAValue, canonical
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.runtime.rehearsal.dry_run.values import distinct_values, extreme_values
from shardwright.runtime.rehearsal.spec_tests.source_tables import plain_default

KINDS = [
    ColumnType("tinyint"), ColumnType("bigint", unsigned=True), ColumnType("decimal", precision=65, scale=30),
    ColumnType("decimal", precision=10, scale=0), ColumnType("char", length=3, charset="utf8mb4"),
    ColumnType("varchar", length=300, charset="utf8mb4"), ColumnType("text", charset="utf8mb4"),
    ColumnType("enum", labels=("a", "b c")), ColumnType("set", labels=("x", "y", "z")), ColumnType("json"),
    ColumnType("date"), ColumnType("datetime", precision=0), ColumnType("datetime", precision=6),
    ColumnType("timestamp", precision=3), ColumnType("time", precision=2), ColumnType("year"),
    ColumnType("uuid"), ColumnType("inet4"), ColumnType("inet6"),
]  # fmt: skip
BYTES = [
    ColumnType("binary", length=4),
    ColumnType("varbinary", length=8),
    ColumnType("blob"),
    ColumnType("vector", length=3),
    ColumnType("geometry"),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_canonical_text_stays_as_it_is(kind: ColumnType) -> None:
    for text in (*extreme_values(kind), *distinct_values(kind)):
        assert canonical(text, kind) == text


@pytest.mark.parametrize("kind", BYTES, ids=lambda kind: kind.name)
def test_bytes_are_written_as_hexadecimal(kind: ColumnType) -> None:
    for text in (*extreme_values(kind), *distinct_values(kind)):
        assert canonical(f"0x{text}", kind) == text


@pytest.mark.parametrize("kind", [*KINDS, *BYTES[:-1]], ids=lambda kind: kind.name)
def test_every_type_has_a_value_for_a_column_no_one_names(kind: ColumnType) -> None:
    value = plain_default(kind)
    assert value is not None
    again = f"0x{value}" if kind.is_bytes else value
    assert canonical(again, kind) == value


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (True, ColumnType("tinyint"), "1"),
        (12.5, ColumnType("decimal", precision=8, scale=2), "12.50"),
        (-0.0, ColumnType("decimal", precision=8, scale=2), "0.00"),
        ("18446744073709551615", ColumnType("bigint", unsigned=True), "18446744073709551615"),
        ("2024-05-01", ColumnType("datetime", precision=3), "2024-05-01 00:00:00.000"),
        ("2024-05-01T10:20:30.5", ColumnType("datetime", precision=3), "2024-05-01 10:20:30.500"),
        ("018F4567E89B72D3A456426655440000", ColumnType("uuid"), "018f4567-e89b-72d3-a456-426655440000"),
        ("2001:DB8:0:0:1:0:0:1", ColumnType("inet6"), "2001:db8::1:0:0:1"),
        ("::102:304", ColumnType("inet6"), "::1.2.3.4"),
        (["z", "x"], ColumnType("set", labels=("x", "y", "z")), "x,z"),
        ({"a": [1, None]}, ColumnType("json"), '{"a": [1, null]}'),
        (
            '{"bb": 1,"a":1E20, "c":[1.0, 18446744073709551616, 1e-15]}',
            ColumnType("json"),
            '{"a": 1e20, "c": [1.0, 1.8446744073709552e19, 0.000000000000001], "bb": 1}',
        ),
        ('"x"', ColumnType("json"), '"x"'),
        ("é", ColumnType("varbinary", length=2), "C3A9"),
        (5, ColumnType("bit", length=10), "0005"),
        ("x  ", ColumnType("char", length=1), "x"),
        (7, ColumnType("varchar", length=5), "7"),
    ],
)
def test_as_people_write_them(value: object, kind: ColumnType, text: str) -> None:
    assert canonical(value, kind) == text


@pytest.mark.parametrize(
    "value",
    ["{a: 1}", "NaN", "[1e999]", "9" * 400, "[" * 5000, '"\\ud800"', {"a": object()}],
    ids=("keys without quotes", "NaN", "infinite", "a large integer", "too deep", "half a surrogate", "no JSON type"),
)
def test_c15_what_is_no_document_is_refused(value: object) -> None:
    with pytest.raises(NotAValue, match="is no JSON document"):
        canonical(value, ColumnType("json"))


@given(
    st.one_of(st.text(max_size=12), st.integers(), st.floats(), st.booleans(), st.lists(st.integers(), max_size=2)),
    st.sampled_from([*KINDS, *BYTES]),
)
def test_anything_is_a_value_or_refused(value: object, kind: ColumnType) -> None:
    """Never another exception; and what is accepted is canonical already."""
    try:
        text = canonical(value, kind)
    except NotAValue as refused:
        assert refused.reason
        return
    assert text is not None
    assert canonical(f"0x{text}" if kind.is_bytes else text, kind) == text
