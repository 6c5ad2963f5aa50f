"""The README's table of exit codes, for every verb that asks servers, in each situation that it can meet at its
start.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from shardwright.runtime.rehearsal.sandbox.local import free_port
from tests.servers.testbed import Arena
from tests.support.commands import SMALL_CHUNKS, own_process
from tests.support.job import ENVIRONMENT, Job
from tests.workload.shop import PROJECT, create_shop

pytestmark = [pytest.mark.server, pytest.mark.slow, pytest.mark.long]

VERBS = {
    "run": ("run", "--until", "caught-up"),
    "preflight": ("preflight",),
    "forecast": ("preflight", "--forecast"),
    "verify": ("verify",),
    "repair": ("repair", "result.json"),
    "status": ("status",),
    "control": ("control", "pause"),
    "dead letters": ("dead-letters", "list"),
    "explain row": ("explain-row", "--table", "users", "--key", "id=1"),
    "ddl apply": ("ddl", "apply"),
    "ddl status": ("ddl", "status"),
    "import": ("import",),
}
AT_THE_SOURCE = {"import"}
"""They ask no target."""

FILE_FIRST = {"repair"}
"""They read the file that is named, which is at fault here, before they ask a server."""

Content = dict[str, Any]


def _targets(content: Content) -> list[Content]:
    return list(content["servers"].values())


def _silent(content: Content) -> None:
    for server in (content["source"], *_targets(content)):
        server["port"] = free_port()


def _no_secret(content: Content) -> None:
    for server in (content["source"], *_targets(content)):
        server["password"] = {"env": "SHARDWRIGHT_TEST_NO_SUCH_SECRET"}


def _deny(content: Content) -> None:
    for server in (content["source"], *_targets(content)):
        server["password"] = {"env": "SHARDWRIGHT_TEST_WRONG_SECRET"}


SITUATIONS: dict[str, tuple[int, Callable[[Content], None] | None, tuple[str, ...]]] = {
    "a server does not answer": (4, _silent, ()),
    "a secret is missing": (1, _no_secret, ()),
    "a login is denied": (6, _deny, ()),
    "the environment is unknown": (1, None, ("--env", "nowhere")),
    "an unknown option": (2, None, ("--no-such-option",)),
}
BEFORE_THE_FIRST_RUN = {
    "preflight": 0,
    "forecast": 0,
    "verify": 6,
    "repair": 1,
    "status": 0,
    "control": 6,
    "dead letters": 0,
    "explain row": 6,
    "ddl status": 3,
    "import": 0,
}
"""`repair` is given no result of `verify`'s; `ddl status` tells of changes that no table has."""


def test_every_verb_in_every_situation(arena: Arena, tmp_path: Path) -> None:
    job = Job(arena, PROJECT, tmp_path, settings=SMALL_CHUNKS)
    create_shop(arena)
    (job.project / "result.json").write_text("{}", encoding="utf-8")
    wrong = [
        ("nothing is compiled", verb, 2, found)
        for verb in VERBS.keys() - AT_THE_SOURCE
        if (found := _code(job, verb)) != 2
    ]
    job.call("compile")
    file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
    good = file.read_text(encoding="utf-8")
    for situation, (code, change, more) in SITUATIONS.items():
        if change is not None:
            content = yaml.safe_load(good)
            change(content)
            file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
        for verb in VERBS:
            expected = 1 if verb in FILE_FIRST and code in (4, 6) else code
            if (found := _code(job, verb, *more)) != expected:
                wrong.append((situation, verb, expected, found))
        file.write_text(good, encoding="utf-8")
    for verb, code in BEFORE_THE_FIRST_RUN.items():
        if (found := _code(job, verb)) != code:
            wrong.append(("before the first run", verb, code, found))
    assert wrong == [], "\n".join(
        f"{situation}: {verb} should end with {code}: {found}" for situation, verb, code, found in wrong
    )


def _code(job: Job, verb: str, *more: str) -> int:
    named = () if "--env" in more else ("--env", ENVIRONMENT)
    outcome = own_process(
        job.project, *VERBS[verb], *named, *more, environ={"SHARDWRIGHT_TEST_WRONG_SECRET": "not-the-password"}
    )
    assert "SW9000" not in outcome.err and "Traceback" not in outcome.err, outcome
    return outcome.code
