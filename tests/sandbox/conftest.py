"""The example shop, whose sandboxes are started here."""

from __future__ import annotations

import pytest

from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.read import read_spec
from tests.workload.shop import PROJECT


@pytest.fixture
def spec() -> Spec:
    return read_spec(str(PROJECT / "specs" / "shop.yaml"))
