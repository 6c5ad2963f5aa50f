"""Columns of MariaDB's UUID, INET4 and INET6 and of MySQL's VECTOR come back from the shards, cast ones as well
(hazard C30).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark]

COLUMNS = {
    "mariadb": "`a` uuid DEFAULT NULL,\n  `b` inet6 DEFAULT NULL,\n  `c` inet4 DEFAULT NULL,\n  `d` uuid DEFAULT NULL",
    "mysql": "`a` vector(3) DEFAULT NULL,\n  `b` vector DEFAULT NULL,\n  `c` int DEFAULT NULL,\n  `d` vector(2) DEFAULT NULL",
}
CAST = {"mariadb": "varchar(36) character set ascii collate ascii_bin", "mysql": "varbinary(8)"}
KEY = "018f4567-e89b-72d3-a456-426655440000"
FIRST = {
    "mariadb": f"a = '{KEY}', b = '::1.2.3.4', c = '1.2.3.0', d = '123e4567-e89b-12d3-a456-426655440000'",
    "mysql": "a = STRING_TO_VECTOR('[1,2,3]'), b = a, c = 1, d = STRING_TO_VECTOR('[1,2]')",
}
THEN = {
    "mariadb": f"a = '00000000-0000-0000-0000-00000000ff00', b = '2001:db8::', c = '10.0.0.0', d = '{KEY}'",
    "mysql": "a = STRING_TO_VECTOR('[-0.5]'), b = NULL, c = 2, d = x'0000803F0000803F'",
}
SHOWN = {"mariadb": "id, a, b, c, d", "mysql": "id, HEX(a), HEX(b), c, HEX(d)"}
WANTED = {
    "mariadb": [
        (1, "00000000-0000-0000-0000-00000000ff00", "2001:db8::", "10.0.0.0", KEY),
        (2, KEY, "::1.2.3.4", "1.2.3.0", "123e4567-e89b-12d3-a456-426655440000"),
        (4, "00000000-0000-0000-0000-00000000ff00", "2001:db8::", "10.0.0.0", KEY),
    ],
    "mysql": [
        (1, "000000BF", None, 2, "0000803F0000803F"),
        (2, "0000803F0000004000004040", "0000803F0000004000004040", 1, "0000803F00000040"),
        (4, "000000BF", None, 2, "0000803F0000803F"),
    ],
}


@pytest.mark.long
def test_c30_addresses_and_vectors_come_back_and_are_compared(arena: Arena, tmp_path: Path) -> None:
    kind = arena.source.sandbox.kind
    lab = BackLab(arena, tmp_path)
    for file, old, new in (
        ("specs/lab.yaml", "dialect: mariadb", f"dialect: {kind}"),
        (
            "specs/lab.yaml",
            "    weight: 10\n",
            f"    weight: 10\n    columns: {{cast: {{d: {{type: {CAST[kind]}}}}}}}\n",
        ),
        ("schema/lab.sql", "  `note`", f"  {COLUMNS[kind]},\n  `note`"),
    ):
        path = lab.job.project / file
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    lab.job.call("compile")
    lab.arena.source.run_script(lab.job.project / "schema" / "lab.sql", database="lab")
    lab.write("INSERT INTO parent (id, place, name) VALUES (1, 0, 'n1'), (2, 1, 'n2'), (3, 2, 'n3')")
    lab.write(f"UPDATE parent SET {FIRST[kind]}")
    lab.finish()
    lab.turn()
    with lab.run() as run:
        lab.on(0, f"UPDATE parent_0 SET {THEN[kind]} WHERE id = 1")
        lab.on(1, "INSERT INTO parent_0 (id, place, name) VALUES (4, 1, 'n4')")
        lab.on(1, f"UPDATE parent_0 SET {THEN[kind]} WHERE id = 4")
        lab.on(2, "DELETE FROM parent_1 WHERE id = 3")
        lab.drain(run)
        assert lab.source(f"SELECT {SHOWN[kind]} FROM parent ORDER BY id") == WANTED[kind]
        assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
