"""`explain-row` names the same changes as an oracle that reads the logs by itself, and the step where a row was lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from shardwright.compiler.project.checking import compile_specs
from shardwright.runtime.history.facts import Change, RowFacts
from shardwright.runtime.history.gather import Question, RowExplainer
from shardwright.runtime.history.leg import Leg
from shardwright.runtime.history.verdict import Step, judge
from shardwright.runtime.rehearsal.route.subject import Subject
from shardwright.specs.direction import Direction
from tests.cutover.lab import CutoverLab
from tests.history.log_oracle import Line, read_lines
from tests.servers import forks
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import SHARDS, SUFFIXES, move, remove
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]

SEED = int(os.environ["SHARDWRIGHT_SEED"])
ROWS = 100
"""The ids of the rows at the source. Some more come later."""
EXPLAINED = int(os.environ.get("SHARDWRIGHT_FUZZ_EXAMPLES", "50"))
"""How many random rows are explained and compared."""
NEW_KEY = "ADD KEY by_note (note)"
COLUMNS = ("id", "place", "name", "note")
DECISIONS = {
    "insert": {"insert", "merged"},
    "update": {"update", "insert", "merged"},
    "delete": {"delete", "defer", "merged", "skip", None},
}


class RowLab(CutoverLab):
    """Explains rows as the command does, with the plan compiled once."""

    def open(self) -> None:
        deployed = self.deploy()
        (checked,) = compile_specs(deployed.project, deployed.project.spec_files())
        assert checked.compiled is not None
        self.deployed, self.back = deployed, deployed.reverse_deployment()
        self.subject = Subject(deployed.plan, deployed.plan.table("parent"), checked.compiled.functions["parent"])

    def facts(self, id_: int) -> RowFacts:
        live = self.deployed.live_directions()
        both = self.deployed, self.back
        legs = tuple(Leg(one.plan, one.servers, one.environment, one.plan.direction in live) for one in both)
        explainer = RowExplainer(Question(legs, self.subject, (str(id_),)))
        try:
            return explainer.read()
        finally:
            explainer.close()

    def step(self, id_: int) -> Step:
        return judge(self.facts(id_)).step

    def command(self, id_: int, *more: str, expect: int = 0) -> str:
        return self.job.call(
            "explain-row", "--env", ENVIRONMENT, "--table", "parent", "--key", f"id={id_}", *more, expect=expect
        )


@pytest.mark.in_turn
def test_a_row_is_explained_as_the_logs_have_it_through_a_kill_and_a_cutover(arena: Arena, tmp_path: Path) -> None:
    print(f"SHARDWRIGHT_SEED={SEED}")
    choose = random.Random(SEED)
    lab = RowLab(arena, tmp_path, fence={"source": "triggers", "shards": "read_only"})
    lab.create_source()
    lab.fill({id_: id_ % 4 for id_ in range(1, ROWS + 1)}, lines=1)
    lab.allow_cutovers()
    lab.application.allow()
    _let_ddl_pass(lab)
    lab.open()
    begin = arena.source.log_end()
    _kill(lab, "after-chunk-planned")  # of the children, which are copied first
    assert lab.step(2) is Step.NOT_COPIED
    lab.finish()
    for more in (f"ALTER TABLE parent {NEW_KEY}", "UPDATE parent SET note = 'last' WHERE id = 1"):
        lab.write_all([_change(choose, id_) for id_ in choose.choices(range(1, ROWS + 31), k=125)])
        lab.write(more)
    lab.finish()
    lab.write("UPDATE parent SET note = 'last' WHERE id <= 3", *_put(3, 1), *_put(2, 0))
    assert lab.step(2) is Step.AHEAD
    _kill(lab, "before-upsert")
    assert lab.step(2) is Step.STAGED
    lab.finish()
    _require_foreign_writes_named(lab)
    _require_commands(lab)
    ends = {name: arena.placement[name].log_end() for name in SHARDS}
    with lab.run(gated=False) as run:
        _cut_over(lab, run)
        (place,) = lab.places(2)
        with _watch(lab, 2):
            lab.on(place, f"UPDATE parent{SUFFIXES[place // 2]} SET note = 'watched' WHERE id = 2")
        for id_ in choose.choices(range(1, ROWS + 31), k=80):
            _change_shards(lab, choose, id_)
        lab.drain(run)
    tables = {f"{shard}.parent{suffix}": COLUMNS for shard in SHARDS for suffix in SUFFIXES}
    theirs = {
        Direction.FORWARD: read_lines(arena.source, begin, {"lab.parent": COLUMNS}),
        Direction.BACKWARD: [
            line for name in SHARDS for line in read_lines(arena.placement[name], ends[name], _of(name, tables))
        ],
    }
    compared: list[Change] = []
    for id_ in choose.sample(range(1, ROWS + 31), k=min(EXPLAINED, ROWS + 30)):
        facts = lab.facts(id_)
        for direction, lines in theirs.items():
            changes = [change for change in facts.changes if change.direction is direction]
            _require_lines(changes, [line for line in lines if _is_of(line, id_)], id_)
            compared += changes
        assert judge(facts).is_right, (id_, judge(facts))
        assert [one.detail for one in facts.moments if one.what == "DDL"] == [f"ALTER TABLE parent {NEW_KEY}"], id_
    moves = [change for change in compared if change.is_move]
    print(f"{len(compared)} changes compared, {len(moves)} moves")
    assert len(compared) > EXPLAINED and moves, "the random rows have changes, and some of these move them"


def _let_ddl_pass(lab: RowLab) -> None:
    (spec,) = (lab.job.project / "specs").glob("*.yaml")
    text = spec.read_text("utf-8")
    assert "format: binlog" in text
    spec.write_text(text.replace("format: binlog", "format: binlog, ddl: apply", 1), "utf-8")
    lab.job.call("compile")


def _require_lines(changes: Sequence[Change], lines: Sequence[Line], id_: int) -> None:
    """The same changes, line by line; what the rule makes of them; and what the batch did."""
    assert sorted(map(_line, changes)) == sorted(map(_their_line, lines)), id_
    by_place = {(line.table, line.position, line.row): line for line in lines}
    for change in changes:
        line = by_place[(change.table, change.position, change.row)]
        allowed = DECISIONS[change.operation]
        if change.direction is Direction.FORWARD:
            assert (change.from_place, change.to_place) == (_place(line.before), _place(line.after)), change
        else:
            allowed = allowed | {"reread", None}  # logs have no order between them
            if any(_is_replaced(other, change) for other in changes):
                allowed = allowed | {"update"}
        assert change.state == "applied" and change.decision.decision in allowed, change
        if change.batch is not None and change.decision.decision not in ("merged", "skip", "reread", None):
            assert change.effects and all(effect.at and effect.step for effect in change.effects), change


def _is_replaced(deleted: Change, inserted: Change) -> bool:
    """Whether one batch has the delete and the insert of a row: it is there before, and it is there afterwards."""
    same = (deleted.table, deleted.batch) == (inserted.table, inserted.batch)
    return same and (deleted.operation, deleted.decision.decision) == ("delete", "merged")


def _line(change: Change) -> tuple[Any, ...]:
    columns = tuple((column.name, column.old or "", column.new or "") for column in change.columns)
    place = change.position, change.row, change.gtid or "", change.committed_at or ""
    return (*place, change.operation, change.table, columns)


def _their_line(line: Line) -> tuple[Any, ...]:
    columns = tuple((name, old or "", new or "") for name, old, new in line.columns)
    return line.position, line.row, line.gtid or "", line.committed_at, line.operation, line.table, columns


def _is_of(line: Line, id_: int) -> bool:
    return str(id_) in {image["id"] for image in (line.before, line.after) if image is not None}


def _of(database: str, tables: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    return {name: columns for name, columns in tables.items() if name.startswith(f"{database}.")}


def _place(image: Mapping[str, str | None] | None) -> str | None:
    if image is None:
        return None
    place = int(image["place"] or "")
    return f"{SHARDS[place % 2]}.parent{SUFFIXES[place // 2]}"


@contextmanager
def _watch(lab: RowLab, id_: int) -> Iterator[None]:
    """Within, the row is watched; the change that is made meanwhile is printed."""
    log = lab.scratch / "watch.log"
    command = ("explain-row", "--env", ENVIRONMENT, "--table", "parent", "--key", f"id={id_}", "--follow")
    with log.open("wb") as out:
        process = forks.start(lab.job.project, *command, out=out)
    try:
        wait_until("the row was explained", lambda: "fine: right" in log.read_text(), run=process, show=log.read_text)
        before = len(log.read_text())
        yield
        wait_until(
            "the change is printed, and the row is right again",
            lambda: "note: " in log.read_text()[before:] and "fine: right" in log.read_text()[before:],
            run=process,
            show=log.read_text,
        )
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130, log.read_text()
    finally:
        kill_tree(process)


def _require_foreign_writes_named(lab: RowLab) -> None:
    """Another writer changes, deletes and inserts rows on the shards."""
    (place,) = lab.places(2)
    table = f"parent{SUFFIXES[place // 2]}"
    lab.on(place, f"UPDATE {table} SET note = 'foreign' WHERE id = 2")
    facts = lab.facts(2)
    assert judge(facts).step is Step.FOREIGN, judge(facts)
    assert [column.new for column in facts.foreign[-1].columns] == ["foreign"]
    said = lab.command(2)
    assert "lost at: overwritten by a foreign writer: " in said and "by another writer" in said, said
    lab.on(place, f"UPDATE {table} SET note = 'last' WHERE id = 2")
    assert lab.step(2) is Step.RIGHT
    lab.on(place, f"DELETE FROM {table} WHERE id = 2")
    assert lab.step(2) is Step.FOREIGN
    lab.on(
        place,
        f"INSERT INTO {table} VALUES (2, {place}, 'n2', 'last')",
        f"INSERT INTO {table} VALUES (999, {place}, 'n999', '')",
    )
    assert (lab.step(2), lab.step(999)) == (Step.RIGHT, Step.FOREIGN)
    lab.on(place, f"DELETE FROM {table} WHERE id = 999")


def _require_commands(lab: RowLab) -> None:
    found = json.loads(lab.command(2, "--format", "json"))
    assert (found["key"], found["verdict"]["step"]) == ({"id": "2"}, "right")
    assert found["belongs"]["python"] == found["belongs"]["mysql_says"]
    assert found["chunks"][0]["state"] == "done" and found["changes"]
    assert json.loads(lab.command(2, "--format", "json", "--without-logs"))["changes"] == []
    for more, code in (("id=x", "SW8516"), ("place=1", "SW8516")):
        lab.job.call("explain-row", "--env", ENVIRONMENT, "--table", "parent", "--key", more, expect=1)
        assert code in lab.job.end_of_log()
    lab.job.call("explain-row", "--env", ENVIRONMENT, "--table", "parents", "--key", "id=1", expect=1)
    assert "SW8504" in lab.job.end_of_log() and "did you mean 'parent'" in lab.job.end_of_log()


def _cut_over(lab: RowLab, run: subprocess.Popen[bytes]) -> None:
    lab.write("UPDATE parent SET note = 'warm' WHERE id <= 3")
    lab.drain_forward(run)
    lab.verify()
    lab.cutover()
    lab.until(run, "the shards take the writes", lambda: lab.status()["writes_to"] == "shards")


def _change(choose: random.Random, id_: int) -> list[str]:
    """One transaction at the source; it may change nothing."""
    note = f"r{choose.randrange(10**6)}"
    match choose.choice(("note", "several", "move", "remove", "put")):
        case "note":
            return [f"UPDATE parent SET note = '{note}' WHERE id = {id_}"]
        case "several":
            return [f"UPDATE parent SET note = '{note}' WHERE id BETWEEN {id_} AND {id_ + 3}"]
        case "move":
            return move(id_, choose.randrange(4), note=note)
        case "remove":
            return remove(id_)
    return _put(id_, choose.randrange(4), note)


def _put(id_: int, place: int, note: str = "last") -> list[str]:
    return [
        f"INSERT INTO parent VALUES ({id_}, {place}, 'n{id_}', '{note}') ON DUPLICATE KEY UPDATE note = '{note}'",
        f"INSERT IGNORE INTO child VALUES ({id_}, 1, {place}, '{note}')",
    ]


def _change_shards(lab: RowLab, choose: random.Random, id_: int) -> None:
    """An application's change of a row on the shards."""
    places, note = lab.places(id_), f"s{choose.randrange(10**6)}"
    if not places:
        lab.insert(id_, choose.randrange(4), note=note)
        return
    (place,) = places
    table, details = f"parent{SUFFIXES[place // 2]}", f"child{SUFFIXES[place // 2]}"
    gone = [f"DELETE FROM {details} WHERE id = {id_}", f"DELETE FROM {table} WHERE id = {id_}"]
    match choose.choice(("note", "move", "remove")):
        case "note":
            lab.on(place, f"UPDATE {table} SET note = '{note}' WHERE id = {id_}")
        case "remove":
            lab.on(place, *gone)
        case "move":
            lab.on(place, *gone)
            lab.insert(id_, choose.randrange(4), note=note)


def _kill(lab: RowLab, failpoint: str) -> None:
    killed = lab.start(until="caught-up", gated=False, failpoints=f"{failpoint}=kill")
    assert killed.wait(timeout=120) == -9, lab.job.end_of_log()
