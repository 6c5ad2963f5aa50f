"""Hypothesis strategies for projects that are mostly valid and always hostile: names, schema files, specs, expressions."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from tests.compiler.hostile_names import quoted
from tests.sharding.random_expressions import random_expression
from tests.sharding.typed_columns import COLUMNS

_WORDS = ("select", "table", "key", "order", "user_id", "id", "sw_batch", "_sw_stage_x", "${suffix}", "${keys}", "x" * 64,
          "x" * 65, "名前", "é", "a`b", "a'b", 'a"b', "a;b", "-- x", "/*!80000 x */", "\u202eabc", "a\x00b", "a\nb", " ", "",
          "A", "a", "Ａ", "ß", "ſ", "null", "true", "1", "1e5", "%s", "{x}", "@x", "a.b", "\\", "\u200b")  # fmt: skip
_LETTERS = "`'\"; -/*#.${}\\\n%@名aZ0\u202e\x00\t"

names = st.one_of(
    st.sampled_from(("id", "user_id", "a", "b", "amount", "note")),
    st.sampled_from(_WORDS),
    st.text(st.sampled_from(_LETTERS), min_size=1, max_size=8),
)

types = st.sampled_from(
    (
        *(
            "bigint NOT NULL",
            "int unsigned NOT NULL",
            "tinyint(1)",
            "varchar(20) COLLATE utf8mb4_bin NOT NULL",
            "char(36)",
        ),
        *(
            "varchar(255) CHARACTER SET latin1 NOT NULL",
            "text",
            "longblob",
            "decimal(65,30)",
            "float",
            "double",
            "bit(64)",
        ),
        *("datetime(6) NOT NULL", "timestamp", "timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP", "time(3)"),
        *(
            "year",
            "date DEFAULT '0000-00-00'",
            "enum('a','b''c','')",
            "set('x','y')",
            "json",
            "geometry",
            "point NOT NULL",
        ),
        *("binary(16) NOT NULL", "varbinary(3072) NOT NULL", "bigint unsigned NOT NULL AUTO_INCREMENT", "serial"),
        *("int GENERATED ALWAYS AS (id + 1) STORED", "char(36) DEFAULT (uuid())", "int(5) zerofill", "uuid", "inet6"),
        *("varchar(20) DEFAULT '${suffix}'", "varchar(9) COMMENT 'a; -- /*! b */'", "int CHECK (id > 0)", "boolean"),
        *("bigint REFERENCES other (id) ON DELETE CASCADE", "varchar(16383)", "int INVISIBLE", "nothing", ""),
    )
)
options = st.sampled_from(
    (
        *(" ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",) * 6,
        *(" ENGINE=MyISAM DEFAULT CHARSET=latin1", "", " PARTITION BY HASH (id) PARTITIONS 4", " COMMENT='x;`'"),
    )
)


@st.composite
def tables(draw: st.DrawFn, name: str) -> tuple[str, list[str]]:
    """A CREATE TABLE and its columns' names, of which the first two are `id` and `user_id`."""
    columns = ["id", "user_id", *draw(st.lists(names, max_size=4))]
    kinds = [draw(st.sampled_from(("bigint NOT NULL",) * 5 + ("varchar(20) NOT NULL", "int"))) for _ in range(2)]
    kinds += [draw(types) for _ in columns[2:]]
    lines = [f"  {quoted(column)} {kind}" for column, kind in zip(columns, kinds, strict=True)]
    lines += draw(st.lists(keys(columns), max_size=3))
    if draw(st.integers(0, 9)):
        lines.append("  PRIMARY KEY (`id`)")
    body = ",\n".join(lines)
    return f"CREATE TABLE {quoted(name)} (\n{body}\n){draw(options)};\n", columns


@st.composite
def keys(draw: st.DrawFn, columns: list[str]) -> str:
    column, name = quoted(draw(st.sampled_from(columns))), quoted(draw(names))
    return "  " + draw(
        st.sampled_from(
            (
                *(f"KEY {name} ({column})", f"UNIQUE KEY {name} ({column})", f"UNIQUE KEY {name} ({column}(3), id)"),
                *(f"FULLTEXT KEY {name} ({column})", f"SPATIAL KEY ({column})", f"KEY ((lower({column})))"),
                f"CONSTRAINT {name} FOREIGN KEY ({column}) REFERENCES `t` (`id`) ON DELETE SET NULL ON UPDATE CASCADE",
                *(
                    f"CONSTRAINT {name} CHECK ({column} <> 'x')",
                    f"UNIQUE ({column} DESC, id)",
                    f"PRIMARY KEY ({column})",
                ),
            )
        )
    )


expressions = st.one_of(
    st.sampled_from(("crc32(user_id) % 2", "user_id % 2", "crc32(id) % 2", "0", "mod(user_id, 2)")),
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
        if draw(st.booleans()):
            chosen["exclude"] = [draw(st.sampled_from(columns))]
        entry["columns"] = chosen
    for key, strategy in (
        ("to", names),
        ("key", st.lists(st.sampled_from(columns), min_size=1, max_size=2)),
        ("version_column", st.sampled_from(columns)),
        ("weight", st.integers(-3, 10**6)),
        ("deletes", st.sampled_from(("immediate", "until_snapshot", "ignore", {"policy": "delay", "delay": "1m"}))),
    ):
        if draw(st.integers(0, 5)) == 0:
            entry[key] = draw(strategy)
    return entry


@st.composite
def projects(draw: st.DrawFn) -> tuple[dict[str, object], str]:
    """The document of a spec, and a schema file."""
    called = ["t", *draw(st.lists(names, max_size=1))]
    made = [draw(tables(name)) for name in called]
    rule: dict[str, object] = {"shard_key": ["user_id"]}
    if draw(st.integers(0, 4)):
        rule |= {"database": draw(expressions), "table": draw(expressions)}
    else:
        rule["algorithm"] = draw(st.sampled_from(("mod", "crc32_mod", "hash_mod", "nothing")))
    document = {
        "version": 1,
        "migration": draw(st.sampled_from(("fuzz",) * 9 + ("a/../b", "A", ""))),
        "source": {
            "dialect": draw(st.sampled_from(("mariadb", "mysql"))),
            "databases": ["shop"],
            "schema": "schema.sql",
        },
        "target": {
            "databases": draw(st.sampled_from(("part_{0..1}",) * 9 + ("p`_{0..1}", "part_{1..0}", "{0..1}"))),
            "tables_suffix": draw(st.sampled_from(("_{0..1}",) * 9 + ("`_{0..1}", "${suffix}_{0..1}", "'{0..1}"))),
        },
        "sharding": {"rule": rule},
        "tables": [draw(entries(name, columns)) for name, (_, columns) in zip(called, made, strict=True)],
    }
    return document, "".join(text for text, _ in made)


@st.composite
def spoiled(draw: st.DrawFn, text: str) -> str:
    """The text with a piece cut out and another put in."""
    start = draw(st.integers(0, len(text)))
    length = draw(st.integers(0, 12))
    piece = draw(st.one_of(st.sampled_from((*_WORDS, *(column for column in COLUMNS), ";", "(", ")", "'", "`", "/*", "-- ")),
                           st.text(max_size=6)))  # fmt: skip
    return text[:start] + piece + text[start + length :]
