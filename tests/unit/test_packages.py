"""pyproject.toml names every package: one that is left out works here and is missing from the wheel (see tests/e2e/test_packaging)."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_package_is_listed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    files = [file for part in ("specs", "compiler", "runtime") for file in (ROOT / part).rglob("*.py")]
    assert len(files) > 50
    assert sorted(listed) == sorted({"shardwright." + ".".join(file.parent.relative_to(ROOT).parts) for file in files})
