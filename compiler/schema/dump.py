"""From a script that makes a database, such as a dump or a program's own schema file: a schema file of CREATE TABLE
statements alone. Indexes and keys that later statements add are put into their tables. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from shardwright.compiler.sql.server_lexer import Kind, Word, create_table, group_brackets, statements_of
from shardwright.specs.files.sql_pieces import BLOCK_COMMENT

_ROUTINES: Final = frozenset({"PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"})
_KEYS: Final = frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "INDEX", "KEY", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK"})
_SYNONYMS: Final = {
    "INT1": "tinyint",
    "INT2": "smallint",
    "INT3": "mediumint",
    "MIDDLEINT": "mediumint",
    "INT4": "int",
    "INT8": "bigint",
    "FLOAT4": "float",
    "FLOAT8": "double",
    "DOUBLE PRECISION": "double",
    "CHARACTER VARYING": "varchar",
    "CHAR VARYING": "varchar",
    "LONG": "mediumtext",
    "LONG VARCHAR": "mediumtext",
    "LONG VARBINARY": "mediumblob",
}
"""Types as servers print them. Longer ones go first."""
_OF_MARIADB: Final = {"JSON": "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"}
"""MariaDB keeps JSON as text."""
COLLATIONS: Final = {"mysql": "utf8mb4_0900_ai_ci", "mariadb": "utf8mb4_general_ci"}
"""Of a table whose statement names neither character set nor collation: there it is the database's, which a script does
not say. These are the defaults of servers as they are installed."""
_DEFAULTS: Final = {
    "latin1": "latin1_swedish_ci",
    "latin2": "latin2_general_ci",
    "big5": "big5_chinese_ci",
    "gbk": "gbk_chinese_ci",
    "gb2312": "gb2312_chinese_ci",
    "gb18030": "gb18030_chinese_ci",
    "sjis": "sjis_japanese_ci",
    "ujis": "ujis_japanese_ci",
    "euckr": "euckr_korean_ci",
    "swe7": "swe7_swedish_ci",
    "tis620": "tis620_thai_ci",
    "binary": "binary",
}
"""Character set -> its default collation, where it is not called _general_ci."""
_CHARSET: Final = re.compile(r"\b(?:CHARSET|CHARACTER\s+SET)\s*=?\s*['\"]?(?P<name>\w+)", re.IGNORECASE)
_COLLATE: Final = re.compile(r"\bCOLLATE\b", re.IGNORECASE)
_DELIMITER: Final = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_VERSION_COMMENT: Final = re.compile(rf"/\*!\d*(?P<inside>(?:(?!/\*|\*/).|{BLOCK_COMMENT})*)\*/", re.DOTALL)
_HARMLESS: Final = frozenset(
    {"SET", "USE", "DROP", "INSERT", "REPLACE", "LOCK", "UNLOCK", "COMMIT", "START", "BEGIN", "DELIMITER", "UPDATE",
     "DELETE", "SELECT", "GRANT", "FLUSH", "ANALYZE", "DATABASE", "SCHEMA", "VIEW", "END"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SchemaScript:
    """`text` is a schema file. `left_out` are the beginnings of statements that may matter and are not in it."""

    text: str
    tables: int
    left_out: tuple[str, ...]
    without_collation: int
    """So many tables name no collation, and got a default one."""


@dataclass(slots=True)
class _Table:
    name: str
    head: str
    """Up to the bracket that closes the definitions."""
    tail: str
    elements: list[str] = field(default_factory=list)
    """Those of later statements."""

    @property
    def names_collation(self) -> bool:
        return _COLLATE.search(self.tail) is not None

    def text(self, collation: str) -> str:
        """`collation`: of a table that names neither it nor a character set."""
        more = "".join(f",\n  {element}" for element in self.elements)
        options = "" if self.names_collation else f" {self._default_options(collation)}"
        tail = f"){options} {self.tail.strip().removeprefix(')').strip()}".rstrip()
        return f"CREATE TABLE {_quote(self.name)} ({self.head.rstrip()}{more}\n{tail};\n"

    def _default_options(self, collation: str) -> str:
        charset = _CHARSET.search(self.tail)
        if charset is None:
            return f"DEFAULT CHARSET={collation.partition('_')[0]} COLLATE={collation}"
        named = charset["name"].lower()
        if named == collation.partition("_")[0]:
            return f"COLLATE={collation}"
        return f"COLLATE={_DEFAULTS.get(named, f'{named}_general_ci')}"


def read_script(text: str, *, dialect: str) -> SchemaScript:
    """The tables of the script, in its order; of two with one name the first. `dialect`: mysql or mariadb."""
    tables: dict[str, _Table] = {}
    left_out: list[str] = []
    text = _without_routines(text)
    synonyms = {**_SYNONYMS, **_OF_MARIADB} if dialect == "mariadb" else _SYNONYMS
    for words in _statements(text):
        if (made := _read_create(words, text, synonyms)) is not None:
            tables.setdefault(made.name.lower(), made)
        elif not _add_to_table(words, text, tables) and not _is_harmless(words):
            left_out.append(" ".join(text[words[0].start : words[-1].end].split())[:80])
    body = "\n".join(table.text(COLLATIONS[dialect]) for table in tables.values())
    unnamed = sum(not table.names_collation for table in tables.values())
    return SchemaScript(body, len(tables), tuple(left_out), unnamed)


def _without_routines(text: str) -> str:
    """Without what stands between another delimiter and the semicolon's return: routines and triggers."""
    parts = _DELIMITER.split(text)  # text, delimiter, text, delimiter, ...
    kept = [parts[0], *(part for mark, part in zip(parts[1::2], parts[2::2], strict=True) if mark == ";")]
    return "\n".join(kept)


