"""What Spark says when a cluster loses an executor or ends an application, and what an operator reads of it."""

from __future__ import annotations

import pytest

from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.spark import log
from shardwright.runtime.spark.failures import as_failure

_LOST = (
    "26/11/29 12:05:46 ERROR TaskSchedulerImpl: Lost executor 1 on 10.213.4.3: worker lost: 10.213.4.3:38211 got "
    "disassociated\n26/11/29 12:05:47 ERROR Inbox: something else\n"
)


def test_s17b_a_lost_executor_is_named_with_its_machine_and_sparks_reason() -> None:
    assert [lost.sentence for lost in log.losses(_LOST)] == [
        "Spark has lost executor 1 on 10.213.4.3: worker lost: 10.213.4.3:38211 got disassociated"
    ]


@pytest.mark.parametrize(
    ("said", "code", "word"),
    [
        ("Job aborted due to stage failure: Master removed our application: KILLED", "SW8311", "KILLED"),
        ("Job 3 cancelled because SparkContext was shut down", "SW8308", "Java process is gone"),
        (
            "Job aborted due to stage failure: Task 0 in stage 7.0 failed 4 times, most recent failure: Lost task 0.3 in "
            "stage 7.0 (TID 9) (10.0.0.2 executor 4): ExecutorLostFailure (executor 4 exited caused by one of the "
            "running tasks) Reason: Command exited with code 137\nDriver stacktrace:",
            "SW8312",
            "executor 4 of the cluster was lost again and again: Command exited with code 137",
        ),
    ],
)
def test_s17b_the_reason_of_an_ended_application(said: str, code: str, word: str) -> None:
    from py4j.protocol import Py4JError

    failure = as_failure(Py4JError(said))
    assert isinstance(failure, StoppedPartWay) and failure.code == code and word in failure.message, failure


def test_s17b_the_master_is_believed_where_only_sparks_log_has_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    from py4j.protocol import Py4JError

    said = "ERROR StandaloneSchedulerBackend: Application has been killed. Reason: All masters are unresponsive! Giving up."
    monkeypatch.setattr("shardwright.runtime.spark.failures.end_of_log", lambda: said)
    failure = as_failure(Py4JError("Job 3 cancelled because SparkContext was shut down"))
    assert isinstance(failure, StoppedPartWay) and failure.code == "SW8311", failure
    assert "All masters are unresponsive" in failure.message
