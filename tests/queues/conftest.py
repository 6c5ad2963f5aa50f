"""One broker for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.kafka import KafkaBroker


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaBroker]:
    made = KafkaBroker(tmp_path_factory.mktemp("kafka") / "broker")
    yield made
    made.close()
