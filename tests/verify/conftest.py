from __future__ import annotations

import pytest

from tests.servers.testbed import Arena
from tests.verify.layout import Layout


@pytest.fixture
def layout(arena: Arena) -> Layout:
    return Layout(arena)
