"""Where are the triggers of the source's tables while the shards take the writes? They would act on rows that the way
back writes, and no session can switch them off. A cutover drops them, and a rollback or an abort creates them again.

Runs in the driver while the fence of the source holds; drops and creates triggers there. Their definitions are in the
ledger before the first one is dropped.

Servers run the triggers of one event in the order of their creation. So they are dropped from the last one on, and
created from the first one on: wherever a command is killed, those that are left are the first ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any, Final

import pymysql
from pymysql.charset import charset_by_name
from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.ddl.fence_names import is_fence
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.cutover_state import CutoverState
from shardwright.runtime.mysql.transactions import execute, listed_text, query

FAILED: Final = "SW8929"
_LISTED: Final = (
    "SELECT trigger_name, event_object_table FROM information_schema.triggers WHERE trigger_schema = %s "
    "ORDER BY event_object_table, CONCAT(event_manipulation, action_timing), action_order"
)
_LOCK_WAITS: Final = 5
"""Seconds: new readers of the table wait behind DROP TRIGGER."""


@dataclass(frozen=True, slots=True)
class SourceTrigger:
    """All that the server has of it."""

    database: str
    """The database of the trigger and of its table."""
    table: str
    """The table that it is on."""
    name: str
    """Its name in the database."""
    statement: str
    """CREATE TRIGGER, with its definer, as SHOW CREATE TRIGGER prints it."""
    sql_mode: str
    """The mode that it runs in."""
    character_set_client: str
    """The character set of the statement's bytes."""
    collation_connection: str
    """The collation of its literals."""

    @property
    def place(self) -> tuple[str, str]:
        return self.database, self.name

    def __str__(self) -> str:
        return f"{self.database}.{self.name}"


def dropped_triggers(state: CutoverState) -> list[SourceTrigger]:
    """Those that a rollback or an abort creates again, by the ledger."""
    return [SourceTrigger(**item) for item in state.detail.get("triggers", ())]


def as_record(triggers: Sequence[SourceTrigger]) -> list[dict[str, str]]:
    return [asdict(trigger) for trigger in triggers]


def find_triggers(back: Way) -> list[SourceTrigger]:
    """The triggers that a cutover drops and that are there now, in their order. `back` is the direction to the
    source."""
    plan = back.plan
    places = (place for name in plan.drops_triggers for place in plan.physical_tables(plan.table(name)))
    return _on_tables(back, {(plan.databases[shard], name.lower()) for shard, _, name in places})


def _still_there(back: Way, triggers: Sequence[SourceTrigger]) -> dict[tuple[str, str], SourceTrigger]:
    """What is on their tables now, whatever the plan says by now."""
    tables = {(trigger.database, trigger.table.lower()) for trigger in triggers}
    return {trigger.place: trigger for trigger in _on_tables(back, tables)}


def with_found(recorded: Sequence[SourceTrigger], found: Sequence[SourceTrigger]) -> list[SourceTrigger]:
    """What an earlier command has recorded, part of which is dropped by now, and what is there."""
    return list({trigger.place: trigger for trigger in (*recorded, *found)}.values())


def drop_triggers(back: Way, triggers: Sequence[SourceTrigger]) -> None:
    """Those that are there. May be repeated. Raises Refused (SW8929)."""
    there = _still_there(back, triggers)
    for trigger in reversed(triggers):
        if trigger.place in there:
            _do(back, trigger, _drop, "dropped")
            failpoint("after-trigger-dropped")


def create_triggers(back: Way, triggers: Sequence[SourceTrigger]) -> None:
    """Those that are missing. May be repeated. Raises Refused (SW8929), also where one is not as it was."""
    there = _still_there(back, triggers)
    for trigger in triggers:
        if trigger.place not in there:
            _do(back, trigger, _create, "created")
            failpoint("after-trigger-created")
    now = _still_there(back, triggers)
    for trigger in triggers:
        if now.get(trigger.place) != trigger:
            raise Refused(
                FAILED,
                f"trigger {trigger} of the source is not what it was before the cutover: see `cutover status --format "
                "json` for its definition, create it by hand, and repeat the command",
            )


def _do(back: Way, trigger: SourceTrigger, work: Callable[[Connection[Any], SourceTrigger], None], what: str) -> None:
    try:
        with closing(back.connect_target(back.plan.databases.index(trigger.database))) as connection:
            execute(connection, f"SET SESSION lock_wait_timeout = {_LOCK_WAITS}")
            work(connection, trigger)
    except pymysql.err.MySQLError as error:
        raise Refused(
            FAILED, f"trigger {trigger} of the source could not be {what} ({error.args[-1]}): fix it, and repeat"
        ) from error


def _drop(connection: Connection[Any], trigger: SourceTrigger) -> None:
    execute(connection, f"DROP TRIGGER IF EXISTS {quoted(trigger.database)}.{quoted(trigger.name)}")


def _create(connection: Connection[Any], trigger: SourceTrigger) -> None:
    """The server keeps these settings with the trigger. The statement's bytes are those of the client it came from."""
    charset = trigger.character_set_client
    with connection.cursor() as cursor:
        cursor.execute(
            "SET SESSION sql_mode = %s, character_set_client = %s, collation_connection = %s",
            (trigger.sql_mode, charset, trigger.collation_connection),
        )
    raw: Any = connection  # typed as if it took texts only
    raw.query(trigger.statement.encode(charset_by_name(charset).encoding))


def _on_tables(back: Way, tables: Collection[tuple[str, str]]) -> list[SourceTrigger]:
    """All but those of fences. `tables`: database, and the table's name in lower case."""
    found: list[SourceTrigger] = []
    for shard, database in enumerate(back.plan.databases):
        if any(database == where for where, _ in tables):
            with closing(back.connect_target(shard)) as connection:
                found += [one for one in _in_database(connection, database) if (database, one.table.lower()) in tables]
    return found


def _in_database(connection: Connection[Any], database: str) -> Iterator[SourceTrigger]:
    for row in query(connection, _LISTED, (database,)):
        name, table = (str(listed_text(value)) for value in row)
        if not is_fence(name):
            shown = query(connection, f"SHOW CREATE TRIGGER {quoted(database)}.{quoted(name)}")
            _, mode, statement, charset, collation, *_ = (str(listed_text(value)) for value in shown[0])
            yield SourceTrigger(database, table, name, statement, mode, charset, collation)
