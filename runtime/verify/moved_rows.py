"""Are the rows of some buckets equal on both sides, while nobody may write them and other buckets go on?

Runs in the driver, in threads; reads both sides and the remembered keys.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.steps.writers import OF_ROWS
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.mysql.kept_connections import KeptConnections
from shardwright.runtime.mysql.keys import source_sql, with_keys
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.verify.at_rest import AtRest
from shardwright.runtime.verify.final import collect_answers, gate, recall_keys, with_doubtful
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.result import Mismatch, VerifyResult
from shardwright.runtime.verify.sessions import Sessions, ask

_AT_ONCE: Final = 8
_KEYS_AT_ONCE: Final = 2_000


@dataclass(frozen=True, slots=True)
class ReadSide:
    """A direction's plan and servers. Rows are asked for their buckets where it reads changes."""

    plan: Plan
    servers: Servers

    def buckets(self, sessions: Sessions, logical: str, keys: Sequence[Key]) -> Mapping[Key, int]:
        """Of the rows that are there."""
        table = self.plan.table(logical)
        statement = self.plan.step(logical, StepName.WRITERS).statement(OF_ROWS)
        kinds = [column.type for column in table.key_columns]
        found: dict[Key, int] = {}
        for name in table.sources:
            with sessions.at(name.database) as connection:
                for start in range(0, len(keys), _KEYS_AT_ONCE):
                    some = keys[start : start + _KEYS_AT_ONCE]
                    sql = with_keys(source_sql(statement, name), connection, kinds, some)
                    for *key, bucket in ask(connection, sql, {}, where=str(name)):
                        found[tuple(key)] = int(bucket)
        return found


def compare_moved_rows(
    losing: ReadSide, gaining: ReadSide, buckets: Collection[int], *, after: int, beside: VerifyResult | None
) -> int:
    """Compares the rows of `buckets` that the batches after `after` of the losing side's direction changed, and those
    that `beside` was in doubt about. All that the losing side has written in them is on the other side. Returns how
    many rows were compared. Raises Refused (SW8925) where one differs, and CouldNotCheck (SW8533) where not all keys
    are remembered."""
    plan, servers = losing.plan, losing.servers
    with closing(servers.connect_shard(0)) as control:
        verified = gate(plan, control)
    if not isinstance(verified, Verification):
        raise Refused("SW8925", f"the rows cannot be proved equal: {verified}")
    with closing(KeptConnections(servers)) as kept:
        keys = recall_keys(plan, kept, verified, after=after)
    if beside is not None:
        keys = with_doubtful(keys, beside)
    sessions = Sessions(servers.connect_source, servers.connect_shard)
    others = Sessions(gaining.servers.connect_source, gaining.servers.connect_shard)
    try:
        known = {name: losing.buckets(sessions, name, some) for name, some in keys.by_table.items() if some}
        wanted = {name: _may_be_in(buckets, some, known.get(name, {})) for name, some in keys.by_table.items()}
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="moved") as pool:
            answers = AtRest(plan, sessions, pool).faults(wanted)
            problems: list[str] = []
            found = [one for some in collect_answers(answers, problems) for one in some]
        sides = ((losing, sessions), (gaining, others))
        wrong = [one for one in found if _is_in(buckets, one, sides)]
    finally:
        sessions.close()
        others.close()
    if problems or wrong:
        named = [f"{one.table} {', '.join(one.key)}: {one.kind}" for one in wrong[:5]]
        raise Refused("SW8925", f"rows of these buckets differ, so they were not moved: {'; '.join(problems + named)}")
    return sum(map(len, wanted.values()))


def _may_be_in(buckets: Collection[int], keys: Sequence[Key], known: Mapping[Key, int]) -> list[Key]:
    """A row that is not there may have been anywhere."""
    return [key for key in keys if known.get(key) is None or known[key] in buckets]


def _is_in(buckets: Collection[int], wrong: Mismatch, sides: Sequence[tuple[ReadSide, Sessions]]) -> bool:
    """Whether a row that differs is one of these buckets, which are at rest: one of another bucket is in flight. So is
    one that is nowhere any more: what is at rest does not go."""
    for side, sessions in sides:
        bucket = side.buckets(sessions, wrong.table, [wrong.key]).get(wrong.key)
        if bucket is not None:
            return bucket in buckets
    return False
