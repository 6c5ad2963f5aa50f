"""Strict YAML: what values mean, where they stand, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.yaml.source import YamlSource, parse_yaml, read_yaml


def parse(text: str) -> YamlSource:
    findings = Findings()
    source = parse_yaml(text, "spec.yaml", findings)
    assert findings.items == []
    assert source is not None
    return source


def codes(text: str) -> list[str]:
    findings = Findings()
    parse_yaml(text, "spec.yaml", findings)
    return [item.code for item in findings.items]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("no", "no"),
        ("y", "y"),
        ("NO", "NO"),
        ("True", "True"),
        ("NULL", "NULL"),
        ("~", "~"),
        ("010", "010"),
        ("0o10", "0o10"),
        ("0x10", "0x10"),
        ("0b1", "0b1"),
        ("1_0", "1_0"),
        ("12:30:00", "12:30:00"),
        ("2020-01-01", "2020-01-01"),
        (".inf", ".inf"),
        (".5", ".5"),
        ("1.", "1."),
        ("=", "="),
        ("9" * 5000, "9" * 5000),
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("0", 0),
        ("-7", -7),
        ("+7", 7),
        ("10", 10),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("-0.25", -0.25),
        ("'true'", "true"),
        ('"10"', "10"),
        ("'null'", "null"),
    ],
)
def test_scalars(written: str, value: object) -> None:
    data = parse(f"key: {written}\n").data
    assert data == {"key": value}
    assert isinstance(data, dict) and type(data["key"]) is type(value)


def test_keys_are_always_text() -> None:
    assert parse("on: 1\n1: 2\ntrue: 3\n1.5: 4\nnull: 5\n").data == {"on": 1, "1": 2, "true": 3, "1.5": 4, "null": 5}


@pytest.mark.parametrize(
    ("text", "path", "place"),
    [
        ("a: bcd\n", ("a",), (1, 4, 3)),
        ("a:   'bcd'\n", ("a",), (1, 7, 3)),
        ('a: "b\\tc"\n', ("a",), (1, 5, 4)),
        ("a: ''\n", ("a",), (1, 5, 1)),
        ("ä: ö: ü\n".replace(": ü", "ü"), ("ä",), (1, 4, 2)),
        ("日本: 語\n", ("日本",), (1, 5, 1)),
        ("a: |\n  one\n  two\n", ("a",), (2, 3, 3)),
        ("a: >-\n\n    one\n", ("a",), (3, 5, 3)),
        ("a: one\n  two\n", ("a",), (1, 4, 3)),
        ("a: [1, 22]\n", ("a", 1), (1, 8, 2)),
        ("a: [1, 22]\n", ("a",), (1, 4, 7)),
        ("a: {b: 1}\n", ("a",), (1, 4, 6)),
        ("a:\n- b\n- cc\n", ("a", 1), (3, 3, 2)),
        ("a:\n  - key: 1\n    b: 2\n", ("a", 0), (2, 5, 3)),
        ("a:\r\n  b: c\r\n", ("a", "b"), (2, 6, 1)),
        ("\ufeffa: b\n", ("a",), (1, 4, 1)),
    ],
)
def test_places(text: str, path: tuple[str | int, ...], place: tuple[int, int, int]) -> None:
    span = parse(text).spans[path]
    assert (span.line, span.column, span.length) == place


def test_places_of_keys() -> None:
    source = parse("a:\n  'b': 1\n")
    assert str(source.key_span_of(("a", "b"))) == "spec.yaml:2:4"
    assert source.key_span_of(("a", "b")).length == 1
    assert str(source.key_span_of(())) == "spec.yaml:1:1"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: 1\na: 2\n", ["SW1003"]),
        ("a: {b: 1, b: 2, c: 3, c: 4}\n", ["SW1003", "SW1003"]),
        ("a: 1\n'a': 2\n", ["SW1003"]),
        ("a: &x 1\nb: *x\n", ["SW1004", "SW1004"]),
        ("a: {<<: {b: 1}}\n", ["SW1004"]),
        ("'<<': 1\n", []),
        ("a: !!str 1\n", ["SW1007"]),
        ("a: !include x\n", ["SW1007"]),
        ("!!map {a: 1}\n", ["SW1007"]),
        ("!!str a: 1\n", ["SW1007"]),
        ("&k a: 1\n", ["SW1004"]),
        ("%TAG ! tag:x,2020:\n---\na: 1\n", ["SW1007"]),
        ("a: 1\n---\nb: 2\n", ["SW1006"]),
        ("a: 1\n...\n", []),
        ("---\na: 1\n", []),
        ("", ["SW1010"]),
        ("# only words\n", ["SW1010"]),
        ("a:\tb\n", ["SW1005"]),
        ('a: "\\t"\n', []),
        ("? [a, b]\n: c\n", ["SW1011"]),
        ("? {a: 1, a: 2}\n: c\n", ["SW1011", "SW1003"]),
        ("a: 'b\n", ["SW1002"]),
        ("a: b: c\n", ["SW1002"]),
        ("a: @b\n", ["SW1002"]),
        ("a: \x00\n", ["SW1009"]),
        ("a: \x85b\n", ["SW1009"]),
        ("a: \u2028b\n", ["SW1009"]),
        ("a: b\rc: d\n", ["SW1009"]),
        ("a: \ud800\n", ["SW1009"]),
        ("[" * 500_000, ["SW1012"]),
        ("a: " + "{b: " * 40 + "}" * 40, ["SW1012"]),
        ("- " * 5000 + "a\n", ["SW1012"]),
    ],
)
def test_refusals(text: str, found: list[str]) -> None:
    assert codes(text) == found


def test_the_first_of_two_equal_keys_is_kept() -> None:
    source = parse_yaml("a: 1\nb: 2\na: {c: [3]}\n", "spec.yaml", Findings())
    assert source is not None
    assert source.data == {"a": 1, "b": 2}
    assert ("a", "c") not in source.spans


def test_many_aliases_are_not_expanded() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert set(codes(bomb)) == {"SW1004"}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (str(tmp_path), str(tmp_path / "absent.yaml"), "nul\0byte"):
        findings = Findings()
        assert read_yaml(path, findings) is None
        assert [item.code for item in findings.items] == ["SW1001"]


def test_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    for size, expected in ((1024 * 1024, []), (1024 * 1024 + 1, ["SW1008"])):
        path.write_bytes(b"a: " + b"x" * (size - 3))
        findings = Findings()
        read_yaml(str(path), findings)
        assert [item.code for item in findings.items] == expected
