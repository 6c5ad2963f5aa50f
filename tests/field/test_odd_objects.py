"""What stands beside the tables of a MariaDB source: sequences, temporary tables, system-versioned tables. The first two
pass, in the log too; the third is refused by name (hazard C30).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case

pytestmark = [pytest.mark.server, pytest.mark.spark]

TABLES = "tables:\n  - {table: item, sharding: by_id}"


def test_c30_sequences_and_temporary_tables_pass_and_system_versioned_ones_are_named(
    arena: Arena, tmp_path: Path
) -> None:
    if arena.source.sandbox.kind != "mariadb":
        pytest.skip("MariaDB only: sequences, system-versioned tables")
    case = Case(
        arena,
        tmp_path,
        TABLES,
        setup=(
            "CREATE SEQUENCE numbers",
            "CREATE TABLE item (id INT PRIMARY KEY, v INT)",
            "INSERT INTO item VALUES (NEXTVAL(numbers), 1), (NEXTVAL(numbers), 2)",
        ),
    )
    case.plan()
    case.run()
    case.write(
        "INSERT INTO item VALUES (NEXTVAL(numbers), 3)",
        "ALTER SEQUENCE numbers RESTART 50",
        "CREATE SEQUENCE more",
        "CREATE TEMPORARY TABLE item (id INT PRIMARY KEY, w VARCHAR(9))",
        "INSERT INTO item VALUES (NEXTVAL(more), 'only here')",
        "UPDATE item SET w = 'x'",
        "DROP TEMPORARY TABLE item",
        "INSERT INTO item VALUES (NEXTVAL(numbers), 4)",
        "DROP SEQUENCE more",
        "UPDATE item SET v = v + 10",
    )
    case.run()
    case.require_equal("item")
    assert len(case.shard_rows("item")) == 4
    case.verify(saying="equal")

    case.write("ALTER TABLE item ADD SYSTEM VERSIONING", "UPDATE item SET v = 0 WHERE id = 1")
    case.run(code=6, saying="item is a system versioned table at the source")
