"""Names that break out of careless SQL (hazard I1), and a project whose tables and columns are called so."""

from __future__ import annotations

from collections.abc import Sequence

import yaml

COLUMNS = (
    "a`b",
    "``",
    "a'b",
    'a"b',
    "a; DROP TABLE x; --",
    "-- statement: insert -- x",
    "/* */",
    "/*!80000 x */",
    "#",
    "a.b",
    "a b",
    "%s %(x)s",
    "{x}",
    "$x @y :z ?",
    "\\'",
    "名前",
    "é",
    "x" * 64,
    *("select", "table", "key", "row", "position", "before", "after", "op", "places", "source_table", "snapshot_open"),
    *("t", "s", "v", "c", "d", "u"),
)
TABLES = ("a`b; --", "select", "order by 'x'", 'a"b', "名前", "ddl", "-- statement: x")
REFUSED = ("${suffix}", "${keys}", "a${source_table}", "a\nb", "a\x01", "a\u2028b", "a\u202eb", "x" * 65, "")


def quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def schema(table: str, key: str, columns: Sequence[str]) -> str:
    """A table with `key`, an integer, as its key, a unique key over the first of `columns` and an index of its name."""
    lines = [f"  {quote(key)} bigint NOT NULL"]
    lines += [f"  {quote(name)} varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" for name in columns]
    lines += [f"  PRIMARY KEY ({quote(key)})", f"  UNIQUE KEY {quote(columns[0])} ({quote(columns[0])})"]
    body = ",\n".join(lines)
    return f"CREATE TABLE {quote(table)} (\n{body}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;\n"


def spec(tables: Sequence[str], key: str, *, rename: dict[str, str] | None = None) -> str:
    """All tables sharded by their key."""
    document = {
        "version": 1,
        "migration": "hostile",
        "source": {"dialect": "mariadb", "databases": ["shop"], "schema": "schema.sql"},
        "target": {"databases": "part_{0..1}", "tables_suffix": "_{0..1}"},
        "sharding": {
            "by_key": {
                "shard_key": [key],
                "database": f"crc32({quote(key)}) % 2",
                "table": f"crc32({quote(key)}) div 2 % 2",
            }
        },
        "tables": [
            {"table": name, "sharding": "by_key", **({"columns": {"rename": rename}} if rename else {})}
            for name in tables
        ],
    }
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False)
