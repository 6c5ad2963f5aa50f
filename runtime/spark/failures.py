"""Which failure is behind an exception of Spark's. Failures cross Spark as text: the notes of tasks
(`runtime.failures`) are found again in it, and what Spark and Java say about themselves is recognised.

Runs in the driver; writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from shardwright.runtime.failures import (
    Refused,
    RuntimeFailure,
    StoppedPartWay,
    Unreachable,
    failure_from_note,
    notes_in,
)
from shardwright.runtime.mysql.transient_errors import (
    judge_error,
    refusal_in,
    server_error_in,
    statement_refusal,
    trouble_in,
)
from shardwright.runtime.spark.log import end_of_log

_QUEUE_GAP = re.compile(
    r"KAFKA_DATA_LOSS|data may have been lost|OffsetOutOfRangeException|failOnDataLoss", re.IGNORECASE
)
_QUEUE_SILENT = re.compile(
    r"org\.apache\.kafka\.common\.errors\.(?:Timeout|Disconnect|Network|NotLeaderOrFollower|LeaderNotAvailable)\w*Exception[^\n]*"
    r"|No resolvable bootstrap urls[^\n]*"
)
_LATE_WORKER = "Python worker failed to connect back"
_NO_ROOM = re.compile("No space left on device|Disk quota exceeded|Read-only file system")
_WORKER_GONE = re.compile(
    r"Python worker exited unexpectedly|Python worker process terminated|Failed to connect to the Python worker"
    # The process that forks workers, while it starts.
    r"|reading the port number from [^\n]* terminated with code: 137"
    # Spark asks the process that forks workers to end an idle one, and both are dead.
    r"|java\.io\.IOException: (?:Stream closed|Broken pipe)(?:\n\s+at java\.base/[^\n]*)+"
    r"\n\s+at org\.apache\.spark\.api\.python\.PythonWorkerFactory"
)
_ENDED_BY_MASTER = re.compile(
    r"Master removed our application: \w+|All masters are unresponsive!? ?(?:Giving up)?"
    r"|Application has been killed\. Reason: [^\n]+|Master rejected our application[^\n]*"
)
_EXECUTOR_LOST = re.compile(r"ExecutorLostFailure \(executor (?P<number>\S+) [^)]*\)(?: Reason: (?P<why>[^\n]*))")
_STOPPED = re.compile(
    "Master removed our application|masters are unresponsive|SparkContext was shut ?down|stopped SparkContext",
    re.IGNORECASE,
)
_JAVA_GONE = re.compile(
    r"^Py4JError An error occurred while calling \S+$|Answer from Java side is empty|Error while sending or receiving|An error occurred while trying to connect to the Java server"  # noqa: E501
    r"|\[Errno 111\] Connection refused|SparkContext was shut ?down|cannot call methods on a stopped SparkContext",
    re.IGNORECASE,
)


def as_failure(error: BaseException) -> BaseException:
    """The failure for the operator in place of Spark's error; the error itself when it holds no failure of ours."""
    if isinstance(error, RuntimeFailure):
        return error
    if noted := _last_noted(error):
        return noted
    if _QUEUE_GAP.search(str(error)):
        return _queue_gap()
    if denied := as_denied(str(error), "Kafka"):
        return denied
    if silent := _QUEUE_SILENT.search(str(error)):
        return Unreachable("SW8451", f"Kafka does not answer: {silent[0].rpartition('errors.')[2]}")
    return trouble_in(error) or refusal_in(error) or _of_this_machine(error) or server_error_in(error) or error


def _last_noted(error: BaseException) -> RuntimeFailure | None:
    """The last of the failures that the tasks have noted: earlier ones led to it."""
    latest_first = notes_in(error)[::-1]
    for note in latest_first:
        if "kind" in note:
            return failure_from_note(note)
        if found := judge_error(*_server_error(note)):
            return found
    return statement_refusal(*_server_error(latest_first[0])) if latest_first else None


def _server_error(note: Mapping[str, Any]) -> tuple[int, str, str]:
    """Number, text and server."""
    return int(note["number"]), str(note["text"]), str(note["where"])


