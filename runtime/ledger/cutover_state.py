"""How far is the cutover of a migration, and to whom do the applications' writes go by now?

Used in the driver of `cutover`; writes to the first shard. Every state is entered in one transaction, which fails where
another command has entered one meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, Self

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit_later
from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there
from shardwright.specs.direction import Side

State = Literal[
    "following",
    "ready",
    "fenced",
    "drained",
    "proved",
    "armed",
    "switched",
    "sharing",
    "reversing",
    "finishing",
    "finished",
]
"""In `sharing` both sides take writes: each those of its own buckets, or all."""

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_cutover_state` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      state VARCHAR(16) NOT NULL,
      writes_to VARCHAR(8) NOT NULL,
      generation BIGINT NOT NULL,
      version BIGINT NOT NULL,
      since DATETIME(6) NOT NULL,
      detail LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard. `version` counts the changes of the row, so that no command overwrites another one's."""
_READ = (
    "SELECT state, writes_to, generation, version, detail, TIMESTAMPDIFF(MICROSECOND, since, NOW(6)) / 1e6 "
    "FROM `_shardwright_cutover_state` WHERE migration = %s"
)
_IN_FORCE = (
    "SELECT migration, state FROM `_shardwright_cutover_state` WHERE state NOT IN ('following', 'finished') "
    "ORDER BY migration"
)
_FIRST = (
    "INSERT IGNORE INTO `_shardwright_cutover_state` (migration, state, writes_to, generation, version, since, detail) "
    "VALUES (%s, 'following', 'source', 0, 0, NOW(6), '{}')"
)
_WRITE = (
    "UPDATE `_shardwright_cutover_state` SET state = %s, writes_to = %s, generation = %s, version = version + 1, "
    "since = IF(%s, NOW(6), since), detail = %s WHERE migration = %s AND version = %s"
)


@dataclass(frozen=True, slots=True)
class CutoverDetail:
    """What later steps of a cutover, or another process after a crash, need to know. A value is None until the step
    that finds it has been there."""

    to: Side | None = None
    """Where the cutover under way goes."""
    rehearsal: bool = False
    """It ends with the fence lifted again."""
    compared: int | None = None
    """The last batch that the comparison before the fence had seen."""
    fences: Mapping[Side, Any] = field(default_factory=dict)
    """The sides whose fence is set, or half-set, with what lifts it."""
    fenced_at: float | None = None
    """Seconds since 1970 by the first shard's clock: from then on writers wait."""
    proved: Mapping[str, Any] | None = None
    """What the comparison behind the fence covered."""
    applied: int | None = None
    """The last batch that had changed rows when both sides were proved equal."""
    next_ids: tuple[str, ...] = ()
    """The counters that were set, in words."""
    cut: str | None = None
    """The position of the old side's logs at which it ended, as text."""
    pause: float | None = None
    """Seconds that the last switch took from its fence on."""
    rehearsed: Mapping[str, Any] = field(default_factory=dict)
    """`to` and `pause` (seconds) of the last rehearsal."""
    given_up: str | None = None
    """Why the last cutover was given up."""
    move: Mapping[str, Any] | None = None
    """The buckets that are on their way to the other side (`cutover.by_bucket.move`)."""
    moves_compared: Mapping[str, int] = field(default_factory=dict)
    """By direction, the last batch whose rows were compared when buckets moved."""
    buckets: str | None = None
    """Digest of what says in which bucket a row is, as the triggers of both sides have it."""

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What is not ours is left out: a forged row must not keep an operator from the way back."""
        known = {one.name for one in fields(cls)}
        data = {name: value for name, value in json.loads(text).items() if name in known}
        return cls(**{**data, "next_ids": tuple(data.get("next_ids", ()))})

    def to_json(self) -> str:
        """Without what is not known."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return json.dumps({name: value for name, value in values.items() if value is not None})


@dataclass(frozen=True, slots=True)
class CutoverState:
    """The row of a migration."""

    state: State = "following"
    """What is true by now."""
    writes_to: Side = "source"
    """Where applications write."""
    generation: int = 0
    """How many times that has changed."""
    detail: CutoverDetail = CutoverDetail()
    """What steps have found."""
    version: int = 0
    """How many times the row has changed."""
    seconds: float = 0.0
    """How long this state has lasted, by the first shard's clock."""

    @property
    def at_rest(self) -> bool:
        """No cutover is under way, apart from buckets that move."""
        return self.state in (state_at_rest(self.writes_to), "sharing")

    @property
    def shares(self) -> bool:
        """Each side takes the writes of its own buckets."""
        return self.state == "sharing"

    @property
    def is_fenced(self) -> bool:
        """A cutover is under way, and writers may be shut out already."""
        return not self.at_rest and self.detail.fenced_at is not None

    @property
    def fences(self) -> Mapping[Side, Any]:
        """The sides whose fence is set, or half-set, with what lifts it."""
        return self.detail.fences


def state_at_rest(writes_to: Side) -> State:
    """The state in which nothing is under way."""
    return "following" if writes_to == "source" else "reversing"


def read_cutover(connection: Connection[Any], migration: str) -> CutoverState:
    """`connection` is to the first shard. A migration that has no row follows its source."""
    rows = query_if_there(connection, _READ, (migration,))
    if not rows:
        return CutoverState()
    state, writes_to, generation, version, detail, seconds = rows[0]
    return CutoverState(
        state, writes_to, int(generation), CutoverDetail.from_json(detail), int(version), float(seconds)
    )


def cutovers_in_force(connection: Connection[Any]) -> tuple[tuple[str, str], ...]:
    """The migrations that have turned round, or are about to, and are not finished, with their states. `connection` is
    to a database that is the first shard of any."""
    return tuple((str(migration), str(state)) for migration, state in query_if_there(connection, _IN_FORCE))


def begin_record(connection: Connection[Any], migration: str) -> None:
    """Makes the table and the row where they are missing."""
    execute(connection, TABLE)
    with connection.cursor() as cursor:
        cursor.execute(_FIRST, (migration,))


def write_cutover(connection: Connection[Any], migration: str, was: CutoverState, now: CutoverState) -> None:
    """From `was`, as this process read it, to `now`; call in a transaction. Raises Refused (SW8912) where the row has
    changed since."""
    enters = was.state != now.state
    values = (now.state, now.writes_to, now.generation, enters, now.detail.to_json(), migration, was.version)

    def judge(rows: int) -> None:
        if rows != 1:
            raise Refused("SW8912", f"another command has changed the cutover of {migration}: ask `cutover status`")

    execute_later(connection, _WRITE, values, judge=judge)
    if enters:
        audit_later(
            connection, migration, f"cutover {now.state}", detail=f"from {was.state}; writes go to {now.writes_to}"
        )


def unix_now(connection: Connection[Any]) -> float:
    """Seconds since 1970 by the first shard's clock."""
    return float(query(connection, "SELECT UNIX_TIMESTAMP(NOW(6))")[0][0])
