"""`ddl plan --online`: the reviewer sees the command line; no server, no tool."""

from __future__ import annotations

import json
from pathlib import Path

from tests.ddl.online_shop import NOTE, SCHEMA, SPEC
from tests.support.commands import shardwright

FILES = {
    "specs/orders.yaml": SPEC,
    "schema/shop.sql": SCHEMA,
    "ddl/0001_note.sql": NOTE,
    "ddl/0002_heavy.sql": (
        "ALTER TABLE orders MODIFY COLUMN note TEXT, ADD CONSTRAINT small CHECK (user_id > 0);\n"
        "ALTER TABLE orders CHANGE COLUMN note memo TEXT;\n"
    ),
}


def test_the_plan_shows_the_command_line(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    shardwright(tmp_path, "compile").require(0)
    shown = shardwright(tmp_path, "ddl", "plan", "--online", "pt-osc").require(0).out
    light, heavy, renamed = shown.split("\n\n")[:3]
    assert "ALGORITHM=INSTANT;" in light and "pt-online" not in light
    assert heavy.splitlines()[1] == "-- MySQL and MariaDB: copying, needs --allow SW8420"
    assert heavy.splitlines()[2].startswith(
        "-- pt-online-schema-change --config /dev/null --execute --alter 'MODIFY COLUMN `note` TEXT, "
    )
    assert "ADD CONSTRAINT `small${suffix}` CHECK" in heavy
    assert "'h=${host},P=${port},D=${database},t=${table},F=${folder}/account.cnf,A=utf8mb4'" in heavy
    assert all(line.startswith("--") for line in heavy.splitlines())
    assert "-- cannot be handed to pt-online-schema-change: it renames a column" in renamed
    answer = json.loads(shardwright(tmp_path, "ddl", "plan", "--online", "gh-ost", "--format", "json").require(0).out)
    reported = answer["changes"]
    assert answer["next"][0]["command"].startswith("shardwright ddl apply --allow SW8420 --env ENV")
    assert "online" not in reported[0]["mysql"] and reported[1]["mysql"]["allow"] == ["SW8420"]
    command = reported[1]["mariadb"]["online"]["command"]
    assert (
        command[0] == "gh-ost" and "--replica-server-id=${server_id}" in command and "--database=${database}" in command
    )
    assert reported[2]["mysql"]["online"]["refused"].startswith("it renames a column")
