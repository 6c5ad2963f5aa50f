"""Where are the triggers of the source's tables while the shards take the writes? They would act on rows that the way
back writes, and no session can switch them off. A cutover drops them, and a rollback or an abort creates them again.

Runs in the driver while the fence of the source holds; drops and creates triggers there. Their definitions are in the
ledger beside the source before the first one is dropped. Nothing is created but the one trigger that a definition
claims to be, with the definer that it had.

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

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.cutover.trigger_statement import trigger_head
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.ddl.fence_names import is_fence
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.databases import create_ledger_databases
from shardwright.runtime.ledger.dropped_triggers import Recorded, forget_dropped, read_dropped, write_dropped
from shardwright.runtime.mysql.transactions import decode_text, execute, in_transaction, query

FAILED: Final = "SW8929"
OTHER_STATEMENT: Final = "SW8931"
_LISTED: Final = (
    "SELECT trigger_name, event_object_table, definer FROM information_schema.triggers WHERE trigger_schema = %s "
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
    definer: str
    """The account that it runs as, as user@host."""
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

    def why_not(self) -> str | None:
        """Why its statement is not executed; None where it creates this trigger and nothing else."""
        head = trigger_head(self.statement, sql_mode=self.sql_mode)
        if head is None:
            return "its statement is not one CREATE DEFINER TRIGGER with a name, a table and a body"
        here = {self.database.lower()}
        if not head.databases <= here or head.table.lower() != self.table.lower() or head.name != self.name:
            return "its statement creates another trigger, or one on another table"
        return None if head.definer == self.definer else f"its statement has another definer ({head.definer})"


def read_dropped_triggers(back: Way) -> list[SourceTrigger]:
    """Those that a rollback or an abort creates again, by the ledger beside the source. Raises Refused (SW8931) where
    the ledger has others than it can have."""
    found = [trigger for one in _read_records(back) for trigger in one]
    for trigger in found:
        _require_sound(trigger)
    return found


def describe_triggers(back: Way) -> list[dict[str, str]]:
    """The record as it stands, also where it is refused."""
    return [asdict(trigger) for one in _read_records(back) for trigger in one]


def record_triggers(back: Way, triggers: Sequence[SourceTrigger]) -> None:
    """Raises Refused (SW8931) for one that would not be created again."""
    for trigger in triggers:
        _require_sound(trigger)
    create_ledger_databases(back.servers)
    for shard, database in enumerate(back.plan.databases):
        here = [trigger for trigger in triggers if trigger.database == database]
        if here:
            with closing(back.servers.connect_shard(shard)) as connection:
                write_dropped(connection, back.plan.migration, [_as_recorded(trigger) for trigger in here])


def forget_triggers(back: Way) -> None:
    """They are at the source again."""
    for shard, recorded in enumerate(_read_records(back)):
        if recorded:
            with closing(back.servers.connect_shard(shard)) as connection:
                in_transaction(connection, lambda c: forget_dropped(c, back.plan.migration))


def _read_records(back: Way) -> Iterator[list[SourceTrigger]]:
    """By source database. One without a ledger has none."""
    for shard, database in enumerate(back.plan.databases):
        try:
            with closing(back.servers.connect_shard(shard)) as connection:
                rows = read_dropped(connection, back.plan.migration)
        except Refused as refused:
            if refused.code != "SW8103":
                raise
            rows = []
        yield [
            SourceTrigger(database, table, name, definer, statement, mode, charset, collation)
            for name, table, definer, statement, mode, charset, collation in rows
        ]


def _as_recorded(trigger: SourceTrigger) -> Recorded:
    found = (trigger.name, trigger.table, trigger.definer, trigger.statement, trigger.sql_mode)
    return (*found, trigger.character_set_client, trigger.collation_connection)


def _require_sound(trigger: SourceTrigger) -> None:
    if why := trigger.why_not():
        raise Refused(
            OTHER_STATEMENT,
            f"trigger {trigger} of the source is not created from what the ledger beside the source has: {why}",
        )


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
    execute(connection, f"DROP TRIGGER IF EXISTS {quote(trigger.database)}.{quote(trigger.name)}")


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
        name, table, definer = (str(decode_text(value)) for value in row)
        if not is_fence(name):
            shown = query(connection, f"SHOW CREATE TRIGGER {quote(database)}.{quote(name)}")
            _, mode, statement, charset, collation, *_ = (str(decode_text(value)) for value in shown[0])
            yield SourceTrigger(database, table, name, definer, statement, mode, charset, collation)
