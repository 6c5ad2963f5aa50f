"""Variants of one test: some are tried in every run, all of them in `make test-all`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def usual(values: Iterable[Any], *, only: Collection[Any]) -> list[Any]:
    """For `parametrize`: those that are not in `only` are marked `long`."""
    values = list(values)
    unknown = [value for value in only if value not in values]
    assert not unknown, f"no such variants: {unknown}"
    return [value if value in only else _long(value) for value in values]


def _long(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)
