"""What a tool's own syntax would take for something else is not handed over (finding 25 of the security review); no
tool is needed."""

from __future__ import annotations

from contextlib import closing

import pytest

from shardwright.runtime.ddl.online.ready import obstacles
from shardwright.runtime.mysql.servers import is_mariadb
from tests.ddl.shards import Shards

pytestmark = pytest.mark.server


@pytest.mark.parametrize(
    ("table", "refused"),
    [("orders_0", False), ("o$1", False), ("a,h=elsewhere", True), ("a=b", True), ("a b", True), ("a\\", True)],
)
def test_a_name_that_the_tools_list_of_settings_would_split_is_refused(
    shards: Shards, table: str, refused: bool
) -> None:
    with closing(shards.connect("order_db_0")) as connection:
        found = list(obstacles(connection, "pt-osc", table, mariadb=is_mariadb(connection)))
    assert any("list of settings" in why for why in found) == refused
