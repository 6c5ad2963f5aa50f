"""Errors of Java programs that Py4J carries, in a process where PySpark carries them, too."""

from __future__ import annotations

import re
from typing import Any

from shardwright.runtime.failures import Refused, Unreachable

_DENIED = re.compile(r"org\.apache\.kafka\.common\.errors\.(?P<which>Ssl|Sasl)AuthenticationException(?P<why>[^\n]*)")


def java_error(error: BaseException | None) -> BaseException | None:
    """The Java program's error in a chain of exceptions.

    PySpark puts a handler before Py4J's that makes its own exceptions of Java's, and asks Spark's JVM about them, which does not
    know those of another JVM: what comes out is anything, raised while Py4J's error was handled.
    """
    from py4j.protocol import Py4JError

    found = None
    while error is not None:
        found = error if isinstance(error, Py4JError) else found
        error = error.__cause__ or error.__context__
    return found


def elements(collection: Any) -> list[Any]:
    """What a Java collection holds. Py4J's own iterators end by an error, which PySpark may change (see `java_error`)."""
    array = collection.toArray()
    return [array[place] for place in range(len(array))]


def as_denied(text: str, where: str) -> Unreachable | Refused | None:
    """The failure behind a Java stack trace in which a broker and its client do not take each other for whom they should be: that
    does not pass by waiting. None when it tells of something else."""
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
