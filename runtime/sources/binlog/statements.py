"""What a statement in the log means for the captured tables. Recognition is by text and errs on the side of stopping: a
statement that only mentions a captured table may stop the stream, but one that changes it cannot pass (hazards E2, E14,
E17, E19).

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto

from shardwright.compiler.ddl.logged.new_tables import NOTHING_MEANT, MeantTables, table_of_create
from shardwright.specs.files.sql_pieces import pieces


class Effect(Enum):
    """BEGIN opens a transaction, XA_BEGIN one that commits elsewhere; COMMIT and ROLLBACK end it; XA_END commits or
    rolls back one that was prepared earlier; PARTIAL_ROLLBACK takes back rows that are in the log;
    CHANGES_ROWS and CHANGES_TABLE touch captured tables; MAKES_TABLE makes one that a pattern of the spec means; NONE
    does not concern them."""

    BEGIN = auto()
    XA_BEGIN = auto()
    COMMIT = auto()
    ROLLBACK = auto()
    PARTIAL_ROLLBACK = auto()
    XA_END = auto()
    CHANGES_ROWS = auto()
    CHANGES_TABLE = auto()
    MAKES_TABLE = auto()
    NONE = auto()


_STOPPING = (Effect.CHANGES_ROWS, Effect.CHANGES_TABLE, Effect.MAKES_TABLE)
_ROW_VERBS = frozenset(
    {"INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "WITH", "CALL", "DO", "SELECT", "BEGIN NOT ATOMIC"}
)
_HARMLESS_VERBS = frozenset(
    {"SAVEPOINT", "RELEASE", "SET", "FLUSH", "GRANT", "REVOKE", "ANALYZE", "OPTIMIZE", "CHECK", "CHECKSUM",
     "KILL", "INSTALL", "UNINSTALL", "PURGE", "RESET", "BINLOG", "CHANGE", "START", "STOP", "SHUTDOWN"}
)  # fmt: skip
_STORED_OBJECTS = frozenset(
    {"VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT", "USER", "ROLE", "SERVER", "PACKAGE", "TABLESPACE", "LOGFILE",
     "RESOURCE", "SPATIAL REFERENCE", "TEMPORARY"}
)  # fmt: skip
# Words between the verb and the kind of object it creates, alters or drops.
_MODIFIERS = re.compile(
    r"\s*(?:(?:OR\s+REPLACE|ONLINE|OFFLINE|IGNORE|UNIQUE|FULLTEXT|AGGREGATE|UNDO|ALGORITHM\s*=\s*\w+|SQL\s+SECURITY\s+\w+"
    r"|DEFINER\s*=\s*(?:`[^`]*`|'[^']*'|[^\s@`']+)(?:\s*@\s*(?:`[^`]*`|'[^']*'|\S+))?(?:\(\))?)\s+)*",
    re.IGNORECASE,
)
_EXECUTED = re.compile(r"/\*(M?)!(\d*+)(.*)", re.DOTALL)
_ALWAYS_EXECUTED = 50_700
"""Every server executes comments of versions below it. Comments of other versions are executed by some servers and
skipped by others."""
_DIGITS = 6
"""The most digits of a version."""
_MERGED = re.compile(r"\bENGINE\s*+(?:=\s*+)?['\"`]?(?:MERGE|MRG_MYISAM)\b", re.IGNORECASE)
_REPLACES = re.compile(r"\s*OR\s+REPLACE\b", re.IGNORECASE)
_MOVES = re.compile(r"\bUPGRADE\s+DATA\s+DIRECTORY\s+NAME\b", re.IGNORECASE)
_XA = {"START": Effect.XA_BEGIN, "BEGIN": Effect.XA_BEGIN, "COMMIT": Effect.XA_END, "ROLLBACK": Effect.XA_END}
# MariaDB: SET STATEMENT ... FOR <any statement>, and ANALYZE <a statement that changes rows>.
_WRAPPED = re.compile(r"SET\s+STATEMENT\b|ANALYZE\s++(?!(?:NO_WRITE_TO_BINLOG\s+|LOCAL\s+)?TABLE)", re.IGNORECASE)
_WORD = re.compile(r"\s*([A-Za-z]+)")
_CREATE_TABLE = re.compile(r"TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(.*)", re.IGNORECASE | re.DOTALL)
_NAME = r"(?:`(?:[^`]|``)+`|\"(?:[^\"]|\"\")+\"|[^\s.`\"(;,]+)"
_WHOLE_WORD = re.compile(r"[\w$]+")
_AS_I = {0x130: "i", 0x131: "i"}
_SETS_COUNTER = re.compile(
    rf"\s*TABLE\s+{_NAME}(?:\s*\.\s*{_NAME})?\s+AUTO_INCREMENT\s*=?\s*\d+"
    r"(?:\s*,?\s*(?:ALGORITHM|LOCK)\s*=?\s*\w+)*\s*;?\s*",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})?)", re.DOTALL)


class Statements:
    """Judges statements for a fixed set of captured tables, given as "database.table". `meant` are names that new
    tables must not get unseen."""

    def __init__(self, tables: Iterable[str], meant: MeantTables = NOTHING_MEANT) -> None:
        self._meant = meant
        self._pairs = [(database, table) for database, table in (name.split(".", 1) for name in tables)]
        self._databases = _Names(database for database, _ in self._pairs)
        self._tables = _Names(table for _, table in self._pairs)
        self._not_ascii = any(not name.isascii() for pair in self._pairs for name in pair)

    def effect(self, database: str, text: bytes) -> Effect:
        if text == b"BEGIN":
            return Effect.BEGIN
        statement = self._decode(text)
        effects = [self._effect(database, statement, bare) for bare in _readings(statement)]
        worst = (effect for effect in _STOPPING if effect in effects)
        return next(worst, effects[0])

    def new_table(self, database: str, text: bytes) -> tuple[str, str] | None:
        """The table that a statement of effect MAKES_TABLE makes, and the logical table whose pattern means it."""
        made = (self._meant.match_statement(bare, database) for bare in _readings(self._decode(text)))
        return next((found for found in made if found is not None), None)

    def table_of_create(self, database: str, text: bytes) -> str | None:
        """The table ("database.table") that a CREATE TABLE makes; None for any other statement, and where comments that
        only some servers execute make a difference."""
        made = {table_of_create(bare, database) for bare in _readings(self._decode(text))}
        return made.pop() if len(made) == 1 else None

    def _effect(self, database: str, statement: str, bare: str) -> Effect:
        verb, rest = _verb(bare)
        control = _transaction_control(verb, rest)
        if control is not None:
            return control
        if verb in _HARMLESS_VERBS and not _WRAPPED.match(bare):
            return Effect.NONE
        if verb in _ROW_VERBS:
            return Effect.CHANGES_ROWS if self._touches_database(database, statement) else Effect.NONE
        if self._changes_table(database, statement, verb, rest):
            return Effect.CHANGES_TABLE
        return Effect.MAKES_TABLE if self._meant.match_statement(bare, database) else Effect.NONE

    def _decode(self, text: bytes) -> str:
        try:
            return text.decode()
        except UnicodeDecodeError:
            return text.decode("latin-1")

    def _touches_database(self, default: str, statement: str) -> bool:
        return any(_same(default, database) for database, _ in self._pairs) or bool(self._databases.within(statement))

    def _changes_table(self, default: str, statement: str, verb: str, rest: str) -> bool:
        replaces = verb == "CREATE" and _REPLACES.match(rest) is not None
        rest = _MODIFIERS.sub("", rest, count=1) if verb in ("CREATE", "ALTER", "DROP") else rest
        kind = _verb(rest)[0]
        if verb == "ALTER" and _SETS_COUNTER.fullmatch(rest):
            return False  # a rollback of a cutover sets it, too, and a queue may bring that late
        if verb in ("CREATE", "ALTER", "DROP", "RENAME") and kind in _STORED_OBJECTS:
            return False
        if kind in ("DATABASE", "SCHEMA"):
            goes = verb == "DROP" or replaces or _MOVES.search(statement) is not None
            return goes and bool(self._databases.within(statement))
        if verb == "CREATE" and not _MERGED.search(rest) and (created := _CREATE_TABLE.match(rest.lstrip())):
            name = _QUALIFIED.match(created.group(1))
            statement = name.group(1) if name else statement
        return self._mentions_table(default, statement)

    def _mentions_table(self, default: str, statement: str) -> bool:
        if self._not_ascii and not statement.isascii():
            return True  # the session's character set may spell our name in other bytes
        tables = self._tables.within(statement)
        databases = self._databases.within(statement) if tables else frozenset()
        return any(
            table in tables and (_same(default, database) or database in databases) for database, table in self._pairs
        )


def _same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


class _Names:
    """Names to find in a statement as whole words, in any letter case and quoting. A statement is read once, however
    many names there are. Only a name of other characters than letters, digits, `_` and `$` needs a search of its
    own."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[str, set[str]] = {}
        self._others: dict[str, re.Pattern[str]] = {}
        for name in names:
            if name.isascii() and _WHOLE_WORD.fullmatch(name):
                self._by_word.setdefault(name.lower(), set()).add(name)
            else:
                self._others[name] = _mention(name)

    def within(self, statement: str) -> frozenset[str]:
        words = self._by_word.keys() & set(_WHOLE_WORD.findall(_fold(statement)))
        named = (self._by_word[word] for word in words)
        return frozenset().union(*named, (name for name, mention in self._others.items() if mention.search(statement)))


