"""Hypothesis strategies for projects that are mostly valid and always hostile: names, schema files, specs,
expressions.
"""

from __future__ import annotations

import random

from hypothesis import strategies as st

from tests.compiler.hostile_names import COLUMNS as COLUMN_NAMES
from tests.compiler.hostile_names import REFUSED, quote
from tests.compiler.hostile_names import TABLES as TABLE_NAMES
from tests.sharding.random_expressions import random_expression
from tests.sharding.typed_columns import COLUMNS

_ALLOWED = (*COLUMN_NAMES, *TABLE_NAMES, "A", "Ａ", "ß", "ſ", "null", "true", "1", "1e5", "\\", "user id")
_REFUSED = (*REFUSED, "sw_batch", "_sw_stage_x", "${keys}", " ", "a\x00b", "\u200b", "x" * 300)
_WORDS = (*_ALLOWED, *_REFUSED)
_LETTERS = "`'\"; -/*#.$\\%@名aZ0"
Words = st.SearchStrategy[str]


def mostly(usual: Words, rare: Words) -> Words:
    """Rare enough that most projects, which draw from dozens of these, hold nothing that is refused."""
    return st.integers(0, 99).flatmap(lambda number: rare if number == 57 else usual)


names = mostly(
    st.one_of(st.sampled_from(_ALLOWED), st.text(st.sampled_from(_LETTERS), min_size=1, max_size=8).map(str.strip)),
    st.one_of(st.sampled_from(_REFUSED), st.text(max_size=8)),
)

types = mostly(
    st.sampled_from(
        (
            *(
                "bigint NOT NULL",
                "int unsigned NOT NULL",
                "tinyint(1)",
                "varchar(20) COLLATE utf8mb4_bin NOT NULL",
                "char(36)",
            ),
            *("varchar(255) CHARACTER SET latin1 NOT NULL", "text", "longblob", "decimal(65,30)", "float", "double"),
            *(
                "datetime(6) NOT NULL",
                "timestamp",
                "timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP",
                "time(3)",
            ),
            *("year", "date DEFAULT '0000-00-00'", "enum('a','b''c','')", "set('x','y')", "bit(64)", "int(5) zerofill"),
            *("binary(16) NOT NULL", "varbinary(300) NOT NULL", "char(36) DEFAULT (uuid())", "boolean"),
            *("varchar(9) COMMENT 'a; -- b'", "int DEFAULT 7", "varchar(20) DEFAULT 'it''s `x`; --'"),
            "bigint REFERENCES other (id) ON DELETE CASCADE",
        )
    ),
    st.sampled_from(
        (
            *(
                "json",
                "geometry",
                "point NOT NULL",
                "serial",
                "uuid",
                "inet6",
                "varchar(16383)",
                "int INVISIBLE",
                "nothing",
                "",
            ),
            *("int GENERATED ALWAYS AS (id + 1) STORED", "varchar(20) DEFAULT '${suffix}'", "varbinary(3072) NOT NULL"),
            *("varchar(9) COMMENT '/*! b */'", "int CHECK (id > 0)", "bigint AUTO_INCREMENT"),
        )
    ),
)
options = mostly(
    st.sampled_from(
        (
            " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
            " ENGINE=MyISAM DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
        )
    ),
    st.sampled_from(("", " PARTITION BY HASH (id) PARTITIONS 4", " COMMENT='x;`'")),
)


@st.composite
def tables(draw: st.DrawFn, name: str) -> tuple[str, list[str]]:
    """A CREATE TABLE and its columns' names, of which the first two are `id` and `user_id`."""
    columns = ["id", "user_id", *draw(st.lists(names, max_size=4, unique_by=str.casefold))]
    usual = st.sampled_from(("bigint NOT NULL", "int unsigned NOT NULL", "varchar(20) COLLATE utf8mb4_bin NOT NULL"))
    kinds = [draw(mostly(usual, st.sampled_from(("int", "varchar(9) NOT NULL", "double NOT NULL")))) for _ in range(2)]
    kinds += [draw(types) for _ in columns[2:]]
    lines = [f"  {quote(column)} {kind}" for column, kind in zip(columns, kinds, strict=True)]
    lines += draw(st.lists(keys(columns), max_size=3))
    if draw(st.integers(0, 99)) != 57:
        lines.append("  PRIMARY KEY (`id`)")
    body = ",\n".join(lines)
    return f"CREATE TABLE {quote(name)} (\n{body}\n){draw(options)};\n", columns


@st.composite
def keys(draw: st.DrawFn, columns: list[str]) -> str:
    column, name = quote(draw(st.sampled_from(columns[:2]))), quote(draw(names))
    usual = (
        *(f"KEY {name} ({column})", f"UNIQUE KEY {name} ({column})", f"UNIQUE KEY {name} (`user_id`, `id`)"),
        f"CONSTRAINT {name} FOREIGN KEY ({column}) REFERENCES `t` (`id`) ON DELETE SET NULL ON UPDATE CASCADE",
        f"CONSTRAINT {name} CHECK ({column} <> 'x')",
    )
    rare = (
        *(f"UNIQUE KEY {name} ({column}(3), id)", f"FULLTEXT KEY {name} ({column})", f"SPATIAL KEY ({column})"),
        *(
            f"KEY {name} ((lower({column})))",
            f"UNIQUE ({column} DESC, id)",
            f"PRIMARY KEY ({column})",
            f"KEY {name} (nothing)",
        ),
    )
    return "  " + draw(mostly(st.sampled_from(usual), st.sampled_from(rare)))


