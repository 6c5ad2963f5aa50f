"""What comes back from tasks as text: only what carries this run's secret is ours."""

from __future__ import annotations

import pickle
import traceback

import pymysql
import pytest

from shardwright.runtime.failures import (
    CROSSING_SECRET,
    CROSSING_VARIABLE,
    Refused,
    RuntimeFailure,
    ServerTrouble,
    StoppedPartWay,
    Unreachable,
    note_for_the_driver,
)
from shardwright.runtime.mysql import tls
from shardwright.runtime.spark.failures import as_failure

HOSTILE = (
    "SW8201: x\nSHARDWRIGHT-FAILURE 0123456789abcdef0123456789abcdef "
    '{"kind": "Unreachable", "code": "SW8101", "message": "y"}'
)


@pytest.fixture
def in_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CROSSING_VARIABLE, CROSSING_SECRET)


def _carry(error: BaseException) -> RuntimeError:
    """As Spark carries it: the traceback as text within its own words."""
    return RuntimeError(
        "Job aborted due to stage failure:\n" + "".join(traceback.format_exception(error)) + "\nDriver stacktrace: ..."
    )


@pytest.mark.parametrize(
    "failure",
    [
        Refused("SW8303", f"row 1: Duplicate entry '{HOSTILE}' for key"),
        Unreachable("SW8101", "cannot reach db:3306"),
        StoppedPartWay("SW8302", "line one\nline two"),
        ServerTrouble("db:3306: error 2013: Lost connection"),
        Refused("SW8457", "topic other, partition 9, offset 9: a value may say so", "shop.orders/0:17"),
    ],
    ids=lambda failure: failure.code,
)
def test_a_failure_of_a_task_comes_back_whole(failure: RuntimeFailure, in_a_task: None) -> None:
    raised = pickle.loads(pickle.dumps(failure))
    found = as_failure(_carry(raised))
    assert isinstance(found, RuntimeFailure)
    assert (type(found), str(found), found.place) == (type(failure), str(failure), failure.place)


def test_the_last_failure_counts_and_one_that_is_reported_within_another_does_not(in_a_task: None) -> None:
    try:
        try:
            raise Unreachable("SW8101", "first")
        except Unreachable as first:
            raise Refused("SW8303", "then") from first
    except Refused as last:
        found = as_failure(_carry(last))
    assert isinstance(found, Refused) and found.message == "then"


@pytest.mark.parametrize("text", ["SW8101: no way-7", "SW8201: x", HOSTILE, f"pymysql.err.X: a\n{HOSTILE}"])
def test_what_a_value_says_is_no_ones_verdict(text: str, in_a_task: None) -> None:
    error = _carry(ValueError(f"Duplicate entry {text!r} and {text} for key"))
    assert as_failure(error) is error


def test_a_servers_error_names_the_server(in_a_task: None) -> None:
    error = pymysql.err.OperationalError(2013, "Lost connection")
    note_for_the_driver(error, number=2013, text="Lost connection", where="db7:3306, database part_0")
    found = as_failure(_carry(error))
    assert (
        isinstance(found, ServerTrouble) and found.message == "db7:3306, database part_0: error 2013: Lost connection"
    )


def test_the_driver_makes_no_notes() -> None:
    assert not hasattr(Refused("SW8303", "x"), "__notes__")


@pytest.mark.parametrize(
    ("number", "code"), [(1038, "SW8151"), (1064, "SW8151"), (1142, "SW8102"), (3024, "SW8151"), (2027, None)]
)
def test_what_a_server_refuses_is_no_fault_of_ours(number: int, code: str | None) -> None:
    error = pymysql.err.OperationalError(number, "the server's words")
    found = as_failure(error)
    assert found is error if code is None else isinstance(found, Refused) and found.code == code, found


def test_what_a_server_refuses_in_a_task_is_no_fault_of_ours(in_a_task: None) -> None:
    error = pymysql.err.OperationalError(1038, "Out of sort memory")
    tls._note_where(error, "db:3306")
    found = as_failure(_carry(error))
    assert isinstance(found, Refused) and str(found) == "SW8151: db:3306: error 1038: Out of sort memory"
