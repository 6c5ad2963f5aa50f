"""The server of the log reader's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shardwright.runtime.sources.binlog import packed_rows
from tests.binlog.log_server import log_server
from tests.binlog.log_source import Source


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Source]:
    """One for the whole session; tables are made by the tests, each with its own name."""
    with log_server(tmp_path_factory.mktemp("log-server")) as source:
        yield source


@pytest.fixture(autouse=True)
def few_rows_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Column by column, however few they are."""
    monkeypatch.setattr(packed_rows, "FEW_ROWS", 0)
