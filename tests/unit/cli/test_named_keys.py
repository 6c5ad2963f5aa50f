"""`cutover --keys TABLE=FILE`: in which buckets the named keys are, and what is refused."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from shardwright.compiler.project.project import Project, find_project
from shardwright.runtime.cli.named_keys import buckets_of_keys, find_subject
from shardwright.runtime.failures import InputAtFault

SPEC = """\
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: "db_{0..3}"}
sharding:
  by_user: {shard_key: [user_id], database: user_id % 4, buckets: 16}
tables:
  - {table: orders, sharding: by_user}
  - {table: line, sharding: {rule: by_user, shard_key: {parent: orders, via: [user_id, order_id]}}}
"""
SCHEMA = """\
CREATE TABLE orders (user_id INT UNSIGNED NOT NULL, order_id BIGINT NOT NULL, PRIMARY KEY (user_id, order_id))
  DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line (line_id BIGINT NOT NULL, user_id INT UNSIGNED NOT NULL, order_id BIGINT NOT NULL,
  PRIMARY KEY (line_id), KEY (user_id, order_id)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


@pytest.fixture
def shop(project: Path) -> Project:
    for spec in (project / "specs").iterdir():
        spec.unlink()
    (project / "specs" / "shop.yaml").write_text(SPEC)
    (project / "schema" / "shop.sql").write_text(SCHEMA)
    (project / "none.csv").write_text("user_id\n")
    (project / "tenants.csv").write_text("user_id\n5\n4711\n5\n")
    return find_project(str(project))


def test_keys_are_in_the_buckets_of_their_rule(shop: Project) -> None:
    plan = find_subject(shop, "orders", None).plan
    found = buckets_of_keys(shop, f"orders={shop.root}/tenants.csv", plan)
    assert found == {zlib.crc32(key) % 16 for key in (b"5", b"4711")}


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("orders", "write TABLE=FILE"),
        ("orders={root}/none.csv", "the file has no key"),
        ("orders={root}/absent.csv", "cannot read"),
        ("line={root}/tenants.csv", "name a table that has"),
        ("odrers={root}/tenants.csv", "did you mean"),
    ],
)
def test_what_names_no_key_is_refused(shop: Project, named: str, said: str) -> None:
    plan = find_subject(shop, "orders", None).plan
    with pytest.raises(InputAtFault, match=said):
        buckets_of_keys(shop, named.format(root=shop.root), plan)


@pytest.mark.parametrize("other", ["buckets: 32", "buckets: user_id % 16"])
def test_a_spec_that_was_edited_since_is_refused(shop: Project, other: str) -> None:
    plan = find_subject(shop, "orders", None).plan
    (shop.root / "specs" / "shop.yaml").write_text(SPEC.replace("buckets: 16", other))
    with pytest.raises(InputAtFault, match="compile, and run, first"):
        buckets_of_keys(shop, f"orders={shop.root}/tenants.csv", plan)
