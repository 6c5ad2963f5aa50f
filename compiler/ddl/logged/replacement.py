"""Statements that change which rows a followed table has, or which table goes by its name, without row events
(hazards E17, E19).

Read from words, before and beside the parser: a clause that the parser drops or does not know must not hide another
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sqlglot
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.plan.plan import Plan

_QUOTED = frozenset({TokenType.IDENTIFIER, TokenType.STRING})
_EITHER = "?"
"""Stands for a quoted name or text: it is never a word of the statement."""
_TABLE = r"(?:ONLINE )?(?:IGNORE )?TABLES? "
_WHOLE = (
    (r"DROP (?:TABLES?|SEQUENCE|VIEW) ", "is dropped"),
    (r"TRUNCATE ", "is emptied (TRUNCATE)"),
    (r"RENAME TABLES? ", "gets or gives away its name (RENAME)"),
    (r"CREATE (?:OR REPLACE )?SEQUENCE ", "becomes a sequence"),
    (r"REPAIR ", "may lose rows (REPAIR)"),
)
_CLAUSES = (
    (r" RENAME (?!COLUMN |INDEX |KEY )", "gets or gives away its name (RENAME)"),
    (r" (?:DROP|TRUNCATE|EXCHANGE|CONVERT|DISCARD|IMPORT|REPAIR) PARTITION ", "gets or loses the rows of a partition"),
    (r" CONVERT TABLE ", "becomes a partition of another table"),
    (r" (?:DISCARD|IMPORT) TABLESPACE ", "gets other rows with its tablespace"),
    (r" ENGINE = (?!INNODB )", "gets another engine, which need not keep its rows"),
    (r" ENGINE (?=(?:BLACKHOLE|FEDERATED|CONNECT|SPIDER|MEMORY|MERGE|MRG_MYISAM|ARCHIVE|CSV|NDB|NDBCLUSTER|S3) )",
     "gets another engine, which need not keep its rows"),
    (r" UNION (?:= )?\( ", "can be written through another table (UNION)"),
    (r"^ALTER (?:ONLINE )?IGNORE ", "may lose rows (ALTER IGNORE)"),
)  # fmt: skip
_MERGED = (r"^(?>.*? ENGINE (?:= )?(?:MERGE|MRG_MYISAM) ).*UNION ", "can be written through another table (UNION)")
_FILLED = (r" START TRANSACTION $", "is created again, with rows")
_DATABASE = re.compile(
    r"(?:DROP (?:DATABASE|SCHEMA) |CREATE OR REPLACE (?:DATABASE|SCHEMA) |ALTER (?:DATABASE|SCHEMA) .*UPGRADE DATA DIRECTORY NAME )"  # noqa: E501
)
_OLD_SPELLING = "#mysql50#"


def require_rows_stay(text: str, database: str, plan: Plan) -> None:
    """Raises CannotFollow when the statement is known to change a followed table's rows or identity. Version comments
    are not read: what reads the statement next refuses them."""
    try:
        tokens = _tokens(text)
    except TokenError:
        return
    words = "".join(f"{word} " for token in tokens for word in _words(token))
    if _DATABASE.match(words):
        mentioned = {token.text.removeprefix(_OLD_SPELLING).lower() for token in tokens}
        gone = [
            str(source) for table in plan.tables for source in table.sources if source.database.lower() in mentioned
        ]
        if gone:
            raise _replacement_error(gone, "is in a database that is dropped, replaced or renamed")
    about = _find_names(tokens, database, plan)
    if not about:
        return
    for pattern, what in _WHOLE:
        if re.match(pattern, words):
            raise _replacement_error(about, what)
    if not re.match(rf"ALTER {_TABLE}|CREATE (?:OR REPLACE )?TABLE ", words):
        return
    for pattern, what in _CLAUSES if words.startswith("ALTER ") else (_MERGED, _FILLED):
        if re.search(pattern, words):
            raise _replacement_error(about, what)


def find_followed_names(text: str, database: str, plan: Plan) -> list[str]:
    """The followed tables that a statement names; nothing when it cannot be cut into words."""
    try:
        return _find_names(_tokens(text), database, plan)
    except TokenError:
        return []


def _find_names(tokens: list[Token], database: str, plan: Plan) -> list[str]:
    followed = {str(source).lower(): str(source) for table in plan.tables for source in table.sources}
    databases = {source.database.lower() for table in plan.tables for source in table.sources}
    return list(dict.fromkeys(followed[name] for name in _names(tokens, database, databases) if name in followed))


def _replacement_error(tables: list[str], what: str) -> CannotFollow:
    return CannotFollow("SW8542", f"{', '.join(tables)} {what}", understood=True)


def _tokens(text: str) -> list[Token]:
    tokens = sqlglot.tokenize(text, dialect="mysql")
    if tokens and tokens[0].text.upper() == "RENAME":  # the tokenizer takes the rest for one text
        return [tokens[0], *sqlglot.tokenize(text[tokens[0].end + 1 :], dialect="mysql")]
    return tokens


def _words(token: Token) -> list[str]:
    return [_EITHER] if token.token_type in _QUOTED else token.text.upper().split()


def _names(tokens: list[Token], database: str, databases: set[str]) -> Iterator[str]:
    """Every name that could be a table's of one of `databases`, as "database.table" in lower case; one without a
    database is taken for a table of the session's, and for one of the database that the statement itself names first
    (the servers
    differ
    on what RENAME TO then means)."""
    texts = [token.text.lower() for token in tokens]
    owners = {database.lower()} & databases
    for at, text in enumerate(texts):
        if at + 2 < len(texts) and texts[at + 1] == ".":
            yield f"{text}.{texts[at + 2]}"
            if not database and text in databases:
                owners.add(text)
    for at, text in enumerate(texts):
        if (at == 0 or texts[at - 1] != ".") and (at + 1 == len(texts) or texts[at + 1] != "."):
            yield from (f"{owner}.{text}" for owner in owners)
