"""What tests of dead letters do with a lab."""

from __future__ import annotations

import json
import re

from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab
from tests.support.waiting import PATIENCE


def run(lab: Lab, *, code: int) -> str:
    lab.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=code)
    return lab.job.end_of_log()


def kill_at(lab: Lab, name: str) -> None:
    killed = lab.start(until="caught-up", gated=False, failpoints=f"{name}=kill")
    assert killed.wait(timeout=PATIENCE) == -9, f"{name}:\n{lab.job.end_of_log()}"


def letters(lab: Lab) -> dict[str, dict[str, object]]:
    listed = json.loads(lab.job.call("dead-letters", "list", "--env", ENVIRONMENT, "--format", "json"))
    return {",".join(letter["key"]): letter for letter in listed["dead_letters"]}


def on_every_parent(lab: Lab, action: str) -> None:
    """MySQL wants the name of a constraint once a database: the place is put behind it."""
    for place in range(4):
        named = re.sub(r"CONSTRAINT (\w+)", rf"CONSTRAINT \1_{place}", action)
        lab.at(place, f"ALTER TABLE parent_{place // 2} {named}")