def _fold(statement: str) -> str:
    """In lower case. Characters that some collation treats as an ASCII letter become that letter."""
    return statement.lower() if statement.isascii() else statement.translate(_AS_I).casefold()


def _mention(name: str) -> re.Pattern[str]:
    """The name as a whole word, in any quoting the server writes: quotes inside it are doubled."""
    spellings = {name, name.replace("`", "``"), name.replace('"', '""')}
    either = "|".join(re.escape(spelling) for spelling in sorted(spellings))
    return re.compile(rf"(?<![\w$])(?:{either})(?![\w$])", re.IGNORECASE)


def _readings(statement: str) -> list[str]:
    """The statement without comments, with executable comments as their content. Also without those that some servers
    skip, and with a backslash as an ordinary character. Good enough to find the verb, not to parse."""
    modes = (True, False) if "\\" in statement else (True,)
    found = [_without_comments(statement, escapes=escapes, skipping=False) for escapes in modes]
    if _EXECUTED.search(statement):
        found += [_without_comments(statement, escapes=escapes, skipping=True) for escapes in modes]
    return list(dict.fromkeys(found))


def _without_comments(statement: str, *, escapes: bool, skipping: bool) -> str:
    """`skipping`: also without executable comments that not every server executes."""
    parts: list[str] = []
    end = 0
    for piece in pieces(statement, escapes=escapes):
        if piece.lastgroup != "quoted":
            content = _executable_part(piece.group(), skipping=skipping)
            parts += (
                [statement[end : piece.start()], " ", content, " "]
                if content
                else [statement[end : piece.start()], " "]
            )
            end = piece.end()
    return "".join([*parts, statement[end:]]).strip()


def _executable_part(comment: str, *, skipping: bool) -> str:
    found = _EXECUTED.match(comment)
    if found is None:
        return ""
    mariadb, version, words = found.groups()
    in_doubt = bool(mariadb) or len(version) > _DIGITS or int(version or 0) >= _ALWAYS_EXECUTED
    return "" if in_doubt and skipping else str(words).removesuffix("*/")


def _verb(statement: str) -> tuple[str, str]:
    word = _WORD.match(statement)
    return (word.group(1).upper(), statement[word.end() :]) if word else ("", statement)


def _transaction_control(verb: str, rest: str) -> Effect | None:
    following = _verb(rest)[0]
    if verb == "BEGIN" and following in ("", "WORK"):
        return Effect.BEGIN
    if verb == "XA":
        return _XA.get(following, Effect.NONE)
    if verb == "START" and following == "TRANSACTION":
        return Effect.BEGIN
    if verb == "COMMIT":
        return Effect.COMMIT
    if verb == "ROLLBACK":
        words = rest.upper().split()
        return Effect.PARTIAL_ROLLBACK if "TO" in words[:2] else Effect.ROLLBACK
    return None
