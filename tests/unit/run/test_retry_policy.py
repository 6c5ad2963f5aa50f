"""When a run tries again and when it gives up (A16, A18)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pymysql
import pytest

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.failures import Refused, RuntimeFailure, ServerTrouble, StoppedPartWay, Unreachable
from shardwright.runtime.mysql.transient_errors import trouble_in
from shardwright.runtime.run.retry import PASSING_CODES, RetryPolicy
from shardwright.runtime.spark.failures import as_failure

TROUBLE = ServerTrouble("lab_0: error 2013: Lost connection")


class Attempts:
    """Attempts that end one after the other as told, each after a second of our own clock; a number is a step
    forward."""

    def __init__(self, *ends: RuntimeFailure | int | None, seconds: float) -> None:
        self._ends: Iterator[RuntimeFailure | int | None] = iter(ends)
        self.clock = 0.0
        self.steps = 0
        self.said: list[str] = []
        self.stop = _NoPause()
        self.retry_policy = RetryPolicy(
            seconds, self.stop, emit_lines(self.said.append), lambda: self.steps, lambda: self.clock
        )

    def attempt(self) -> str:
        self.clock += 1
        end = next(self._ends)
        while isinstance(end, int):
            self.steps += end
            end = next(self._ends)
        if end is not None:
            raise end
        return "done"

    def run(self) -> str:
        return self.retry_policy.through(self.attempt)


class _NoPause(threading.Event):
    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set()


def test_a16_transient_errors() -> None:
    attempts = Attempts(TROUBLE, Unreachable("SW8101", "cannot reach lab_0"), None, seconds=300)
    assert attempts.run() == "done"
    assert (
        len(attempts.said) == 2 and "SW8305: lab_0: error 2013" in attempts.said[0] and "retrying" in attempts.said[0]
    )


def _some_shards(failed: RuntimeFailure) -> StoppedPartWay:
    stopped = StoppedPartWay("SW8411", f"tables are missing on lab_1; {failed}; run again to continue")
    stopped.__cause__ = failed
    return stopped


def test_a16_tables_that_a_server_did_not_answer_for_are_made_when_it_does() -> None:
    cut = Unreachable("SW8408", "lab_1.orders_0: the connection broke (Lost connection)")
    attempts = Attempts(
        _some_shards(Unreachable("SW8101", "cannot reach lab_1")), _some_shards(cut), cut, None, seconds=300
    )
    assert attempts.run() == "done"
    attempts = Attempts(_some_shards(Unreachable("SW8406", "lab_1.orders_0: CREATE command denied")), None, seconds=300)
    with pytest.raises(StoppedPartWay, match="SW8411"):
        attempts.run()


def test_a16_time_is_over() -> None:
    attempts = Attempts(*[TROUBLE] * 100, seconds=5)
    with pytest.raises(ServerTrouble):
        attempts.run()
    assert attempts.clock == 6


def test_a18_a_step_forward_gives_all_the_time_again() -> None:
    attempts = Attempts(*[TROUBLE] * 4, 1, *[TROUBLE] * 5, 1, *[TROUBLE] * 4, None, seconds=5)
    assert attempts.run() == "done"


def test_nothing_is_tried_again_when_no_time_is_given() -> None:
    with pytest.raises(ServerTrouble):
        Attempts(TROUBLE, None, seconds=0).run()


def test_what_needs_a_human_ends_at_once() -> None:
    attempts = Attempts(Refused("SW8303", "a unique value"), None, seconds=300)
    with pytest.raises(Refused):
        attempts.run()
    assert not attempts.said


def test_who_stops_the_run_does_not_wait() -> None:
    attempts = Attempts(TROUBLE, None, seconds=300)
    attempts.stop.set()
    with pytest.raises(ServerTrouble):
        attempts.run()


@pytest.mark.parametrize("number", [2013, 1927, 1290, 1836, 1114, 1213])
def test_a16_g6_g8_trouble_is_known_also_when_spark_carries_it(number: int) -> None:
    error = pymysql.err.OperationalError(number, "in the server's words")
    carried = RuntimeError(f"Job aborted\nTraceback:\n  pymysql.err.OperationalError: ({number}, 'in the words')\n")
    for found in (trouble_in(error), as_failure(carried)):
        assert isinstance(found, ServerTrouble) and found.exit_code == 5


def test_a15_a_full_disk_is_reported() -> None:
    found = as_failure(RuntimeError("java.io.IOException: No space left on device\n at org.apache..."))
    assert isinstance(found, StoppedPartWay) and found.code == "SW8306" and found.code in PASSING_CODES


@pytest.mark.parametrize(
    "reported",
    [
        "Python worker exited unexpectedly (crashed)",
        "EOFException occurred while reading the port number from a.worker_daemon's stdout and terminated with code: 137.",
        *(
            f"java.io.IOException: {why}\n"
            "\tat java.base/java.io.OutputStream.write(OutputStream.java:162)\n"
            "\tat java.base/java.io.DataOutputStream.flush(DataOutputStream.java:128)\n"
            "\tat org.apache.spark.api.python.PythonWorkerFactory.stopWorker(PythonWorkerFactory.scala:527)\n"
            for why in ("Stream closed", "Broken pipe")
        ),
    ],
)
def test_killed_python_workers_are_reported_and_tried_again(reported: str) -> None:
    found = as_failure(RuntimeError(f"Job aborted due to stage failure: Lost task 0.0: {reported}"))
    assert isinstance(found, StoppedPartWay) and found.code == "SW8307" and found.code in PASSING_CODES


@pytest.mark.parametrize(
    "reported",
    [
        "java.io.IOException: Stream closed\n\tat java.base/java.io.A.b(A.java:1)\n\tat org.apache.kafka.A.b(A.java:1)\n",
        "java.io.IOException: Cannot run program: error=2\n\tat java.base/java.lang.ProcessBuilder.start(A.java:1)\n"
        "\tat org.apache.spark.api.python.PythonWorkerFactory.startDaemon(PythonWorkerFactory.scala:400)\n",
        "EOFException occurred while reading the port number from pyspark.daemon's stdout and terminated with code: 1.",
    ],
)
def test_streams_that_others_close_and_programs_that_fail_are_no_killed_workers(reported: str) -> None:
    error = RuntimeError(f"Job aborted due to stage failure: Lost task 0.0: {reported}")
    assert as_failure(error) is error


def test_other_errors_are_no_trouble() -> None:
    errors: tuple[Callable[[], Exception], ...] = (
        lambda: pymysql.err.DataError(1406, "Data too long"),
        lambda: pymysql.err.IntegrityError(1062, "Duplicate entry"),
        lambda: RuntimeError("pymysql.err.DataError: (1406, 'Data too long')"),
    )
    assert [trouble_in(make()) for make in errors] == [None] * len(errors)


def test_g1_time_in_which_ddl_keeps_the_run_out_of_a_table_does_not_count() -> None:
    attempts = Attempts(*[TROUBLE] * 100, seconds=5)
    attempts.retry_policy.held_up_at = lambda: min(attempts.clock, 50)
    with pytest.raises(ServerTrouble):
        attempts.run()
    assert attempts.clock == 55
