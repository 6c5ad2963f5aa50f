"""May our account drop the triggers of the source's tables, and create them again as they were?

Runs in the driver; reads the source's servers, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.trigger_checks import may_create
from shardwright.runtime.cutover.source_triggers import OTHER_STATEMENT, SourceTrigger, find_triggers, with_found
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judge_faults
from shardwright.runtime.mysql.servers import current_account
from shardwright.runtime.run.preflight.grants import definer_grants, target_grants

_NAME: Final = "triggers of the source"


def source_trigger_checks(back: Way, dropped: Sequence[SourceTrigger]) -> Iterator[Check]:
    """`back` is the direction to the source, `dropped` what a rollback creates again."""
    plan = back.plan
    if not (plan.drops_triggers or dropped):
        return
    faults = list(_check_grants(back))
    if not faults:
        found = with_found(dropped, find_triggers(back))
        faults = [fault for shard in range(len(plan.databases)) for fault in _of(back, shard, found)]
        if not faults and found:
            names = ", ".join(str(trigger) for trigger in found)
            yield Check(_NAME, "", Verdict.OK, f"dropped by a cutover, created again by a rollback: {names}")
            return
    yield from judge_faults(_NAME, "", faults, otherwise="none")


def _check_grants(back: Way) -> Iterator[Fault]:
    """Without TRIGGER the server hides them."""
    for shard, database in enumerate(back.plan.databases):
        with closing(back.connect_target(shard)) as connection:
            yield from target_grants(connection, [database], str(back.servers.shards[shard]), needed=("TRIGGER",))


def _of(back: Way, shard: int, found: Sequence[SourceTrigger]) -> Iterator[Fault]:
    here = [trigger for trigger in found if trigger.database == back.plan.databases[shard]]
    if not here:
        return
    for trigger in here:
        if why := trigger.why_not():
            yield Fault(
                OTHER_STATEMENT, f"trigger {trigger} would not be created again: {why}", "create it in a plain form"
            )
    with closing(back.connect_target(shard)) as connection:
        yield from may_create(connection)
        yield from definer_grants(connection, _definers(connection, here), str(back.servers.shards[shard]))


def _definers(connection: Connection[Any], triggers: Sequence[SourceTrigger]) -> list[str]:
    """The other accounts that they run as, as user@host."""
    ours = current_account(connection)
    return [name for name in dict.fromkeys(trigger.definer for trigger in triggers) if name != ours]
