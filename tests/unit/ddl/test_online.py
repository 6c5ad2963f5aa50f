"""What is handed to pt-online-schema-change and gh-ost: clauses, command lines (golden), secrets, leftovers,
supervision.
"""

from __future__ import annotations

import os
import signal
import stat
import time
from pathlib import Path
from threading import Event, Timer

import pytest

from shardwright.compiler.ddl.alter.forms import alter_clauses, why_no_tool
from shardwright.runtime.ddl.online.leftovers import Leftovers, names_of_tool_tables
from shardwright.runtime.ddl.online.ready import refuse_unprotected
from shardwright.runtime.ddl.online.supervise import ToolEnd, ToolHooks, _open_log, supervise
from shardwright.runtime.ddl.online.tools import TOOLS, Call, ToolName, command, meaning, secrets_folder
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.tls import Tls

GOLDEN = Path(__file__).with_name("online_commands.txt")
CALL = Call("db7.example", "3307", "order_db_3", "orders_12", "MODIFY COLUMN `note` TEXT", "/tmp/x", 9, 60)


@pytest.mark.parametrize(
    ("statement", "clauses"),
    [
        (
            "ALTER TABLE o MODIFY COLUMN note TEXT NOT NULL DEFAULT ', ALGORITHM=COPY', ALGORITHM=COPY, LOCK=SHARED",
            "MODIFY COLUMN `note` TEXT NOT NULL DEFAULT ', ALGORITHM=COPY'",
        ),
        (
            "ALTER TABLE o ADD a INT AFTER b, ADD CONSTRAINT c_0 CHECK (a > 1), COMMENT='it''s', ALGORITHM=COPY",
            "ADD COLUMN `a` INT AFTER `b`, ADD CONSTRAINT `c_0` CHECK (`a` > 1), COMMENT='it''s'",
        ),
        ("ALTER TABLE o DROP COLUMN `x y`, ADD INDEX i (a(8), b DESC)", "DROP COLUMN `x y`, ADD INDEX `i` (`a`(8), `b` DESC)"),
        ("ALTER TABLE o COMMENT='x', ALGORITHM=COPY", "COMMENT='x'"),
    ],
)  # fmt: skip
def test_clauses_come_from_the_tree(statement: str, clauses: str) -> None:
    assert alter_clauses(statement) == clauses


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("MODIFY COLUMN a TEXT", ""),
        ("CHANGE COLUMN a A TEXT", ""),
        ("ADD INDEX i (a)", ""),
        ("CHANGE COLUMN a b TEXT", "it renames a column"),
        ("RENAME COLUMN a TO b", "it renames a column"),
        ("RENAME COLUMN a TO A", ""),
        ("MODIFY COLUMN a TEXT, ADD UNIQUE INDEX u (a)", "it adds a unique key"),
        ("ADD COLUMN a INT UNIQUE", "it adds a unique key"),
        ("DROP PRIMARY KEY, ADD PRIMARY KEY (a)", "it changes the primary key"),
        ("ADD PRIMARY KEY (a)", "it adds a unique key"),
        ("CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, ALGORITHM=COPY", "it converts texts"),
        ("CHARACTER SET utf8mb4, COLLATE utf8mb4_bin", ""),
    ],
)
def test_what_no_tool_gets(clause: str, why: str) -> None:
    assert why_no_tool(f"ALTER TABLE o {clause}").startswith(why) and bool(
        why_no_tool(f"ALTER TABLE o {clause}")
    ) == bool(why)


def test_command_lines_are_golden() -> None:
    text = "\n\n".join("\n  ".join(command(tool, CALL)) for tool in TOOLS) + "\n"
    if os.environ.get("SHARDWRIGHT_REWRITE"):
        GOLDEN.write_text(text, "utf-8")
    assert GOLDEN.read_text("utf-8") == text


@pytest.mark.parametrize("tool", TOOLS)
def test_secrets_are_no_one_elses_and_gone_afterwards(tool: ToolName) -> None:
    address = Endpoint("h", 1, "me", 'p"w\\')
    with secrets_folder(tool, address) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
        text = (folder / "account.cnf").read_text("utf-8")
    assert not folder.exists()
    assert ('password="p\\"w\\\\"' if tool == "pt-osc" else 'password = `p"w\\`') in text
    with pytest.raises(Refused, match="SW8444"), secrets_folder(tool, Endpoint("h", 1, "me", "a\nb")):
        pass


