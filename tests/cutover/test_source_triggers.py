"""The source's tables have triggers. While the shards take the writes they are gone, and the way back does not fire them;
afterwards they are what they were, and fire in their order."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.mysql.grants import definer_privileges, quote_account
from shardwright.runtime.rehearsal.sandbox.accounts import APPLICATION_USER, RUNTIME_USER
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]

DIED_AT = {"after-triggers-recorded", "after-trigger-dropped", "after-trigger-created"}
EXAMPLE = Path(__file__).with_name("numbers")


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> CutoverLab:
    made = CutoverLab(arena, tmp_path, example=EXAMPLE)
    made.begin()
    made.on(0, "CREATE TABLE id_segment (name varchar(40) PRIMARY KEY, next_id int NOT NULL) ENGINE=InnoDB")
    return made


@pytest.mark.in_turn
def test_g5_triggers_of_the_source_are_gone_while_the_shards_take_the_writes(lab: CutoverLab) -> None:
    lab.write("INSERT INTO numbers VALUES ('parent', 500)")
    _create_triggers(lab)
    lab.arena.source.query(f"GRANT ALTER ON lab.* TO {_account(lab, RUNTIME_USER)}")  # for AUTO_INCREMENT
    before = _triggers(lab)
    assert [row[0] for row in before] == ["last", "first", "second", "third"]
    with lab.run(gated=False) as run:
        lab.write("UPDATE parent SET note = 'warm'")
        lab.drain_forward(run)
        lab.verify()
        _require_right_to_name_a_definer(lab)
        for point in ("after-triggers-recorded", "after-trigger-dropped"):
            lab.expect_kill("begin", failpoints=f"{point}=kill")
            lab.cutover("abort")
            assert _triggers(lab) == before, point
        lab.expect_kill("begin", failpoints="after-trigger-dropped=kill")
        lab.cutover()
        assert _triggers(lab) == []
        assert "lab.second" in lab.cutover("status")
        _s1_no_statement_of_the_shards_is_executed(lab)
        fired = lab.source("SELECT COUNT(*) FROM trail")
        lab.insert(700, 0)
        lab.drain(run)
        assert lab.source("SELECT note FROM parent WHERE id = 700") == [("",)]
        assert lab.source("SELECT COUNT(*) FROM trail") == fired, "the way back fires none"
        lab.expect_kill("rollback", failpoints="after-trigger-created=kill")
        lab.cutover("abort")
        assert _triggers(lab) == [], "the way back goes on writing there"
        _roll_back_with_the_right(lab, run)
        assert _triggers(lab) == before
        assert lab.status()["dropped_triggers"] == []
        lab.write("INSERT INTO parent VALUES (701, 1, 'n701', 'x')")
        assert lab.source("SELECT note FROM parent WHERE id = 701") == [("x12",)], "in their order"
        lab.drain_forward(run)
        lab.cutover()
        lab.drain(run)
    said = lab.cutover("finish")
    assert "dropped at the source for good: lab.last, lab.first" in said, said
    assert [one["name"] for one in lab.status()["dropped_triggers"]] == ["last", "first", "second", "third"]


def _create_triggers(lab: CutoverLab) -> None:
    """Of another definer, with other settings than ours, one with a letter that is another byte there, and one that was
    made last and fires first."""
    definer = _account(lab, APPLICATION_USER)
    made = f"CREATE DEFINER = {definer} TRIGGER"
    with lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE trail (what varchar(40)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4")
        cursor.execute(f"{made} second BEFORE INSERT ON parent FOR EACH ROW SET NEW.note = CONCAT(NEW.note, '2')")
        cursor.execute("SET NAMES latin1")
        cursor.execute("SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'")
        raw: Any = connection
        text = f"{made} third AFTER UPDATE ON parent FOR EACH ROW INSERT INTO \"trail\" VALUES ('K\u00f6ln' || NEW.id)"
        raw.query(text.encode("latin1"))
        cursor.execute(
            f"{made} first BEFORE INSERT ON parent FOR EACH ROW PRECEDES second SET NEW.note = NEW.note || '1'"
        )
        cursor.execute(f"{made} last AFTER INSERT ON parent FOR EACH ROW INSERT INTO trail VALUES ('born')")


def _triggers(lab: CutoverLab) -> list[tuple[Any, ...]]:
    """All that the server has of them but their age, in the order in which it fires them."""
    names = lab.source(
        "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = 'lab' AND trigger_name NOT LIKE "
        "'\\_shardwright%' ORDER BY CONCAT(event_manipulation, action_timing), action_order"
    )
    return [lab.source(f"SHOW CREATE TRIGGER {name}")[0][:6] for (name,) in names]


def _require_right_to_name_a_definer(lab: CutoverLab) -> None:
    said = lab.expect_refusal("begin", code=Exit.REFUSED)
    wanted = f"GRANT {_privilege(lab)} ON *.* TO {_account(lab, RUNTIME_USER)}"
    assert "SW8125" in said and wanted in said, said
    lab.arena.source.query(wanted)
    assert "dropped by a cutover, created again by a rollback: lab.last, lab.first" in lab.cutover("--dry-run")


def _s1_no_statement_of_the_shards_is_executed(lab: CutoverLab) -> None:
    """Who writes to the first shard may write there what it likes; beside the source only we write, and even there only
    the trigger itself is taken."""
    evil = json.dumps(
        [
            {
                "database": "lab",
                "table": "parent",
                "name": "t_evil",
                "statement": "CREATE DEFINER=`root`@`localhost` TRIGGER t_evil AFTER UPDATE ON parent FOR EACH ROW SET @a=1",
                "sql_mode": "",
                "character_set_client": "utf8mb4",
                "collation_connection": "utf8mb4_general_ci",
            }
        ]
    )
    ledger = "_shardwright_lab._shardwright_dropped_trigger"
    recorded = lab.source(f"SELECT * FROM {ledger} ORDER BY place")
    assert [row[1] for row in recorded] == ["last", "first", "second", "third"]
    lab.on(
        0, f"UPDATE _shardwright_cutover_state SET detail = JSON_SET(detail, '$.triggers', JSON_EXTRACT('{evil}', '$'))"
    )
    lab.arena.source.query(
        f"UPDATE {ledger} SET statement = REPLACE(statement, 'trail', 'elsewhere'), definer = 'root@%'"
    )
    said = lab.expect_refusal("rollback", code=Exit.REFUSED)
    assert "SW8931" in said and "has another definer" in said, said
    lab.arena.source.query(f"DELETE FROM {ledger}")
    for row in recorded:
        lab.arena.source.query(f"INSERT INTO {ledger} VALUES ({', '.join(['%s'] * len(row))})", row)
    assert _triggers(lab) == [] and lab.state().state == "reversing"


def _roll_back_with_the_right(lab: CutoverLab, run: subprocess.Popen[bytes]) -> None:
    """A command checks privileges before it sets the fence, and not again when it resumes."""
    account = _account(lab, RUNTIME_USER)
    _follow_again(lab, run)
    lab.expect_kill("rollback", failpoints="before-drained=kill")
    lab.arena.source.query(f"REVOKE {_privilege(lab)} ON *.* FROM {account}")
    assert "SW8929" in lab.expect_refusal("rollback", code=Exit.REFUSED)
    assert lab.state().state == "reversing" and _triggers(lab) == []
    _follow_again(lab, run)
    assert "SW8125" in lab.expect_refusal("rollback", code=Exit.REFUSED)
    lab.arena.source.query(f"GRANT {_privilege(lab)} ON *.* TO {account}")
    lab.cutover("rollback")


def _follow_again(lab: CutoverLab, run: subprocess.Popen[bytes]) -> None:
    """The run has noticed that the way back is in force again."""
    lab.on(0, "UPDATE parent_0 SET note = CONCAT(note, '.') WHERE id = 700")
    lab.drain(run)


def _privilege(lab: CutoverLab) -> str:
    return definer_privileges(str(lab.source("SELECT VERSION()")[0][0]))[0]


def _account(lab: CutoverLab, user: str) -> str:
    return quote_account(f"{user}@{lab.arena.source.sandbox.account_host}")
