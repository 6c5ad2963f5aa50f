"""`show`: every setting of a table with the line that set it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.cli.conftest import Call

SPEC = """\
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: [left, right], tables_suffix: "_{0..3}"}
sharding:
  by_user:
    shard_key: [user_id]
    database: user_id % 2
    table: user_id div 2 % 4
defaults:
  weight: 5
  deletes: {policy: immediate, stop_above: 5%}
tables:
  - table: "order_*"
    except: [order_log]
    expect: 2
    to: orders
    sharding: by_user
    weight: 1
    deletes: {stop_above: 100}
    groups: {address: {columns: [country, city], on_change: event}}
  - table: region
    sharding: broadcast
"""

SHOWN = """\
orders in migration shop
  table                 order_*                           specs/one.yaml:14:13
  except                order_log                         specs/one.yaml:15:13
  expect                2                                 specs/one.yaml:16:13
  to                    orders                            specs/one.yaml:17:9
  key                   the primary key                   default
  sharding              by_user                           specs/one.yaml:18:15
  sharding.shard_key    user_id                           specs/one.yaml:7:16
  target.tables_suffix  _0 to _3 (4)                      specs/one.yaml:4:52
  weight                1                                 specs/one.yaml:19:13
  version_column        none                              default
  write                 rows                              default
  deletes.policy        immediate                         specs/one.yaml:12:21
  deletes.stop_above    100                               specs/one.yaml:20:27
  errors                stop                              default
  on_key_collision      refuse                            default
  existing_rows         refuse                            default
  defer_indexes         false                             default
  partitions            drop                              default
  where                 all rows                          default
  groups.address        country, city (on_change: event)  specs/one.yaml:21:23
  backward.triggers     refuse                            default
"""


def test_each_setting_with_its_line(project: Path, call: Call) -> None:
    (project / "specs" / "one.yaml").write_text(SPEC)
    for name in ("orders", "order_*", "order_item"):
        ended = call("show", name, "specs/one.yaml")
        assert ended.code == 0
        assert [line.split() for line in ended.out.splitlines()] == [line.split() for line in SHOWN.splitlines()]
    assert call("show", "order_log", "specs/one.yaml").code == 1, "an exception is not moved"


def test_as_data(project: Path, call: Call) -> None:
    (project / "specs" / "one.yaml").write_text(SPEC)
    (reported,) = json.loads(call("show", "region", "specs/one.yaml", "--format", "json").out)
    settings = {item.pop("name"): item for item in reported["settings"]}
    assert (reported["migration"], reported["table"]) == ("shop", "region")
    assert settings["weight"] == {"value": "5", "file": "specs/one.yaml", "line": 11, "column": 11}
    assert settings["deletes.stop_above"]["line"] == 12
    assert settings["to"] == {"value": "region", "file": None, "line": None, "column": None}


def test_a_table_that_nothing_means(project: Path, call: Call) -> None:
    ended = call("show", "order")
    assert ended.code == 1
    assert "SW2028" in ended.err and "did you mean 'orders'?" in ended.err
