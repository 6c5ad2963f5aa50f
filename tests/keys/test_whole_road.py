"""Keys of every kind on the whole road: copied by ranges of seven rows, followed in the log, compared, in one
migration.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.keys.kinds import NAMES, SCHEMA, SPEC, fill
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, SMALL_SPARK, Job

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


def test_d1_d4_d5_d7_keys_of_every_kind_are_copied_followed_and_compared(arena: Arena, tmp_path: Path) -> None:
    example = tmp_path / "example"
    for part, name, text in (("specs", "keys.yaml", SPEC), ("schema", "shop.sql", SCHEMA)):
        (example / part).mkdir(parents=True)
        (example / part / name).write_text(text, "utf-8")
    (example / "ddl").mkdir()
    job = Job(arena, example, tmp_path, settings={**SMALL_SPARK, "snapshot": {"chunk_rows": 7}})
    arena.source.run_script(example / "schema" / "shop.sql", database="shop")
    with arena.source.connect("shop") as connection, connection.cursor() as cursor:
        fill(cursor)
        connection.commit()
        job.call("compile")
        job.run_until_caught_up()
        _compare(job)
        for statement in (
            "UPDATE folded SET name = UPPER(name) WHERE name IN ('aaaa', 'agg', 'ärger')",
            "DELETE FROM folded WHERE name = 'zzzz'",
            "INSERT INTO folded VALUES ('zzzz', 2)",
            "UPDATE folded SET name = 'STRASSE' WHERE name = 'strasse'",
            "UPDATE numbered SET mask = mask ^ 2 WHERE kind = 'mid'",
            "UPDATE numbered SET flags = 'zeta,alpha,mid', owner = owner + 1 WHERE flags = '' AND mask < 3",
            "DELETE FROM numbered WHERE kind = 'Alpha' AND mask = 4095",
            "UPDATE exact SET amount = amount + 0.001, owner = owner + 1 WHERE number = 9",
            "UPDATE exact SET code = CONCAT(code, 0x00) WHERE number = 0",
            "DELETE FROM exact WHERE fixed = 0x61200000 AND amount < 0",
        ):
            assert cursor.execute(statement), statement
        connection.commit()
    job.run_until_caught_up()
    _compare(job)
    found = [row for shard in ("keys_0", "keys_1") for row in _rows(arena, shard)]
    assert {"AAAA", "AGG", "ÄRGER", "zzzz", "STRASSE"} <= set(found)
    assert len(found) == len(NAMES)


def _compare(job: Job) -> None:
    report = json.loads(job.call("verify", "--env", ENVIRONMENT, "--format", "json"))
    assert report, "nothing compared"


def _rows(arena: Arena, shard: str) -> list[str]:
    with arena.shard(shard) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT name FROM folded")
        return [str(row[0]) for row in cursor.fetchall()]
