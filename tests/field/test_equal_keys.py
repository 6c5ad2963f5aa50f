"""A key in two source tables whose rows belong to different shards: the sums of both sides agree, and the verdict is
all the same not equal (hazard H7).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

TABLES = """tables:
  - {table: "item_?", expect: 2, to: item, sharding: {rule: by_id, shard_key: [uid]}}"""


@pytest.mark.long
def test_h7_a_key_that_exists_twice_is_never_called_equal(arena: Arena, tmp_path: Path) -> None:
    create = "(id INT PRIMARY KEY, uid INT NOT NULL, v INT) DEFAULT CHARSET=utf8mb4"
    case = Case(
        arena,
        tmp_path,
        TABLES,
        setup=(
            f"CREATE TABLE item_0 {create}",
            f"CREATE TABLE item_1 {create}",
            "INSERT INTO item_0 VALUES (1, 1, 1), (3, 2, 3), (5, 3, 5)",
            "INSERT INTO item_1 VALUES (2, 1, 2), (4, 2, 4)",
        ),
    )
    case.plan()
    case.verify(code=6, saying="SW8206")
    case.run()
    case.verify(saying="equal")
    # Once the run is past its checks, which would refuse the key.
    with case.call_in_background("run", "--env", "test", "--until", "forever", saying="snapshot complete"):
        case.write("INSERT INTO item_1 VALUES (5, 4, 6)")  # another shard key: both rows find a place of their own
        case.wait_until_caught_up()
    assert sorted(row[2][0] for row in case.shard_rows("item")) == [1, 2, 3, 4, 5, 5]
    reported = json.loads(case.verify("--format", "json", code=1).out)
    (table,) = reported["tables"]
    assert [(item["kind"], item["key"]) for item in table["mismatches"]] == [("duplicate", ["5"])], table
