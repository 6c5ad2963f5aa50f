"""The target's tables mean what the source's mean, in the server's own words, whatever the target's defaults are."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shardwright.compiler.ddl.target.target_table import WantedTable, target_table
from shardwright.compiler.plan.plan import GeneratedColumn, with_suffix
from shardwright.compiler.sql import sql_text
from shardwright.runtime.mysql.errors import DEPRECATIONS
from shardwright.specs.findings.diagnostics import Findings
from tests.ddl.plans import FOLDER, columns_to_generate, map_columns, read_tables
from tests.servers.testbed import Arena, Server

ROOT = FOLDER.parent.parent
SAKILA = Path(os.environ.get("SAKILA_DIR") or ROOT.parent / "shared" / "data" / "sakila")

_COLUMNS = (
    "SELECT column_name, ordinal_position, column_type, is_nullable, column_default, character_set_name, "
    "collation_name,"
    " REPLACE(extra, 'auto_increment', ''), generation_expression, column_comment, column_key"
    " FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"
)
_KEYS = (
    "SELECT index_name, non_unique, seq_in_index, column_name, sub_part, collation, index_type, index_comment"
    " FROM information_schema.statistics WHERE table_schema = %s AND table_name = %s ORDER BY index_name, seq_in_index"
)
_OPTIONS = (
    "SELECT engine, row_format, table_collation, create_options, table_comment"
    " FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
)
_ADVICE = DEPRECATIONS | {3674}
"""MySQL's, on what it still has, and on spatial indexes without an SRID."""


def _describe(server: Server, database: str, table: str) -> dict[str, list[tuple[Any, ...]]]:
    queries = {"columns": _COLUMNS, "keys": _KEYS, "options": _OPTIONS}
    return {what: server.query(query, (database, table)) for what, query in queries.items()}


def _import(server: Server, database: str) -> str:
    """The schema file that an import would write."""
    found = server.query(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = %s AND table_type = 'BASE TABLE'",
        (database,),
    )
    shown = [server.query(f"SHOW CREATE TABLE `{name}`", database=database)[0][1] for (name,) in found]
    return ";\n\n".join(shown) + ";\n"


def _create_targets(server: Server, schema: str, *, suffix: str) -> Mapping[str, str]:
    """Create the target of each table in a database whose own default is another; the names of sources and targets."""
    server.query("CREATE DATABASE shard DEFAULT CHARACTER SET ucs2")
    made = {}
    for name, source in read_tables(schema).items():
        findings = Findings()
        create = target_table(
            source,
            WantedTable(
                logical=name,
                columns=map_columns(source),
                key=source.primary_key,
                suffixes=(suffix,),
                generated=columns_to_generate(source),
            ),
            findings=findings,
        )
        assert findings.items == []
        with server.connect("shard") as connection, connection.cursor() as cursor:
            cursor.execute("SET SESSION sql_mode = 'STRICT_ALL_TABLES'")
            cursor.execute(with_suffix(sql_text.to_sql(create, "mysql"), suffix))
            cursor.execute("SHOW WARNINGS")
            advice = _ADVICE if server.sandbox.kind == "mysql" else frozenset()
            assert [warning for warning in cursor.fetchall() if warning[1] not in advice] == []
        made[name] = name + suffix
    return made


@pytest.mark.server
def test_b10_every_column_key_and_option_is_kept(arena: Arena) -> None:
    server = arena.targets[0]
    if server.sandbox.kind == "mysql":
        pytest.skip("MariaDB only: these tables, with defaults of TEXT and JSON")
    server.query("CREATE DATABASE shop DEFAULT CHARACTER SET utf8mb4")
    with server.connect("shop") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_mode = 'STRICT_ALL_TABLES'")
        for path in sorted((FOLDER / "tables").glob("*.sql")):
            cursor.execute(path.read_text(encoding="utf-8"))
    made = _create_targets(server, _import(server, "shop"), suffix="_07")
    assert len(made) == 4
    for original, target in made.items():
        assert _describe(server, "shard", target) == _describe(server, "shop", original)


@pytest.mark.server
def test_sakila_tables_keep_their_meaning(arena: Arena) -> None:
    if not (SAKILA / "sakila-schema.sql").is_file():
        pytest.skip(f"no sakila-schema.sql in {SAKILA}: set SAKILA_DIR")
    server = arena.targets[0]
    server.query("CREATE DATABASE sakila")
    with server.connect("sakila") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION foreign_key_checks = 0")
        script = (SAKILA / "sakila-schema.sql").read_text(encoding="utf-8")
        for statement in re.findall(r"^CREATE TABLE .*?;$", script, re.MULTILINE | re.DOTALL):
            cursor.execute(statement)
    made = _create_targets(server, _import(server, "sakila"), suffix="_1")
    assert len(made) == 16
    for original, target in made.items():
        assert _describe(server, "shard", target) == _describe(server, "sakila", original)
    foreign = "SELECT COUNT(*) FROM information_schema.referential_constraints WHERE constraint_schema = %s"
    assert server.query(foreign, ("sakila",))[0][0] > 20
    assert server.query(foreign, ("shard",)) == [(0,)]


