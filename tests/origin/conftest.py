"""A lab of two sources with equal keys, new for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.origin.lab import OriginLab
from tests.servers.testbed import Arena

PROJECT = Path(__file__).with_name("project")


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> OriginLab:
    settings = {"snapshot": {"chunk_rows": 15}}
    made = OriginLab(arena, tmp_path, settings=settings, example=PROJECT)
    made.create_source()
    return made
