"""What the stream brings of a column's definition: narrower types, character sets, defaults, and clauses with IF
EXISTS. After each statement the schema file gets what the source's server prints, and the run must accept it: then the
targets have it, too (hazards A1, C5, E14, E15).
"""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.failures import Refused, StoppedPartWay
from tests.stream_ddl.conftest import DdlLab, MakeLab
from tests.stream_ddl.test_gate import AtTheGate
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server]

APPLY = "{format: binlog, ddl: apply}"
_ROW = "(1, 0, 'n1', 'grün')"


class _Gate(AtTheGate):
    """With a row in one physical table, as the source has it, and the source's own words in the schema file."""

    def __init__(self, made: DdlLab, *, copied: bool = True) -> None:
        schema_of_source(made)
        super().__init__(made, copied=copied)
        made.lab.write(f"INSERT INTO parent VALUES {_ROW}")
        made.lab.at(0, f"INSERT INTO parent_0 VALUES {_ROW}")
        self.pass_the_rest()

    def default_collation(self) -> str:
        """What the source takes for utf8mb4 where a statement names no collation."""
        ((found,),) = self.made.lab.arena.source.query("SELECT COLLATION(_utf8mb4'x')")
        return str(found)

    def changes(self, statement: str, *, saying: str) -> None:
        """The targets get what the statement makes of the columns, and a plan of the source's own words goes on."""
        self.made.lab.write(statement)
        with pytest.raises(StoppedPartWay, match=f"SW8548.*{saying}"):
            self.meet()
        self.adopt()

    def passes(self, statement: str) -> None:
        """The run goes on with its own plan, and a plan of the source's own words goes on, too."""
        self.made.lab.write(statement)
        self.meet()
        self.adopt()

    def adopt(self) -> None:
        """Under the DDL of another table, the plan of the source's own words goes on."""
        schema_of_source(self.made)
        self.made.lab.write("ALTER TABLE child FORCE")
        self.meet()
        assert self.state().fingerprint == self.deploy().plan.fingerprint


def schema_of_source(made: DdlLab) -> None:
    """As `import` writes it."""
    texts = [str(made.lab.arena.source.query(f"SHOW CREATE TABLE lab.{name}")[0][1]) for name in ("parent", "child")]
    (made.project / "schema" / "lab.sql").write_text(";\n".join([*texts, ""]), encoding="utf-8")
    made.compile()


def columns(made: DdlLab, place: int, table: str = "parent") -> dict[str, tuple[str, str | None, str | None]]:
    """Name -> type, collation and default."""
    found = made.lab.at(
        place,
        "SELECT column_name, column_type, collation_name, column_default FROM information_schema.columns "
        f"WHERE table_schema = DATABASE() AND table_name = '{table}_{place // 2}'",
    )
    return {str(name): (kind if isinstance(kind, str) else kind.decode(), *rest) for name, kind, *rest in found}


