"""One file for an application: the places of all tables of a migration, in a programming language. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.router.emit import Emitter
from shardwright.compiler.router.go import GO, GO_FILE
from shardwright.compiler.router.java import JAVA, JAVA_FILE
from shardwright.compiler.router.language import Language, read_sections
from shardwright.compiler.router.layout import FileLayout
from shardwright.compiler.router.lower import lower
from shardwright.compiler.router.model import BUCKET_TABLE, SWITCH_TABLE, RoutedTable, Router
from shardwright.compiler.router.php import PHP, PHP_FILE
from shardwright.compiler.router.python import PYTHON, PYTHON_FILE
from shardwright.compiler.router.refusal import NotExpressible, NotRouted
from shardwright.compiler.router.typescript import TYPESCRIPT, TYPESCRIPT_FILE, with_types, without_types
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sql import sql_text

FILE_NAMES: Mapping[str, str] = {
    "python": "shard_router.py",
    "java": "ShardRouter.java",
    "go": "shard_router.go",
    "typescript": "shard_router.ts",
    "javascript": "shard_router.mjs",
    "php": "ShardRouter.php",
}
"""By format."""

_BUCKET_SECTION = "bucket_functions"
_ONE_LINE = re.compile(r"[^\w (),.:-]")
"""What a comment does not repeat of a name."""

LANGUAGES: Mapping[str, tuple[Language, FileLayout]] = {
    "python": (PYTHON, PYTHON_FILE),
    "java": (JAVA, JAVA_FILE),
    "go": (GO, GO_FILE),
    "typescript": (TYPESCRIPT, TYPESCRIPT_FILE),
    "php": (PHP, PHP_FILE),
}


def library(router: Router, form: str) -> str:
    """The text of the file in one of FILE_NAMES. Raises NotRouted."""
    if form == "javascript":
        return without_types(_library(router, "typescript"))
    text = _library(router, form)
    return with_types(text) if form == "typescript" else text


def _library(router: Router, name: str) -> str:
    language, layout = LANGUAGES[name]
    made = _Functions(language)
    entries = [layout.entry(table, made.find(table), router) for table in router.tables]
    sections = read_sections(language.name)
    buckets = _bucket_functions(router, language, layout, made)
    functions = made.with_comments()
    helpers = sections.find_used("\n".join([*made.constants, *functions]))
    imports = sorted({line for helper in ("frame", *helpers) for line in sections.imports[helper]})
    return layout.file(
        {
            "IMPORTS": layout.imports(imports),
            "MIGRATION": language.quote(router.migration),
            "FINGERPRINT": language.quote(router.fingerprint),
            "DATABASES": layout.names(router.databases),
            "SWITCH_QUERY": language.quote(switch_query(router.migration)),
            "SWITCH_DATABASES": layout.names(router.ledgers),
            "CONSTANTS": layout.lines(made.constants),
            "FUNCTIONS": layout.blocks(functions),
            "TABLES": layout.lines(entries),
            "HELPERS": layout.blocks([*(sections.helpers[helper].rstrip() for helper in helpers), *buckets]),
        },
        sections.frame,
    )


def _bucket_functions(router: Router, language: Language, layout: FileLayout, made: _Functions) -> tuple[str, ...]:
    """What an application needs while buckets move one by one; nothing where the rules have none."""
    if not router.buckets:
        return ()
    entries = [layout.bucket_of(layout.quote(table.logical), made.find_bucket(table)) for table in router.tables]
    holes = {
        "BUCKETS": str(router.buckets),
        "BUCKET_QUERY": language.quote(bucket_query(router.migration)),
        "BUCKET_ENTRIES": layout.lines(entries),
    }
    text = read_sections(language.name).helpers[_BUCKET_SECTION].rstrip()
    for name, filling in holes.items():
        text = text.replace(f"@{name}@", filling)
    return (text,)


@dataclass(slots=True)
class _Functions:
    """One for all tables with the same sharding function and key. `constants` are what they look at."""

    language: Language
    constants: list[str] = field(default_factory=list)
    _names: dict[tuple[int, tuple[tuple[str, str], ...]], str] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _tables: dict[str, list[RoutedTable]] = field(default_factory=dict)

    def find(self, table: RoutedTable) -> str | None:
        """The name of the function that places the table's rows. Raises NotRouted."""
        return None if table.function is None else self._find(table, table.function, "place", table.key)

    def find_bucket(self, table: RoutedTable) -> str:
        """The name of the function that gives a row's bucket. Raises NotRouted."""
        assert table.bucket is not None
        return self._find(table, table.bucket, "bucket", table.bucket_key)

    def _find(self, table: RoutedTable, function: ShardFunction, stem: str, key: tuple[tuple[str, str], ...]) -> str:
        name = self._names.setdefault((id(function), key), f"{stem}{len(self._names) + 1}")
        self._tables.setdefault(name, []).append(table)
        if name not in self._texts:
            self._texts[name] = self._emit(name, table, function, key)
        return name

    def _emit(self, name: str, table: RoutedTable, function: ShardFunction, key: tuple[tuple[str, str], ...]) -> str:
        emitter = Emitter(self.language, dict(key), name, self.constants)
        try:
            return emitter.function(lower(function.database), lower(function.table))
        except NotExpressible as missing:
            message = f"{self.language.name} cannot compute the rule of '{table.logical}' exactly: {missing}"
            hint = "let a service in another language answer, or hash the key's text: crc32(...) % n"
            raise NotRouted("SW5301", table.logical, message, hint) from None

    def with_comments(self) -> list[str]:
        """The functions, each with the tables that it is for and the key that it wants."""
        return [f"{self._comment(self._tables[name])}\n{text}" for name, text in self._texts.items()]

    def _comment(self, tables: list[RoutedTable]) -> str:
        key = ", ".join(name for _, name in tables[0].key)
        names = [table.logical + (f" (of its row of {table.parent})" if table.parent else "") for table in tables]
        text = _ONE_LINE.sub(" ", f"{', '.join(names)}: by {key}" if key else ", ".join(names))
        return f"{' ' * self.language.indent}{self.language.comment} {text}"


def switch_query(migration: str) -> str:
    """The statement that reads the switch row, in the database of a ledger."""
    return _query(migration, SWITCH_TABLE, "writes_to", "generation")


def bucket_query(migration: str) -> str:
    """The statement that reads who may write each bucket, in the same database."""
    return _query(migration, BUCKET_TABLE, "bucket", "writer", "generation")


def _query(migration: str, table: str, *names: str) -> str:
    wanted = sql_text.equal(sql_text.column("migration"), sql_text.text(migration))
    query = exp.select(*map(sql_text.column, names)).from_(sql_text.table(table)).where(wanted)
    return " ".join(sql_text.to_sql(query, "mysql").split())
