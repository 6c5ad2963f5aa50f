"""Shards for the DDL tests."""

from __future__ import annotations

import pytest

from tests.ddl.plans import WIDE_DATABASES, WIDE_SUFFIXES
from tests.ddl.shards import Shards
from tests.servers.testbed import Arena


@pytest.fixture
def shards(arena: Arena) -> Shards:
    return Shards(arena)


@pytest.fixture
def wide_shards(arena: Arena) -> Shards:
    """16 databases on two servers."""
    return Shards(arena, WIDE_DATABASES, WIDE_SUFFIXES)
