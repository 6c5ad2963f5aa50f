"""Keys of the last release mean what the new ones mean."""

from __future__ import annotations

import pytest

from shardwright.specs.spec.read import parse_spec

SPEC = """\
version: 1
migration: shop
source: {{dialect: mariadb, databases: [shop], schema: shop.sql, stream: {{format: binlog{stream}}}}}
target: {{databases: "shop_{{0..1}}"}}
sharding: {{by_user: {{shard_key: [user_id], database: user_id % 2}}}}
tables: [{{table: orders, sharding: by_user}}]
"""


@pytest.mark.parametrize(
    ("stream", "meant"),
    [
        ("", "go_on"),
        (", unavailable_source: isolate", "go_on"),
        (", unavailable_source: stop", "stop"),
        (", when_one_fails: go_on", "go_on"),
        (", when_one_fails: stop", "stop"),
    ],
)
def test_an_unavailable_source(stream: str, meant: str) -> None:
    assert parse_spec(SPEC.format(stream=stream), "shop.yaml").source.when_one_fails == meant