def test_e14_narrower_types_are_brought_and_a_row_that_does_not_fit_is_named(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    gate = _Gate(made)
    gate.changes("ALTER TABLE parent MODIFY note varchar(40) NOT NULL DEFAULT ''", saying="made narrower")
    gate.changes("ALTER TABLE parent ADD c enum('a','b','c') DEFAULT 'b', ADD d decimal(12,2), ADD n int", saying="add")
    made.lab.write("UPDATE parent SET d = 99.5, n = 255")
    made.lab.at(0, "UPDATE parent_0 SET d = 99.5, n = 255")
    gate.pass_the_rest()
    gate.changes(
        "ALTER TABLE parent MODIFY c enum('c','b') NOT NULL, MODIFY d decimal(4,2) unsigned, MODIFY n tinyint unsigned",
        saying="c is made narrower.*d is made narrower.*n is made narrower",
    )
    assert made.lab.at(0, "SELECT CAST(note AS BINARY), c, d, n FROM parent_0") == [
        ("grün".encode(), "b", Decimal("99.50"), 255)
    ]
    for statement, row, fixed in (
        ("MODIFY note varchar(10)", "'eleven signs', 'c', NULL, 1", "note = 'ten signs'"),
        ("MODIFY n smallint unsigned NOT NULL", "'', 'c', NULL, NULL", "n = 7"),
        ("MODIFY c enum('b') NOT NULL", "'', 'c', NULL, 1", "c = 'b'"),
    ):
        made.lab.at(3, "DELETE FROM parent_1")
        made.lab.at(3, f"INSERT INTO parent_1 (id, place, note, c, d, n) VALUES (8, 3, {row})")
        made.lab.write(f"ALTER TABLE parent {statement}")
        before = gate.state().position
        with pytest.raises(Refused, match=r"SW8485.*lab_1\.parent_1: .*a row of this table is none of the source's"):
            gate.meet()
        assert gate.state().position == before and not gate.awaits()
        made.lab.at(3, f"UPDATE parent_1 SET {fixed}")
        with pytest.raises(StoppedPartWay, match="SW8548"):
            gate.meet()
        gate.adopt()


def test_a1_c5_e15_a_table_gets_another_character_set_after_a_stop_at_every_step(
    make_lab: MakeLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_lab(APPLY)
    made.lab.write(
        "ALTER TABLE child MODIFY note varchar(100) CHARACTER SET latin1 NOT NULL DEFAULT 'ä'",
        "ALTER TABLE child ADD body text CHARACTER SET latin1, ADD kind enum('a', 'b') CHARACTER SET latin1",
        "ALTER TABLE child DEFAULT CHARACTER SET latin1 COLLATE latin1_swedish_ci",
    )
    gate = _Gate(made)
    before = gate.state().position
    made.lab.at(0, "INSERT INTO child_0 VALUES (1, 1, 0, 'grün', 'é', 'a')")
    made.lab.write("ALTER TABLE child CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
    for name in ("after-stream-ddl-begun", "after-stream-ddl-routed"):
        monkeypatch.setenv(VARIABLE, f"{name}=error")
        with pytest.raises(StoppedPartWay, match="SW8399"):
            gate.meet()
        assert gate.state().position == before and not gate.awaits()
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(StoppedPartWay, match=r"SW8548.*character set utf8mb4, collation utf8mb4_unicode_ci"):
        gate.meet()
    for place in range(4):
        found = columns(made, place, "child")
        assert found["note"][1] == found["body"][1] == found["kind"][1] == "utf8mb4_unicode_ci"
        assert found["body"][0] == "mediumtext", "its characters may need more bytes"
    assert made.lab.at(0, "SELECT HEX(note), HEX(body), HEX(kind) FROM child_0") == [("6772C3BC6E", "C3A9", "61")]
    gate.adopt()
    gate.changes(
        "ALTER TABLE child MODIFY note varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT ''",
        saying="column note gets another character set or collation",
    )
    assert columns(made, 3, "child")["note"][1] == "utf8mb4_bin"
    gate.changes("ALTER TABLE child CONVERT TO CHARACTER SET utf8mb4", saying="its texts get the character set utf8mb4")
    assert columns(made, 3, "child")["note"][1] == gate.default_collation()


def test_c5_e15_a_character_set_that_may_change_texts_or_keys_is_not_brought(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    gate = _Gate(made)
    for statement, why in (
        ("parent CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci", "SW8543.*name is converted.*unique key"),
        ("child CONVERT TO CHARACTER SET utf8mb4, ADD later int", "SW8156.*beside other clauses"),
        ("child CONVERT TO CHARACTER SET binary", "SW8156.*texts of column note .utf8mb4. may change"),
        (
            "child CONVERT TO CHARACTER SET latin1 COLLATE latin1_bin",
            "SW8156.*texts of column note .utf8mb4. may chang",
        ),
        ("child CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, FORCE", "SW8156.*beside other clauses"),
    ):
        made.lab.write(f"ALTER TABLE {statement}")
        before = gate.state().position
        with pytest.raises(Refused, match=why):
            gate.meet()
        assert gate.state().position == before
        gate.meet(allowed=gate.next_place())
        assert gate.state().position == gate.head()


def test_e14_a_default_and_a_comment_are_brought(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    gate = _Gate(made)
    gate.passes("ALTER TABLE parent ALTER COLUMN note SET DEFAULT 'none', ALTER place SET DEFAULT 7")
    assert all(columns(made, place)["note"][2] in ("none", "'none'") for place in range(4))
    gate.passes("ALTER TABLE parent ALTER note DROP DEFAULT, ALTER name SET DEFAULT 'x'")
    gate.passes("ALTER TABLE parent MODIFY note varchar(100) NOT NULL DEFAULT 'y' COMMENT 'words'")
    assert all(columns(made, place)["note"][2] in ("y", "'y'") for place in range(4))
    gate.changes(
        "ALTER TABLE parent ADD late int NOT NULL DEFAULT 5, ALTER name SET DEFAULT NULL", saying="late is add"
    )


@pytest.mark.in_turn
def test_e14_if_exists_does_what_it_did_at_the_source(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    if made.lab.arena.source.sandbox.kind != "mariadb":
        pytest.skip("only MariaDB has IF EXISTS there")
    gate = _Gate(made)
    gate.passes("ALTER TABLE parent ADD COLUMN IF NOT EXISTS note int, DROP COLUMN IF EXISTS nowhere")
    gate.changes(
        "ALTER TABLE IF EXISTS parent ADD COLUMN IF NOT EXISTS x int DEFAULT 5 AFTER place", saying="x is added"
    )
    gate.passes("ALTER TABLE parent ADD COLUMN IF NOT EXISTS x varchar(10)")
    gate.passes("CREATE INDEX IF NOT EXISTS by_x ON parent (x)")
    gate.passes("CREATE INDEX IF NOT EXISTS by_x ON parent (x)")
    gate.passes("ALTER TABLE parent ADD INDEX IF NOT EXISTS by_x (place), ALTER COLUMN IF EXISTS nowhere DROP DEFAULT")
    gate.passes("ALTER TABLE parent ADD UNIQUE KEY IF NOT EXISTS by_x (place)")
    gate.passes("ALTER TABLE parent RENAME INDEX IF EXISTS by_x TO by_y, MODIFY COLUMN IF EXISTS nowhere int")
    gate.passes("ALTER TABLE parent RENAME KEY IF EXISTS nowhere TO by_z, RENAME INDEX by_y TO by_x")
    assert all(made.lab.at(place, f"SHOW INDEX FROM parent_{place // 2} WHERE Key_name = 'by_x'") for place in range(4))
    gate.passes("DROP INDEX IF EXISTS by_x ON parent")
    gate.passes("ALTER TABLE parent DROP INDEX IF EXISTS by_x, DROP FOREIGN KEY IF EXISTS f")
    gate.changes("ALTER TABLE parent CHANGE COLUMN IF EXISTS x y int DEFAULT 5", saying="column x gets the name y")
    gate.changes("ALTER TABLE parent MODIFY IF EXISTS y bigint DEFAULT 5", saying="column y is made wider")
    gate.changes("ALTER TABLE parent DROP COLUMN IF EXISTS y, DROP COLUMN IF EXISTS x", saying="column y is dropped")
    made.lab.write("ALTER TABLE parent ADD COLUMN IF NOT EXISTS x int, ADD COLUMN IF NOT EXISTS x int")
    with pytest.raises(Refused, match=r"SW8155.*another clause of the same statement names x"):
        gate.meet()
    gate.meet(allowed=gate.next_place())
    assert all(list(columns(made, place)) == ["id", "place", "name", "note"] for place in range(4))


def test_n16_what_the_stream_has_brought_is_no_drift(make_lab: MakeLab) -> None:
    """Before the schema file has it, and behind that; what else differs is named alone."""
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write("ALTER TABLE parent ALTER COLUMN note SET DEFAULT '%s %% %d'")
    lab.write("ALTER TABLE parent ALTER COLUMN note SET DEFAULT 'two'")
    made.run()
    lab.job.call("ddl", "status", "--env", ENVIRONMENT)
    lab.job.call("ddl", "plan", "--drift", "--env", ENVIRONMENT)
    lab.arena.placement["lab_0"].query("ALTER TABLE parent_0 ALTER COLUMN name SET DEFAULT 'stray'", database="lab_0")
    said = lab.job.call("ddl", "plan", "--drift", "--env", ENVIRONMENT, expect=3)
    assert "name" in said and "two" not in said, said
    lab.arena.placement["lab_0"].query("ALTER TABLE parent_0 ALTER COLUMN name SET DEFAULT NULL", database="lab_0")
    made.in_schema("`note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',\n  PRIMARY KEY (`id`),",
                   "`note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT 'two',\n  PRIMARY KEY (`id`),")  # fmt: skip
    lab.job.call("ddl", "status", "--env", ENVIRONMENT)
    made.run()
    lab.job.call("ddl", "status", "--env", ENVIRONMENT)


def test_n20_a_source_that_is_not_strict_has_cut_its_values_and_the_targets_do_the_same(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    lab, result = made.lab, made.project / "RESULT"
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.write("UPDATE parent SET note = REPEAT('x', 30)", "UPDATE child SET note = CONCAT('child ', id, line)")
    made.run()
    lab.write("SET SESSION sql_mode = ''", "ALTER TABLE parent MODIFY note varchar(10) NOT NULL DEFAULT ''")
    lab.write("UPDATE parent SET name = 'later' WHERE id = 1")
    said = made.run(code=6, saying="SW8555")
    assert "was not in strict mode" in said and "none of the source's" not in said.partition("On the shards")[0]
    (command,) = set(re.findall(r"shardwright run --allow (SW8555)$", said, re.MULTILINE))
    made.run(code=5, saying="SW8548", allow=command)
    made.in_schema("`note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',\n  PRIMARY KEY (`id`),",
                   "`note` varchar(10) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',\n  PRIMARY KEY (`id`),")  # fmt: skip
    made.run()
    lab.require_equal()
    lab.job.call("verify", "--env", ENVIRONMENT, "--report", f"json={result}")
    assert lab.at(0, "SELECT note FROM parent_0") == [("x" * 10,)]
