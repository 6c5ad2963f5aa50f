"""Shards for the DDL tests."""

from __future__ import annotations

import pytest

from tests.ddl.shards import Shards
from tests.servers.testbed import Arena


@pytest.fixture
def shards(arena: Arena) -> Shards:
    return Shards(arena)
