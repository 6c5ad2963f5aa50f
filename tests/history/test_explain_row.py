"""`explain-row` names the same changes as an oracle that reads the logs by itself, and the step where a row was lost."""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from shardwright.compiler.project.checking import compile_specs
from shardwright.runtime.history.facts import Change, RowFacts
from shardwright.runtime.history.gather import Question, RowExplainer
from shardwright.runtime.history.leg import Leg
from shardwright.runtime.history.verdict import Step, judge
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.rehearsal.route.subject import Subject
from shardwright.specs.direction import Direction
from tests.cutover.lab import CutoverLab
from tests.history.log_oracle import Line, read_lines
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import SHARDS, SUFFIXES, move, new_family, remove

pytestmark = [pytest.mark.server, pytest.mark.spark]

SEED = int(os.environ["SHARDWRIGHT_SEED"])
ROWS = 100
COLUMNS = ("id", "place", "name", "note")


class RowLab(CutoverLab):
    """Explains rows as the command does, with the plan compiled once."""

    def explainer(self, id_: int) -> RowExplainer:
        deployed = self.deploy()
        back = deployed.reverse_deployment()
        live = deployed.live_directions()
        (checked,) = compile_specs(deployed.project, deployed.project.spec_files())
        assert checked.compiled is not None
        table = deployed.plan.table("parent")
        subject = Subject(deployed.plan, table, checked.compiled.functions["parent"])
        legs = tuple(
            Leg(one.plan, one.servers, one.environment, one.plan.direction in live) for one in (deployed, back)
        )
        return RowExplainer(Question(legs, subject, (str(id_),)))

    def facts(self, id_: int) -> RowFacts:
        explainer = self.explainer(id_)
        try:
            return explainer.read()
        finally:
            explainer.close()

    def command(self, id_: int, *more: str) -> str:
        return self.job.call("explain-row", "--env", ENVIRONMENT, "--table", "parent", "--key", f"id={id_}", *more)


def test_a_row_is_explained_as_the_logs_have_it_through_a_kill_and_a_cutover(arena: Arena, tmp_path: Path) -> None:
    print(f"SHARDWRIGHT_SEED={SEED}")
    choose = random.Random(SEED)
    lab = RowLab(arena, tmp_path, fence={"source": "triggers", "shards": "read_only"})
    lab.create_source()
    lab.fill({id_: id_ % 4 for id_ in range(1, 101)}, lines=1)
    lab.allow_cutovers()
    lab.application.allow()
    begin = arena.source.log_end()
    lab.finish()
    lab.write_all([_change(choose, id_) for id_ in choose.choices(range(1, 131), k=150)])
    _kill(lab)
    lab.finish()
    print(lab.command(7))


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
    place = choose.randrange(4)
    return [
        f"INSERT INTO parent VALUES ({id_}, {place}, 'n{id_}', '{note}') ON DUPLICATE KEY UPDATE note = '{note}'",
        f"INSERT IGNORE INTO child VALUES ({id_}, 1, {place}, '{note}')",
    ]


def _kill(lab: RowLab) -> None:
    killed = lab.start(until="caught-up", gated=False, failpoints="before-upsert=kill")
    assert killed.wait(timeout=120) == -9, lab.job.end_of_log()
