"""A statement that gives a table a name which a pattern of the spec means: nobody would follow its rows.

Read by words, so that a statement may be taken for one more easily than it passes (hazard E17).
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shardwright.compiler.plan.plan import Plan, is_ours

_NAME: Final = r"(?:`(?:[^`]|``)+`|\"(?:[^\"]|\"\")+\"|[^\s.`\"(;,=]+)"
_QUALIFIED: Final = rf"({_NAME})(?:\s*\.\s*({_NAME}))?"
_CREATES: Final = re.compile(
    rf"\s*CREATE\s+(?:OR\s+REPLACE\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?{_QUALIFIED}", re.IGNORECASE
)
_RENAMES: Final = re.compile(r"\s*RENAME\s+TABLES?\b", re.IGNORECASE)
_ALTERS: Final = re.compile(
    rf"\s*ALTER\s+(?:ONLINE\s+)?(?:IGNORE\s+)?TABLE\s+(?:IF\s+EXISTS\s+)?{_QUALIFIED}", re.IGNORECASE
)
_TO: Final = re.compile(rf"\bTO\s+{_QUALIFIED}", re.IGNORECASE)
_BECOMES: Final = re.compile(
    rf"\bRENAME(?:\s+TO\b|\s+AS\b|\s*=|(?!\s+(?:COLUMN|INDEX|KEY)\b))\s*{_QUALIFIED}|\bTO\s+TABLE\s+{_QUALIFIED}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MeantTables:
    """The names of source tables that the patterns of a spec mean. Made of a plan; travels to tasks."""

    patterns: tuple[tuple[str, str, str], ...] = ()
    """Database, pattern of names in it, logical table."""
    followed: frozenset[str] = frozenset()
    """The source tables of the plan ("database.table"), in lower case."""
    stays: tuple[str, ...] = ()
    """Names and patterns of tables that stay where they are."""

    def match_statement(self, text: str, database: str) -> tuple[str, str] | None:
        """The first such table that a statement without comments makes or renames, with its logical table. `database`
        is the session's default one."""
        if not self.patterns:
            return None
        for own, name in _new_names(text, database):
            logical = self._logical_of(own, name)
            if logical is not None:
                return f"{own}.{name}", logical
        return None

    def _logical_of(self, database: str, name: str) -> str | None:
        if f"{database}.{name}".lower() in self.followed or is_ours(name) or self._is_of_a_tool(database, name):
            return None
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in self.stays):
            return None
        for own, pattern, logical in self.patterns:
            if own.lower() == database.lower() and fnmatch.fnmatchcase(name.lower(), pattern.lower()):
                return logical
        return None

    def _is_of_a_tool(self, database: str, name: str) -> bool:
        """Whether an online schema change makes it beside a followed table: `_orders_gho`, `_orders_new`."""
        stem = name.lower().lstrip("_~")
        parts = (f"{database.lower()}.{stem[:at]}" for at, sign in enumerate(stem) if sign == "_")
        return stem != name.lower() and any(part in self.followed for part in parts)


NOTHING_MEANT: Final = MeantTables()


def table_of_create(text: str, database: str) -> str | None:
    """The table ("database.table") that a CREATE TABLE makes; None for any other statement."""
    created = _CREATES.match(text)
    return None if created is None else ".".join(_name(created[1], created[2], database))


def new_table_patterns(plan: Plan) -> MeantTables:
    databases = {table.logical: {source.database for source in table.sources} for table in plan.tables}
    return MeantTables(
        tuple(
            (database, pattern, logical)
            for pattern, logical in plan.stream_ddl.meant
            for database in sorted(databases.get(logical, ()))
        ),
        frozenset(str(source).lower() for table in plan.tables for source in table.sources),
        plan.stays,
    )


def _new_names(text: str, database: str) -> Iterator[tuple[str, str]]:
    """The tables that get their names by the statement, each with its database."""
    if created := _CREATES.match(text):
        yield _name(created[1], created[2], database)
    elif _RENAMES.match(text):
        yield from (_name(found[1], found[2], database) for found in _TO.finditer(text))
    elif altered := _ALTERS.match(text):
        own = _name(altered[1], altered[2], database)[0]
        for found in _BECOMES.finditer(text, altered.end()):
            first, second = (found[1], found[2]) if found[1] else (found[3], found[4])
            # Servers differ on whose database a name without one is in.
            yield from {_name(first, second, each): None for each in (database, own)}


def _name(first: str, second: str | None, database: str) -> tuple[str, str]:
    return (database, _plain(first)) if second is None else (_plain(first), _plain(second))


def _plain(name: str) -> str:
    quote = name[0]
    return name[1:-1].replace(quote * 2, quote) if quote in '`"' else name
