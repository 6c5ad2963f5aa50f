"""A real MariaDB server and a real Spark session for the tests of column mappings."""

from __future__ import annotations

from tests.sharding.conftest import mariadb_socket, spark

__all__ = ["mariadb_socket", "spark"]
