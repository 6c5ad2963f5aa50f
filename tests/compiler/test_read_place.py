"""Whether the source's server computes the places of a chunk's rows."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from shardwright.compiler.tables.assigned_table import is_light_in_mysql
from tests.sharding.functions import function_of, grid


@pytest.mark.parametrize(
    ("algorithm", "column", "options", "mariadb", "mysql"),
    [
        ("mod", "user_id", {}, True, True),
        ("crc32_mod", "email", {}, True, True),
        ("hash_mod", "user_id", {"integers": "as_long"}, True, True),
        ("hash_mod", "order_no", {}, False, False),  # Java's hash of a text: a step for each character
        ("md5_prefix", "email", {}, True, False),  # MySQL from 9.6 on has it in a component only
    ],
)
def test_it_does_where_that_is_little_work(
    algorithm: str, column: str, options: Mapping[str, object], mariadb: bool, mysql: bool
) -> None:
    function = function_of(algorithm, column, grid=grid(4, 4), options=options)
    found = [is_light_in_mysql(function, dialect=dialect) for dialect in ("mariadb", "mysql")]
    assert found == [mariadb, mysql]
