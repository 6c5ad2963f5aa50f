"""What a verb asks and says before it touches an environment: a protected one, a file with another one's name, a plan
that is older than its files. No server is needed: nobody gets that far.
"""

from __future__ import annotations

import argparse
import io
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwright.runtime.cli.consent import require_final_consent
from shardwright.runtime.failures import Refused
from shardwright.specs.environment.read import read_environment
from tests.unit.cli.conftest import Call, write_spec

NO_ONE = "{host: 127.0.0.1, port: 1, user: app}"


@pytest.fixture(autouse=True)
def own_signals() -> Iterator[None]:
    """`run` takes the signals that stop it for itself: they are this process's again afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def environment(project: Path, call: Call) -> Path:
    """Of the compiled migration `one`; no server of it answers."""
    (project / "ddl" / "0000_first.sql").write_text("ALTER TABLE orders ADD KEY by_user (user_id);\n")
    assert call("compile").code == 0
    (project / "environments").mkdir()
    file = project / "environments" / "staging.yaml"
    text = f'environment: staging\nsource: {NO_ONE}\nservers: {{a: {NO_ONE}}}\nshards: {{"one_db_{{0..3}}": a}}\n'
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    "verb",
    [
        ["run"],
        ["ddl", "apply"],
        ["control", "pause"],
        ["control", "resume"],
        ["control", "throttle", "--rows-per-second", "5"],
        ["dead-letters", "retry"],
        ["dead-letters", "discard", "--reason", "x"],
    ],
    ids=" ".join,
)
def test_a_protected_environment_asks_for_yes(environment: Path, call: Call, verb: list[str]) -> None:
    arguments = (*verb, "--env", "staging", "--migration", "one")
    assert call(*arguments).code == 4, "it gets as far as the servers"
    environment.write_text(environment.read_text() + "protected: true\n")
    ended = call(*arguments)
    assert ended.code == 6 and "SW8216" in ended.err and "repeat with --yes" in ended.err
    assert call(*arguments, "--yes").code == 4


def test_s10_what_cannot_be_undone_asks_in_every_environment(
    environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read = read_environment(str(environment), databases=None, named="staging", root=environment.parent)
    assert not read.protected

    def ask(yes: bool, terminal: bool, answer: str = "") -> str:
        stdin = io.StringIO(answer)
        for stream in (stdin, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: terminal)
        monkeypatch.setattr(sys, "stdin", stdin)
        require_final_consent(read, argparse.Namespace(yes=yes), "discard 5 rows", lost="5 rows")
        return capsys.readouterr().err

    assert "this cannot be undone: 5 rows" in ask(yes=True, terminal=False)
    assert "type the environment's name, staging, to discard 5 rows" in ask(
        yes=False, terminal=True, answer="staging\n"
    )
    for terminal, answer in ((False, ""), (True, "yes\n"), (True, "")):
        with pytest.raises(Refused, match=r"SW8226.*repeat with --yes to discard 5 rows"):
            ask(yes=False, terminal=terminal, answer=answer)


def test_reading_verbs_do_not_ask(environment: Path, call: Call) -> None:
    environment.write_text(environment.read_text() + "protected: true\n")
    for verb in (["status"], ["preflight"], ["control", "status"], ["ddl", "status"], ["dead-letters", "list"]):
        assert "SW8216" not in call(*verb, "--env", "staging", "--migration", "one").err


def test_a_file_that_says_it_is_another_environment_is_refused(environment: Path, call: Call) -> None:
    environment.write_text(environment.read_text().replace("environment: staging", "environment: production"))
    for verb in (["run"], ["status"], ["ddl", "apply"]):
        ended = call(*verb, "--env", "staging", "--migration", "one")
        assert ended.code == 1 and "environments/staging.yaml:1:14: error SW7017" in ended.err
    ended = call("import", "--env", "staging")
    assert ended.code == 1 and "SW7017" in ended.err


def test_a_plan_that_is_older_than_its_files_is_reported_and_refused_where_it_matters(
    environment: Path, project: Path, call: Call
) -> None:
    arguments = ("status", "--env", "staging", "--migration", "one")
    assert "SW8010" not in call(*arguments).err
    (project / "ddl" / "0001_new.sql").write_text("ALTER TABLE orders ADD KEY by_id (order_id);\n")
    ended = call(*arguments)
    assert ended.code == 4 and "warning SW8010: the plan of one is older than ddl/0001_new.sql" in ended.err
    assert call("compile").code == 0 and "SW8010" not in call(*arguments).err
    write_spec(project, "one", database="(user_id + 1) % 4")
    assert "SW8010" in call(*arguments).err
    environment.write_text(environment.read_text() + "protected: true\n")
    ended = call(*arguments)
    assert ended.code == 6 and "SW8010" in ended.err and "run `shardwright compile`" in ended.err