SOURCE = """CREATE TABLE `line` (
  `id` int NOT NULL AUTO_INCREMENT,
  `order_id` int NOT NULL REFERENCES orders (id),
  `amt` int NOT NULL,
  `secret` varchar(20) DEFAULT NULL,
  `double_amt` int GENERATED ALWAYS AS (`amt` * 2) STORED,
  `hint` varchar(9) GENERATED ALWAYS AS (concat(`secret`,'x')) VIRTUAL,
  `hint2` varchar(9) GENERATED ALWAYS AS (upper(`hint`)) VIRTUAL,
  `left_out` int GENERATED ALWAYS AS (`amt` + 1) VIRTUAL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `one` (`order_id`,`amt`),
  UNIQUE KEY `two` (`order_id`,`secret`),
  KEY `three` (`amt` DESC,`id`),
  KEY `four` (`secret`),
  CONSTRAINT `five` CHECK (`amt` > 0 and `double_amt` < 1000),
  CONSTRAINT `six` CHECK (`secret` <> ''),
  CONSTRAINT `seven` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


def test_columns_are_projected_and_renamed_everywhere() -> None:
    source = read_tables(SOURCE)["line"]
    findings = Findings()
    create = target_table(
        source,
        WantedTable(
            logical="order_line",
            columns=map_columns(source, without=("secret",), rename={"amt": "amount"}),
            key=("id",),
            suffixes=("_00", "_15"),
            generated=(GeneratedColumn("double_amt", "double_amt", "`amt` * 2"),),
        ),
        findings=findings,
    )
    assert sql_text.to_sql(create, "mysql") + "\n" == (FOLDER / "projected.sql").read_text(encoding="utf-8")
    assert [f"{item.span}: {item.severity} {item.code}: {item.message}" for item in findings.items] == [
        "schema/shop.sql:5:3: warning SW4002: table 'line': unique key 'two' is left out of the target: "
        "it uses 'secret', which is not copied",
        "schema/shop.sql:5:3: warning SW4001: table 'line': index 'four' is left out of the target: "
        "it uses 'secret', which is not copied",
        "schema/shop.sql:5:3: warning SW4003: table 'line': check 'six' is left out of the target: "
        "it uses 'secret', which is not copied",
    ]


REFUSED = {
    "no charset": (
        "CREATE TABLE t (id int PRIMARY KEY, v char(3)) ENGINE=InnoDB",
        "SW4006: table 't' names no character set: the target's default may be another than the source's",
    ),
    "long name of a check": (
        f"CREATE TABLE t (id int PRIMARY KEY, CONSTRAINT {'c' * 62} CHECK (id > 0)) CHARSET=latin1",
        f"SW4005: the name '{'c' * 62}_00' has 65 characters; servers allow 64",
    ),
    "default of a column that is not there": (
        "CREATE TABLE t (id int PRIMARY KEY, gone int, kept int DEFAULT (gone + 1)) CHARSET=latin1",
        "SW4012: column 'kept' needs column 'gone', which is not copied",
    ),
    "text that is our placeholder": (
        "CREATE TABLE t (id int PRIMARY KEY COMMENT 'a ${suffix}') CHARSET=latin1",
        "SW4008: table 't': the text ${suffix} means the suffix in compiled statements",
    ),
    "key is not unique": (
        "CREATE TABLE t (id int, gone int, PRIMARY KEY (id, gone)) CHARSET=latin1",
        "SW4009: table 't': the key (id) is neither the primary key nor a unique key of the target",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_carried_over_is_refused(case: str) -> None:
    text, message = REFUSED[case]
    source = read_tables(text)["t"]
    findings = Findings()
    columns = map_columns(source, without=("gone",))
    target_table(
        source, WantedTable(logical="t", columns=columns, key=("id",), suffixes=("_0", "_00")), findings=findings
    )
    assert [f"{i.code}: {i.message}" for i in findings.items if i.severity == "error"] == [message]


def test_a_lost_primary_key_is_replaced_by_the_rows_key() -> None:
    text = "CREATE TABLE t (id int, gone int, code int NOT NULL UNIQUE, PRIMARY KEY (id, gone)) CHARSET=latin1"
    source = read_tables(text)["t"]
    findings = Findings()
    columns = map_columns(source, without=("gone",))
    create = target_table(source, WantedTable(logical="t", columns=columns, key=("code",)), findings=findings)
    assert [i.code for i in findings.items] == ["SW4010"]
    assert create.sql("mysql") == (
        "CREATE TABLE IF NOT EXISTS `t${suffix}` (`id` INT, `code` INT NOT NULL UNIQUE, PRIMARY KEY (`code`)) "
        "CHARACTER SET=latin1"
    )


TWO = "CREATE TABLE `{}` (`id` int NOT NULL, `a` {}, PRIMARY KEY (`id`)) CHARSET=latin1"


@pytest.mark.parametrize(
    ("definition", "code"),
    [
        ("varchar(20) DEFAULT 'a ${suffix}'", "SW4008"),
        (r"varchar(20) DEFAULT 'a $\{suffix}'", "SW4008"),
        ("varchar(20) COMMENT 'a ${suffix}'", "SW4008"),
        (f"varchar(20) COLLATE {'c' * 65}", "SW4005"),
    ],
)
def test_what_a_column_shares_with_another_tables_is_refused_in_both(definition: str, code: str) -> None:
    tables = read_tables(";\n".join(TWO.format(name, definition) for name in ("t", "u")))
    for name, source in tables.items():
        findings = Findings()
        target_table(source, WantedTable(logical=name, columns=map_columns(source), key=("id",)), findings=findings)
        assert [item.code for item in findings.items] == [code], name


def test_the_sources_statement_stays_as_it_is() -> None:
    source = read_tables(SOURCE)["line"]
    before = source.statement.sql("mysql")
    columns = map_columns(source, without=("secret",), rename={"amt": "amount"})
    for _ in range(2):
        target_table(source, WantedTable(logical="line", columns=columns, key=("id",)), findings=Findings())
    assert source.statement.sql("mysql") == before
