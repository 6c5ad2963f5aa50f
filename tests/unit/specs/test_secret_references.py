"""Where secrets are found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.specs.environment.environment import SecretReference
from shardwright.specs.environment.read import SecretUnavailable, resolve_secret


def test_from_a_variable() -> None:
    assert resolve_secret(SecretReference("env", "PW"), {"PW": " hunter2 "}) == " hunter2 "


@pytest.mark.parametrize(
    ("content", "secret"),
    [("hunter2", "hunter2"), ("hunter2\n", "hunter2"), ("hunter2\r\n", "hunter2"), (" a\n\n", " a\n"), ("pä", "pä")],
)
def test_from_a_file(tmp_path: Path, content: str, secret: str) -> None:
    path = tmp_path / "secret"
    path.write_bytes(content.encode("utf-8"))
    assert resolve_secret(SecretReference("file", str(path)), {}) == secret


@pytest.mark.parametrize(
    ("environ", "reason"),
    [
        ({}, "looked in the environment variable PW: it is not set"),
        ({"PW": ""}, "looked in the environment variable PW: it is empty"),
    ],
)
def test_a_missing_variable(environ: dict[str, str], reason: str) -> None:
    with pytest.raises(SecretUnavailable) as caught:
        resolve_secret(SecretReference("env", "PW"), environ)
    assert str(caught.value) == f"no secret found for {{env: PW}}: {reason}"
    assert caught.value.code == "SW7003"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file or directory"),
        (b"", "it is empty"),
        (b"\n", "it is empty"),
        (b"\xff\xfe", "it is not UTF-8 text"),
        (b"x" * 70_000, "it is larger than 64 KiB"),
    ],
)
def test_a_missing_file(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "secret"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SecretUnavailable) as caught:
        resolve_secret(SecretReference("file", str(path)), {})
    assert str(caught.value) == f"no secret found for {{file: {path}}}: looked in the file {path}: {reason}"


def test_a_relative_file_is_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SecretUnavailable, match="looked in the file /"):
        resolve_secret(SecretReference("file", os.path.join("secrets", "a")), {})