expressions = st.sampled_from(
    (
        "crc32(user_id) % 2",
        "crc32(concat(user_id, '`;''--')) div 2 % 2",
        "crc32(`user_id`) % 2",
        "(crc32(user_id)) mod 2",
    )
)
hostile_expressions = st.one_of(
    st.integers(0, 10**9).map(lambda seed: f"({random_expression(random.Random(seed))}) % 2"),
    st.sampled_from(
        (
            *("1; DROP TABLE x", "user_id -- x", "/*! 1 */ 0", "(SELECT 1)", "sleep(9)", "load_file('/etc/passwd')"),
            *(
                "user_id % 0",
                "-user_id % 2",
                "rand() % 2",
                "@x % 2",
                "`a``b` % 2",
                "'${suffix}' % 2",
                "1e400 % 2",
                "(" * 300,
            ),
            *(
                "crc32(crc32(user_id)) % 2",
                "user_id % 2 INTO OUTFILE 'x'",
                "\u202euser_id % 2",
                "x" * 5000,
                "",
                "user_id %",
            ),
        )
    ),
    st.text(st.sampled_from("user_id()%2+-*/ '`\";crc32,"), max_size=20),
)


@st.composite
def entries(draw: st.DrawFn, name: str, columns: list[str]) -> dict[str, object]:
    entry: dict[str, object] = {"table": name}
    entry["sharding"] = draw(
        st.sampled_from(
            ("rule", "rule", "rule", "broadcast", {"single": "part_0"}, {"rule": "rule", "shard_key": ["id"]})
        )
    )
    if draw(st.booleans()):
        chosen: dict[str, object] = {}
        if draw(st.booleans()):
            chosen["rename"] = {draw(st.sampled_from(columns)): draw(names)}
        if len(columns) > 2 and draw(st.booleans()):
            chosen["exclude"] = [draw(st.sampled_from(columns[2:]))]
        entry["columns"] = chosen
    if draw(st.booleans()):
        entry["weight"] = draw(st.integers(0, 1000))
    if draw(st.booleans()):
        entry["deletes"] = draw(st.sampled_from(("immediate", "until_snapshot")))
    if draw(st.booleans()):
        entry["version_column"] = draw(mostly(st.just("id"), st.sampled_from(columns)))
    if draw(st.integers(0, 9)) == 5:
        entry["to"] = draw(names)
    if draw(st.integers(0, 9)) == 5:
        entry["key"] = draw(st.lists(st.sampled_from(columns), min_size=1, max_size=2))
    return entry


@st.composite
def projects(draw: st.DrawFn) -> tuple[dict[str, object], str]:
    """The document of a spec, and a schema file."""
    called = ["t", *draw(st.lists(names.filter(lambda name: name.casefold() != "t"), max_size=1))]
    made = [draw(tables(name)) for name in called]
    rule: dict[str, object] = {"shard_key": ["user_id"]}
    if draw(st.integers(0, 4)):
        part = st.integers(0, 9).flatmap(lambda number: hostile_expressions if number == 5 else expressions)
        rule |= {"database": draw(part), "table": draw(part)}
    else:
        rule["algorithm"] = draw(mostly(st.just("crc32_mod"), st.sampled_from(("mod", "hash_mod", "nothing"))))
    document = {
        "version": 1,
        "migration": draw(mostly(st.just("fuzz"), st.sampled_from(("a/../b", "A", "")))),
        "source": {
            "dialect": draw(st.sampled_from(("mariadb", "mysql"))),
            "databases": ["shop"],
            "schema": "schema.sql",
        },
        "target": {
            "databases": draw(mostly(st.just("part_{0..1}"), st.sampled_from(("p`_{0..1}", "part_{1..0}", "{0..1}")))),
            "tables_suffix": draw(
                mostly(st.just("_{0..1}"), st.sampled_from(("`_{0..1}", "${suffix}_{0..1}", "'{0..1}")))
            ),
        },
        "sharding": {"rule": rule},
        "tables": [draw(entries(name, columns)) for name, (_, columns) in zip(called, made, strict=True)],
    }
    return document, "".join(text for text, _ in made)


@st.composite
def spoil(draw: st.DrawFn, text: str) -> str:
    """The text with a piece cut out and another put in."""
    start = draw(st.integers(0, len(text)))
    length = draw(st.integers(0, 12))
    piece = draw(st.one_of(st.sampled_from((*_WORDS, *(column for column in COLUMNS), ";", "(", ")", "'", "`", "/*", "-- ")),
                           st.text(max_size=6)))  # fmt: skip
    return text[:start] + piece + text[start + length :]
