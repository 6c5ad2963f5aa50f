"""DDL on a followed table between two of its chunks, under the stream's default policy (hazard B5): the run stops by
name in front of the statement, whoever meets it first, and goes on only where rows that were read behind it are right
all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from tests.servers.testbed import Arena
from tests.stream_ddl.conftest import DdlLab
from tests.support.job import ENVIRONMENT
from tests.support.lab import new_family
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

ROWS = 8
"""A chunk's. Four chunks at most are under way when the first one is done."""
FAMILIES = 40


@pytest.fixture
def made(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> DdlLab:
    made = DdlLab(arena, tmp_path_factory.mktemp("b5"), "{format: binlog}", settings={"snapshot": {"chunk_rows": ROWS}})
    made.lab.fill({id_: id_ % 4 for id_ in range(100, 100 + FAMILIES)})
    return made


@contextmanager
def change_between_chunks(made: DdlLab, *statements: str, code: int, saying: str) -> Iterator[Popen[bytes]]:
    """A run whose copy of `child` meets `statements` between two chunks while its stream stands in front of them. What
    is done within is done meanwhile; then the run ends by itself with `code`, says so, and has passed nothing."""
    lab = made.lab
    lab.gates.hold("after-chunk-done", "before-open-batch")
    with lab.run() as run:
        lab.reach(run, "after-chunk-done")
        lab.write(*new_family(1, 1))
        lab.reach(run, "before-open-batch")
        before = lab.arena.source.log_end()[1]
        lab.write_all(statements)
        lab.gates.open("after-chunk-done")
        yield run
        lab.gates.open_all()
        log = lab.wait_for_end(run, code=code, saying=saying)
    assert "SW9000" not in log
    ledger_state = lab.ledger_state()
    require_sound(lab.arena, ledger_state)
    assert ledger_state.position is not None and ledger_state.position[1] <= before and not ledger_state.snapshot_done


def test_b5_a_column_that_chunks_are_read_by_is_gone(made: DdlLab) -> None:
    """The copy meets it first: a named stop, before anything is written of the chunk."""
    with change_between_chunks(made, "ALTER TABLE child DROP COLUMN note", code=6, saying="SW8128: table lab.child"):
        pass
    assert 0 < count_copied(made) < FAMILIES * 2 // ROWS
    said = made.run(code=6, saying="SW8128")
    assert "column note is gone" in said


@pytest.mark.long
def test_b5_a_table_is_gone(made: DdlLab) -> None:
    with change_between_chunks(made, "RENAME TABLE child TO other", code=6, saying="SW8128: table lab.child"):
        pass
    made.lab.write("RENAME TABLE other TO child")
    made.run(code=6, saying="SW8114")


@pytest.mark.long
def test_b5_values_that_only_the_wider_column_holds_are_not_cut(made: DdlLab) -> None:
    wider = "ALTER TABLE child MODIFY note varchar(200) COLLATE utf8mb4_general_ci NOT NULL DEFAULT ''"
    longer = "UPDATE child SET note = REPEAT('x', 150) WHERE id > 120"
    with change_between_chunks(made, wider, longer, code=6, saying="SW8301"):
        pass
    for place in range(4):
        assert made.lab.at(place, f"SELECT COUNT(*) FROM child_{place // 2} WHERE note <> ''") == [(0,)]
    said = made.run(code=6, saying="SW8128")
    assert (
        "column note is varchar(200) utf8mb4_general_ci at the source, varchar(100) utf8mb4_general_ci in the plan"
        in said
    )


@pytest.mark.long
def test_b5_an_added_column_is_brought_by_hand_and_the_copy_continues(made: DdlLab) -> None:
    """Chunks that were read behind the statement hold the rows that the ones before it would have held."""
    lab, every = made.lab, FAMILIES * 2 // ROWS
    adding = "ADD COLUMN x int NOT NULL DEFAULT 5 AFTER place"
    with change_between_chunks(made, f"ALTER TABLE child {adding}", code=6, saying="SW8114") as run:
        lab.until(run, "all chunks are copied", lambda: count_copied(made) >= every)
    lab.write("UPDATE child SET x = 7 WHERE id IN (1, 102, 139)")
    place = re.findall(r"at (\S+:\d+)", made.run(code=6, saying="SW8114"))[-1]
    for shard in range(2):
        for suffix in ("_0", "_1"):
            lab.at(shard, f"ALTER TABLE child{suffix} {adding}")
    made.run(code=5, saying="SW8548", allow=f"SW8114@{place}")
    made.in_schema(
        "`place` int unsigned NOT NULL,\n  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',\n  PRIMARY KEY (`id`,`line`)",
        "`place` int unsigned NOT NULL,\n  `x` int NOT NULL DEFAULT 5,\n  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',\n  PRIMARY KEY (`id`,`line`)",
    )
    made.run()
    lab.require_equal()
    ((seven,),) = lab.at(1, "SELECT x FROM child_1 WHERE id = 139 AND line = 1")
    assert seven == 7


@pytest.mark.long
def test_b5_e17_a_table_that_is_emptied_is_copied_again_behind_it(arena: Arena, tmp_path: Path) -> None:
    """A chunk of before the TRUNCATE is done, others wait."""
    made = DdlLab(arena, tmp_path, "{format: binlog, ddl: apply}", settings={"snapshot": {"chunk_rows": ROWS}})
    lab = made.lab
    lab.fill({id_: id_ % 4 for id_ in range(100, 100 + FAMILIES)})
    made.run(code=5, saying="SW8399", failpoints="after-chunk-done=error")
    assert count_copied(made)
    lab.write("UPDATE child SET note = 'before' WHERE id = 100", "DELETE FROM child WHERE id = 101")
    lab.write("TRUNCATE TABLE child")
    lab.write("INSERT INTO child VALUES (102, 1, 3, 'behind'), (1, 1, 0, '')")
    said = made.run(code=6, saying="SW8557: at ")
    ((table, allowed),) = set(re.findall(r"shardwright run --recopy (\S+) --allow (\S+)$", said, re.MULTILINE))
    lab.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", "--recopy", table, "--allow", allowed)
    lab.require_equal()
    lab.job.call("verify", "--env", ENVIRONMENT)


def count_copied(made: DdlLab) -> int:
    """How many of the children's chunks are done."""
    ((count,),) = made.lab.at(0, "SELECT COUNT(*) FROM _shardwright_chunk WHERE logical = 'child' AND state = 'done'")
    return int(count)
