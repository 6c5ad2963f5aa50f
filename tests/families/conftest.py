"""A lab of families on the shared servers, new for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.families.driver import FamilyLab
from tests.servers.testbed import Arena


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> FamilyLab:
    made = FamilyLab(arena, tmp_path)
    made.create_source()
    return made
