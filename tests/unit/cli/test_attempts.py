"""What the audit says of a command: never a secret, and never a value of a row."""

from __future__ import annotations

import os

import pytest

from shardwright.runtime.cli.attempts import command_words, operator
from shardwright.runtime.cli.main import build_parser


def _words(*given: str) -> str:
    return command_words(build_parser().parse_args(list(given)))


def test_s7_a_command_is_reported_with_its_arguments() -> None:
    said = _words("cutover", "rollback", "--env", "prod", "--yes", "--max-pause", "10s")
    assert said.startswith("cutover rollback ") and "--env prod" in said and "--yes" in said, said
    assert "ddl apply --env prod --allow SW8420" in _words("ddl", "apply", "--env", "prod", "--allow", "SW8420")
    assert "--delete-extra" in _words("repair", "result.json", "--env", "prod", "--delete-extra")


@pytest.mark.parametrize(
    "value", ["mysql://app:canary@db/shop", "PASSWORD=canary", "token canary", "the secret is canary"]
)
def test_s7_i3_what_looks_like_a_secret_or_is_of_a_row_is_left_out(value: str) -> None:
    said = _words("dead-letters", "discard", "--env", "prod", "--reason", value, "--key", "canary-key")
    assert "canary" not in said and said.count("...") == 2, said


def test_s7_the_operator_is_a_user_of_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert operator().partition("@")[2]
    monkeypatch.setattr("getpass.getuser", lambda: (_ for _ in ()).throw(KeyError("no name")))
    assert operator().startswith(f"uid {os.getuid()}@")
