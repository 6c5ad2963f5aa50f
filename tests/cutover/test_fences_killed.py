"""The command is killed at any moment while it sets or lifts a fence: whoever comes next leaves no trace of it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pymysql
import pytest

from shardwright.runtime.cutover.fences import turns
from shardwright.runtime.cutover.fences.fence import FenceContext
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, password_file
from shardwright.specs.environment.cutover import FenceKind, FenceSetting
from tests.cutover.fence_lab import DATABASE, TABLES, FenceLab, store
from tests.servers.testbed import Arena
from tests.support.variants import usual

pytestmark = pytest.mark.server

ROUNDS = int(os.environ.get("SHARDWRIGHT_ROUNDS", "3"))
LONGEST = {"triggers": 0.25, "read_only": 0.3, "lock_accounts": 0.5}
"""About how many seconds it takes, so that kills meet every moment of it."""


@pytest.mark.parametrize("kind", usual(["triggers", "read_only", "lock_accounts"], only=["triggers"]))
def test_killed_while_it_is_set_and_while_it_is_lifted(arena: Arena, dice: random.Random, kind: FenceKind) -> None:
    lab = FenceLab(arena)
    lab.allow(kind)
    before, setting = lab.state(), lab.setting(kind)
    undo = store(lab.fence(setting).before())
    met = set()
    with lab.write(writers=1) as writers:
        for turn in range(2 * ROUNDS):
            for action in ("set", "lift") if turn % 2 else ("set",):
                met.add((action, _kill(lab, setting, action, undo, dice.uniform(0.0, LONGEST[kind]))))
            if turn % 3 == 0:
                lab.fence(setting).set(undo, drain_timeout=5.0)
                assert all(lab.fence(setting).in_force(undo).values())
                rows = lab.rows()
                time.sleep(0.2)
                assert lab.rows() == rows, "somebody has written"
            lab.fence(setting).lift(undo)
            assert lab.state() == before
            writers.until_written()
    print(met)


def _kill(lab: FenceLab, setting: FenceSetting, action: str, undo: list[dict[str, Any]], after: float) -> bool:
    """Returns whether it had ended by then."""
    password = password_file(RUNTIME_USER, secrets=lab.secrets).read_text(encoding="utf-8")
    given = {
        "kind": setting.kind,
        "accounts": setting.accounts,
        "action": action,
        "undo": undo,
        "servers": [[each.host, each.port, RUNTIME_USER, password, DATABASE, TABLES] for each in lab.servers],
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.cutover.fence_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(given))
    process.stdin.close()
    assert process.stdout.readline() == "ready\n"
    time.sleep(after)
    process.kill()
    rest = process.stdout.read()
    process.wait()
    process.stdout.close()
    return "done" in rest


@pytest.mark.in_turn
def test_what_a_dead_process_still_waits_for_is_not_left_behind(arena: Arena) -> None:
    """Its CREATE TRIGGER waits on the server for a reader, and would come behind the lift."""
    lab = FenceLab(arena, servers=1)
    lab.allow("triggers")
    before, setting = lab.state(), lab.setting("triggers")
    undo = store(lab.fence(setting).before())
    for _ in range(ROUNDS):
        readers = [lab.connect(lab.servers[0], autocommit=False) for _ in TABLES]
        for reader, table in zip(readers, TABLES, strict=True):
            with reader.cursor() as cursor:
                cursor.execute(f"SELECT * FROM {table}")
        assert not _kill(lab, setting, "set", undo, 0.5)
        threading.Timer(0.1, lambda readers=readers: [reader.close() for reader in readers]).start()
        lab.fence(setting).lift(undo)
        time.sleep(2.0)
        assert lab.state() == before


def test_a_process_whose_machine_is_gone_holds_up_no_one_for_long(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 1)
    lab = FenceLab(arena, servers=1)
    lab.allow("triggers")
    before, setting = lab.state(), lab.setting("triggers")
    undo = store(lab.fence(setting).before())
    lab.fence(setting).set(undo, drain_timeout=1.0)
    context = FenceContext("orders-split", 1, "source")
    silent = [connect(lab.endpoint(lab.servers[0])) for _ in range(2)]
    for slot, connection in enumerate(silent):
        turns.take_slot(connection, context, slot, "the server")
    lab.fence(setting).lift(undo)
    assert lab.state() == before
    for connection in silent:
        with pytest.raises(pymysql.err.MySQLError), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
