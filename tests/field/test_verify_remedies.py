"""What `verify` tells an operator to do when it cannot check, done to the letter, ends in a verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, Case
from tests.support.commands import shardwright

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

_TABLES = "tables:\n  - {table: item, sharding: by_id}\n  - {table: note, sharding: by_id}"
_COLUMNS = "(id INT PRIMARY KEY, code VARCHAR(20) NOT NULL, UNIQUE KEY (code)) DEFAULT CHARSET=utf8mb4"
COULD_NOT_CHECK = 8


@pytest.mark.long
def test_h4_whatever_verify_could_not_check_it_checks_once_that_is_fixed(arena: Arena, tmp_path: Path) -> None:
    rows = ", ".join(f"({number}, 'c{number}')" for number in range(1, 60))
    case = Case(
        arena,
        tmp_path,
        _TABLES,
        setup=[
            line.format(name)
            for name in ("item", "note")
            for line in ("CREATE TABLE {} " + _COLUMNS, f"INSERT INTO {{}} VALUES {rows}")
        ],
    )
    case.plan()
    killed = shardwright(
        case.project, "run", "--env", "test", environ={"SHARDWRIGHT_FAILPOINTS": "after-chunk-planned=kill"}
    )
    assert killed.code == -9, killed
    case.verify(code=COULD_NOT_CHECK, saying="SW8508")  # compare when the snapshot is complete
    case.run()
    case.verify(saying="verdict: equal")

    case.verify("--table", "nope", code=2, saying="the plan has no table nope; it has item, note")  # SW8504
    state = tmp_path / "state.json"
    state.write_text("{}", encoding="utf-8")
    case.verify("--checkpoint", str(state), code=1, saying="SW8510")
    state.unlink()  # as it says
    case.verify("--checkpoint", str(state), saying="verdict: equal")

    _a_table_that_cannot_be_read(case)
    _an_idle_stream(case, tmp_path / "result.json")


def _a_table_that_cannot_be_read(case: Case) -> None:
    """SW8501 repeats the server's reason; the other table is compared."""
    with case.arena.shard(SHARDS[0]) as connection, connection.cursor() as cursor:
        cursor.execute("ALTER TABLE note_1 RENAME COLUMN code TO kode")
        said = case.verify(code=COULD_NOT_CHECK, saying="SW8501").out
        assert "part_0.note_1" in said and "code" in said, said
        cursor.execute("ALTER TABLE note_1 RENAME COLUMN kode TO code")
    case.verify(saying="verdict: equal")


def _an_idle_stream(case: Case, result: Path) -> None:
    """SW8507: let a run follow the stream. The stream is waited for once, not once a table."""
    case.write("UPDATE item SET code = 'changed' WHERE id = 7", "DELETE FROM note WHERE id = 8")
    patience = 4
    arguments = ("--timeout", str(patience), "--report", f"json={result}")
    case.verify(*arguments, code=COULD_NOT_CHECK, saying="SW8507")
    tables = json.loads(result.read_text(encoding="utf-8"))["tables"]
    assert ["SW8507" in str(table["problem"]) for table in tables] == [True, True], tables
    assert sum(table["seconds"] >= patience for table in tables) == 1, tables
    case.verify("--at-position", *arguments, code=COULD_NOT_CHECK, saying="SW8507")
    case.run()
    case.verify("--at-position", saying="verdict: equal")
