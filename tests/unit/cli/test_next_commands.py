"""Advice is right when it can be given: each command is one that the parser accepts, about the same environment and
migration; and each state has the command that an operator would look for.
"""

from __future__ import annotations

import itertools
import shlex
from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.cli.main import build_parser
from shardwright.runtime.cli.next_commands import (
    ComparisonFacts,
    CutoverFacts,
    DdlFacts,
    GateFacts,
    LetterFacts,
    MigrationFacts,
    PreflightFacts,
    ServerFacts,
    SpecFacts,
    State,
    Target,
    next_commands,
)
from shardwright.runtime.ledger.cutover_state import State as CutoverState

CODES = st.lists(st.sampled_from(["SW2014", "SW8105", "SW8130", "SW8497"]), max_size=6).map(tuple)
NAMES = st.text(st.characters(categories=("L", "N"), include_characters="-_ '$"), min_size=1, max_size=12).filter(
    lambda name: not name.startswith("-")
)
STATES = st.one_of(
    st.builds(SpecFacts, CODES, st.booleans()),
    st.builds(PreflightFacts, CODES, st.booleans()),
    st.builds(MigrationFacts, **{field.name: st.booleans() for field in fields(MigrationFacts)}),
    st.builds(ServerFacts, st.lists(NAMES, max_size=5).map(tuple)),
    st.builds(
        ComparisonFacts,
        st.sampled_from(["equal", "different", "could_not_check"]),
        whole=st.booleans(),
        report=st.none() | NAMES,
        reads_shards=st.booleans(),
    ),
    st.builds(
        CutoverFacts,
        st.sampled_from(get_args(CutoverState)),
        st.sampled_from([None, "shards", "source"]),
        st.sampled_from([(), ("source",)]),
    ),
    st.builds(GateFacts, CODES, st.sampled_from(["shards", "source"])),
    st.builds(LetterFacts, st.integers(0, 3)),
    st.builds(DdlFacts, st.booleans(), st.booleans(), st.sampled_from([(), ("SW8420", "SW8421")])),
)


@given(state=STATES, environment=NAMES, migration=st.none() | NAMES)
def test_every_command_is_one_that_can_be_given(state: State, environment: str, migration: str | None) -> None:
    if isinstance(state, ServerFacts):
        migration = None  # of all of them
    for one in next_commands(state, Target(environment, migration)):
        program, verb, *words = shlex.split(one.command)
        arguments = build_parser(verb).parse_args([verb, *words])
        assert program == "shardwright" and one.why and "\n" not in one.why
        if verb not in ("explain", "compile"):
            assert arguments.env == environment
            assert isinstance(state, ServerFacts) or arguments.migration == migration


def _verbs(state: State) -> list[str]:
    """What is to be given, without the environment."""
    return [
        one.command.removeprefix("shardwright ").removesuffix(" --env e") for one in next_commands(state, Target("e"))
    ]


@pytest.mark.parametrize(
    ("state", "commands"),
    [
        (SpecFacts(("SW2014", "SW2014"), has_plans=True), ["explain SW2014"]),
        (SpecFacts((), has_plans=True), ["preflight", "run"]),
        (SpecFacts((), has_plans=False), ["compile"]),
        (PreflightFacts((), unknown=False), ["run"]),
        (PreflightFacts(("SW8105",), unknown=False), ["explain SW8105", "preflight"]),
        (PreflightFacts((), unknown=True), ["preflight"]),
        (MigrationFacts(begun=False), ["preflight", "run"]),
        (MigrationFacts(begun=True, live=True), ["status --watch"]),
        (MigrationFacts(begun=True, live=False, paused=True), ["control resume", "run --until forever"]),
        (MigrationFacts(begun=True, copied=True, caught_up=True, live=True), ["verify"]),
        (MigrationFacts(begun=True, copied=True, caught_up=True, live=True, rows_held=3), ["dead-letters list"]),
        (MigrationFacts(begun=True, copied=True, caught_up=True, live=True, verified=True), ["cutover --dry-run"]),
        (MigrationFacts(begun=True, paused=False, verified=None), []),
        (ComparisonFacts("equal", whole=True), ["cutover --dry-run"]),
        (ComparisonFacts("equal", whole=False), []),
        (ComparisonFacts("different", whole=True, report="r.json"), ["repair r.json --dry-run"]),
        (
            ComparisonFacts("different", whole=True),
            ["verify --report json=result.json", "repair result.json --dry-run"],
        ),
        (ComparisonFacts("could_not_check", whole=True), ["status", "verify"]),
        (CutoverFacts("fenced", "source", ("shards",)), ["cutover rollback", "cutover abort"]),
        (CutoverFacts("reversing", None, ("source",)), ["verify", "cutover rollback --dry-run", "cutover finish"]),
        (CutoverFacts("finished", None, ("source",)), ["cutover unfence"]),
        (CutoverFacts("finished", None, ()), []),
        (GateFacts((), "shards"), ["cutover"]),
        (GateFacts(("SW8917",), "source"), ["explain SW8917", "cutover rollback --dry-run"]),
        (LetterFacts(0), ["status"]),
        (DdlFacts(missing=True, drift=True, allow=("SW8420",)), ["ddl apply --allow SW8420", "ddl plan --drift"]),
        (DdlFacts(missing=False), []),
        (ServerFacts(("a", "b")), ["status --migration a", "status --migration b"]),
    ],
    ids=itertools.count(),
)
def test_what_an_operator_would_give_now(state: State, commands: list[str]) -> None:
    assert [verb.replace(" --env e", "") for verb in _verbs(state)] == commands