def _statements(text: str) -> Iterator[list[Word]]:
    """Those outside of routines, whose bodies have statements of their own."""
    inside = False
    for statement in statements_of(text):
        upper = [word.upper for word in statement if word.kind not in (Kind.OPEN, Kind.CLOSE)]
        if inside:
            inside = upper[:1] != ["END"] or upper[1:2] in (["IF"], ["LOOP"], ["CASE"], ["WHILE"], ["REPEAT"])
            continue
        if upper[:1] == ["CREATE"] and _ROUTINES & set(upper[:12]):
            inside = "BEGIN" in upper
            continue
        yield statement


def _read_create(words: list[Word], text: str, synonyms: Mapping[str, str]) -> _Table | None:
    table = create_table(words)
    if table is None or not table.elements or "TEMPORARY" in [word.upper for word in words[:4]]:
        return None
    closing = text.index(")", table.elements[-1][-1].end)
    head = _with_printed_types(text, (table.opening.end, closing), table.elements, synonyms)
    return _Table(table.name.text, _without_comments(head), _without_comments(text[closing : table.end]))


def _with_printed_types(
    text: str, within: tuple[int, int], elements: Sequence[Sequence[Word]], synonyms: Mapping[str, str]
) -> str:
    """The definitions in a part of the text, with types called as servers print them."""
    at, end = within
    parts = []
    for element in elements:
        for count in (2, 1):
            kind = " ".join(word.upper for word in element[1 : 1 + count])
            if len(element) > count and kind in synonyms:
                parts += [text[at : element[1].start], synonyms[kind]]
                at = element[count].end
                break
    return "".join([*parts, text[at:end]])


def _without_comments(text: str) -> str:
    """Without comments; what every server of this kind executes of them stays."""
    opened = _VERSION_COMMENT.sub(lambda found: found["inside"], text)
    return re.sub(rf"(?!/\*M!){BLOCK_COMMENT}", " ", opened)


def _add_to_table(words: Sequence[Word], text: str, tables: dict[str, _Table]) -> bool:
    """Whether the statement adds nothing but keys to known tables, and they have them now."""
    plain = [word for word in words if word.kind not in (Kind.OPEN, Kind.CLOSE)]
    upper = [word.upper for word in plain]
    if upper[:1] == ["CREATE"] and "INDEX" in upper[1:4] and "ON" in upper:
        return _add_index(plain, upper, text, tables)
    if upper[:2] == ["ALTER", "TABLE"]:
        return _add_clauses(plain, text, tables)
    return False


def _add_index(words: Sequence[Word], upper: Sequence[str], text: str, tables: dict[str, _Table]) -> bool:
    at, on = upper.index("INDEX"), upper.index("ON")
    name, brackets = _table_name(words, on + 1)
    if name not in tables or at + 1 >= on or brackets >= len(words):
        return False
    kind = "".join(f"{word} " for word in upper[1:at] if word in ("UNIQUE", "FULLTEXT", "SPATIAL"))
    columns = text[words[brackets].start : words[-1].end]
    tables[name].elements.append(f"{kind}KEY {_quote(words[at + 1].text)} {columns}")
    return True


def _add_clauses(words: Sequence[Word], text: str, tables: dict[str, _Table]) -> bool:
    name, start = _table_name(words, 3 if words[2].upper == "ONLY" else 2)
    if name not in tables:
        return False
    found = []
    for clause in _clauses(tuple(words[start:])):
        upper = [word.upper for word in clause]
        if upper[:1] == ["ADD"] and upper[1:2] and upper[1] in _KEYS:
            found.append(text[clause[1].start : clause[-1].end])
        elif not _changes_nothing(upper):
            return False
    tables[name].elements += found
    return True


def _changes_nothing(upper: Sequence[str]) -> bool:
    """Clauses that mean nothing for where rows go: keys switched off and on, the next number, the engine."""
    return bool(upper) and upper[0] in ("DISABLE", "ENABLE", "AUTO_INCREMENT", "ENGINE", "COMMENT", "ORDER")


def _clauses(words: tuple[Word, ...]) -> Iterator[list[Word]]:
    clause: list[Word] = []
    for group in group_brackets(words):
        if len(group) == 1 and group[0].upper == ",":
            yield clause
            clause = []
        else:
            clause += group
    if clause:
        yield clause


def _table_name(words: Sequence[Word], at: int) -> tuple[str, int]:
    """The table's name in small letters, without its database, and the place behind it."""
    if at + 2 < len(words) and words[at + 1].upper == ".":
        at += 2
    return (words[at].text.lower(), at + 1) if at < len(words) else ("", at)


def _is_harmless(words: Sequence[Word]) -> bool:
    upper = [word.upper for word in words if word.kind not in (Kind.OPEN, Kind.CLOSE)]
    return not upper or upper[0] in _HARMLESS or (upper[0] == "CREATE" and bool(_HARMLESS & set(upper[1:9])))


def _quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