def test_leftovers_are_removed_while_writers_wait() -> None:
    found = Leftovers("d", "orders_0", ("pt_osc_d_orders_0_del", "pt_osc_d_orders_0_ins"), ("_orders_0_new",))
    assert list(found.statements()) == [
        "LOCK TABLES `orders_0` WRITE, `_orders_0_new` WRITE",
        "DROP TRIGGER `pt_osc_d_orders_0_del`",
        "DROP TRIGGER `pt_osc_d_orders_0_ins`",
        "DROP TABLE `_orders_0_new`",
        "UNLOCK TABLES",
    ]
    assert list(Leftovers("d", "o", (), ("_o_gho", "_o_ghc")).statements()) == [
        "DROP TABLE `_o_gho`",
        "DROP TABLE `_o_ghc`",
    ]
    assert not Leftovers("d", "o", (), ())
    assert {
        "_orders_0_new",
        "___orders_0_old",
        "_orders_0_gho",
        "_orders_0_ghc",
        "_orders_0_del",
    } <= names_of_tool_tables("Orders_0")
    assert all(len(name) <= 64 for name in names_of_tool_tables("x" * 64)) and "x" * 64 not in names_of_tool_tables(
        "x" * 64
    )


class Watched:
    """A tool that is a line of shell, under supervision."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lines, self.hold, self.ends = folder, list[str](), "", Event()

    def runs(self, shell: str) -> ToolEnd:
        hooks = ToolHooks(
            on_line=self.lines.append,
            holding=lambda: self.hold,
            still_ours=lambda: None,
            ends=self.ends.is_set,
        )
        return supervise(("sh", "-c", shell), hooks, log=self.folder / "log", pause_file=self.folder / "pause")


def test_output_is_kept_and_its_progress_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHARD_PASSWORD", "very secret")
    watched = Watched(tmp_path)
    ended = watched.runs(
        "echo noise; echo 'Copying `d`.`t`: 20%'; echo 'Copying `d`.`t`: 21%'; env; echo bad >&2; exit 3"
    )
    assert ended.code == 3 and not ended.stopped and ended.lines[-1] == "bad"
    assert watched.lines == ["Copying `d`.`t`: 20%"]
    log = (tmp_path / "log").read_text("utf-8")
    assert log.startswith("$ sh -c ") and "noise" in log and "very secret" not in log


def test_a_tool_is_held_back_and_let_go(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.hold = "replica r is more than 10 s behind"
    pause = tmp_path / "pause"
    shell = f"for i in $(seq 100); do test -e {pause} && exit 7; sleep 0.1; done"
    assert watched.runs(shell).code == 7
    watched.hold = ""
    assert watched.runs(f"for i in $(seq 100); do test -e {pause} || exit 8; sleep 0.1; done").code == 8


def test_a_tool_that_ignores_the_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shardwright.runtime.ddl.online.supervise._END_SECONDS", 0.5)
    watched = Watched(tmp_path)
    later = Timer(1.0, watched.ends.set)
    later.start()
    began = time.monotonic()
    ended = watched.runs("trap '' TERM; sleep 30 & wait; wait")
    assert ended.stopped and ended.code == -signal.SIGKILL and time.monotonic() - began < 10


def test_a_newer_apply_ends_the_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shardwright.runtime.ddl.online.supervise._ASK_SECONDS", 0.2)

    def taken_over() -> None:
        raise Refused("SW8201", "a newer run has taken over")

    pid = tmp_path / "pid"
    hooks = ToolHooks(on_line=lambda _line: None, holding=lambda: "", still_ours=taken_over, ends=lambda: False)
    shell = f"echo $$ > {pid}; exec sleep 30"
    with pytest.raises(Refused, match="SW8201"):
        supervise(("sh", "-c", shell), hooks, log=tmp_path / "log", pause_file=tmp_path / "pause")
    assert not Path(f"/proc/{pid.read_text('utf-8').strip()}/cmdline").exists()


@pytest.mark.parametrize("tool", TOOLS)
def test_a_server_whose_certificate_is_checked_is_not_handed_over(tool: ToolName) -> None:
    refuse_unprotected(tool, Endpoint("h", 1, "me", "", Tls("preferred")))
    with pytest.raises(Refused, match="SW8442: h:1 must show its certificate"):
        refuse_unprotected(tool, Endpoint("h", 1, "me", "", Tls("verify_ca")))


def test_exit_codes_have_words() -> None:
    assert meaning("pt-osc", 12) == "exit code 12: the triggers could not be created"
    assert meaning("gh-ost", 1) == "exit code 1" and meaning("pt-osc", -9) == "killed by signal 9"


def test_a_tools_log_is_not_written_through_a_link(tmp_path: Path) -> None:
    mine, log = tmp_path / "mine", tmp_path / "a.log"
    mine.write_text("mine")
    log.symlink_to(mine)
    for line in ("one\n", "two\n"):
        with _open_log(log) as written:
            written.write(line)
    assert mine.read_text() == "mine" and log.read_text() == "one\ntwo\n"
