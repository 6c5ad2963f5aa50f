"""The verdicts about a statement, and which finding each of the bad ones is. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """From harmless to bad."""

    ONE_SHARD = "one shard"
    BROADCAST_READ = "broadcast read"
    NO_TABLE = "no table"
    OTHER_TABLE = "other table"
    SAME_ANSWER = "scatter, same answer"
    OTHER_ANSWER = "scatter, other answer"
    WRITES_BROADCAST = "writes a broadcast table"
    CROSS_SHARD_TRANSACTION = "cross-shard transaction"
    CROSS_SHARD_JOIN = "cross-shard join"
    UPDATES_SHARD_KEY = "updates the shard key"
    NOT_UNDERSTOOD = "not understood"

    @property
    def code(self) -> str | None:
        """The finding that says so; None where the statement works on the shards."""
        return _CODES.get(self)

    @property
    def is_bad(self) -> bool:
        return self in _CODES


_CODES = {
    Verdict.OTHER_ANSWER: "SW5201",
    Verdict.CROSS_SHARD_JOIN: "SW5202",
    Verdict.CROSS_SHARD_TRANSACTION: "SW5203",
    Verdict.WRITES_BROADCAST: "SW5204",
    Verdict.UPDATES_SHARD_KEY: "SW5205",
    Verdict.NOT_UNDERSTOOD: "SW5206",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """`reason` is a sentence's text without its full stop. `keys` are, of a statement on one shard, the columns of the
    shard key with what each is equal to: "parameter 2", "4711", ":user"."""

    verdict: Verdict
    reason: str
    keys: tuple[tuple[str, str], ...] = ()
    route: tuple[str, tuple[str, ...]] | None = None
    """Of a statement on one shard whose text shows the key: the rule, and the values. Equal ones are one shard."""


class BadStatement(Exception):
    """The statement, or the part of it that is looked at, is not on one shard and no sum of its shards' answers."""

    def __init__(self, verdict: Verdict, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason

    @property
    def judgement(self) -> Judgement:
        return Judgement(self.verdict, self.reason)


def other_answer(reason: str) -> BadStatement:
    return BadStatement(Verdict.OTHER_ANSWER, reason)


def not_understood(reason: str) -> BadStatement:
    return BadStatement(Verdict.NOT_UNDERSTOOD, reason)