def _of_this_machine(error: BaseException) -> StoppedPartWay | None:
    if _LATE_WORKER in str(error):
        return _worker_late()
    if _WORKER_GONE.search(str(error)):
        return StoppedPartWay(
            "SW8307", "a Python process of Spark's was killed, perhaps for lack of memory; running again resumes"
        )
    if (ended := _ENDED_BY_MASTER.search(f"{error}\n{end_of_log()}")) and _is_cluster(error):
        said = f"the Spark master has ended this application ({ended[0]}); running again resumes"
        return StoppedPartWay("SW8311", said)
    if lost := _EXECUTOR_LOST.search(str(error)):
        said = f"executor {lost['number']} of the cluster was lost again and again: {lost['why'].strip()}"
        return StoppedPartWay("SW8312", f"{said}; running again resumes")
    if _is_java_gone(error):
        return StoppedPartWay(
            "SW8308", "Spark's Java process is gone, perhaps killed for lack of memory; running again resumes"
        )
    match = _NO_ROOM.search(str(error))
    return None if match is None else StoppedPartWay("SW8306", f"this machine's folder for temporary files: {match[0]}")


def _is_java_gone(error: BaseException) -> bool:
    """Whether Java has ended. Py4J reports it in several ways; a refused connection is Java's only where Py4J raised
    it."""
    modules = {type(each).__module__.partition(".")[0] for each in _chain(error)}
    return bool(modules & {"py4j", "pyspark"} or isinstance(error, ConnectionError)) and any(
        _JAVA_GONE.search(f"{type(each).__name__} {each}") for each in _chain(error)
    )


def _is_cluster(error: BaseException) -> bool:
    """Whether Spark's context has ended, and not Java."""
    return any(_STOPPED.search(str(each)) for each in _chain(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _worker_late() -> StoppedPartWay:
    message = (
        "a Python process was not up within the ten seconds Spark waits for it, the machine is overloaded; "
        "running again resumes"
    )
    return StoppedPartWay("SW8304", message)


def _queue_gap() -> Refused:
    """Spark stops at a gap in a queue. The check before the next run's first batch finds the gap's offsets."""
    message = "the queue does not hold messages that were not read yet; running again names them"
    return Refused("SW8455", message)


_DENIED = re.compile(r"org\.apache\.kafka\.common\.errors\.(?P<which>Ssl|Sasl)AuthenticationException(?P<why>[^\n]*)")


def java_error(error: BaseException | None) -> BaseException | None:
    """The Java program's error in a chain of exceptions.

    PySpark puts a handler before Py4J's, which turns Java's exceptions into its own and asks Spark's JVM about them.
    That JVM does not know the exceptions of another JVM. So the result may be any exception, raised while Py4J's error
    was handled.
    """
    from py4j.protocol import Py4JError

    found = None
    while error is not None:
        found = error if isinstance(error, Py4JError) else found
        error = error.__cause__ or error.__context__
    return found


def elements(collection: Any) -> list[Any]:
    """What a Java collection holds. Py4J's own iterators end by an error, which PySpark may change (see
    `java_error`)."""
    array = collection.toArray()
    return [array[place] for place in range(len(array))]


def as_denied(text: str, where: str) -> Unreachable | Refused | None:
    """The failure behind a Java stack trace in which a broker and its client do not authenticate each other, which is
    not transient. None for any other trace."""
    found = _DENIED.search(text)
    if found is None:
        return None
    if found["which"] == "Sasl":
        return Refused("SW8102", f"{where} denies access: {found['why'].strip(': ')}")
    why = reason(Exception(text)) if "Caused by" in text else found["why"].strip(": ")
    return Unreachable("SW8105", f"no protected connection to {where}: {why}")


def reason(error: BaseException) -> str:
    """The innermost cause's line of a Java stack trace."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by: ")]
    return (causes or lines[1:2] or lines or ["?"])[-1].removeprefix("Caused by: ").removeprefix(": ")
