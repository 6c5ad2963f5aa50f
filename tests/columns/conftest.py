"""The Spark session of the tests of sharding functions."""

from __future__ import annotations

from tests.sharding.conftest import spark

__all__ = ["spark"]
