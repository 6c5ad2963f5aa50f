"""A statement of the application, as a file names it, and the digest by which equal ones are counted together. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkloadStatement:
    """One statement of one place in a file."""

    text: str
    """As the file has it, or its digest where the file has only that."""
    calls: int
    """How often it was executed, at least 1."""
    seconds: float | None
    """What all calls took together; None where the file does not say."""
    file: str
    line: int
    """Counts from 1."""
    session: str = ""
    """The connection that executed it, where a log names one. Statements of one session are in order."""


@dataclass(frozen=True, slots=True)
class StatementGroup:
    """All statements with one digest."""

    digest: str
    """16 hexadecimal digits, which stay when literals, lists of literals or blanks differ."""
    sql: str
    """Without literals."""
    texts: tuple[str, ...]
    """Some of the statements: those whose literals repeat each other in different ways, the first one first."""
    calls: int
    seconds: float | None
    file: str
    line: int
    """Where the first of them is."""
