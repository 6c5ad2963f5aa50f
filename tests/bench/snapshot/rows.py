"""The tables that are copied: 11 columns and 150 bytes a row, 3 columns, and 60 columns of 2 KB."""

from __future__ import annotations

import re
from pathlib import Path

from tests.servers.testbed import Server

DATABASE = "bench"
KINDS = ("facts", "narrow", "wide")
_AT_ONCE = 100_000

_FACTS = (
    "seq, seq * 2654435761 MOD 500000, seq MOD 7, seq / 7, 'EUR', CONCAT('order number ', seq, ' of the day'), "
    "IF(seq MOD 3, CONCAT('a note for the courier who brings ', seq), NULL), seq MOD 12, seq / 3, "
    "'2024-01-01' + INTERVAL seq SECOND, '2024-01-01' + INTERVAL seq * 1500 MICROSECOND"
)
_NARROW = "seq, seq * 2654435761 MOD 500000, seq MOD 1000"
_WIDE = {
    "INT": "seq MOD 1000000",
    "DECIMAL": "seq / 7",
    "DATETIME": "'2024-01-01' + INTERVAL seq SECOND",
    "VARCHAR(120)": "RPAD(CONCAT('wide ', seq, ' '), 100, 'text ')",
    "BIGINT": "seq * 2654435761",
    "DOUBLE": "seq / 3",
    "VARCHAR(200)": "IF(seq MOD 5, RPAD(CONCAT('and wider ', seq), 150, 'words '), NULL)",
    "VARBINARY": "UNHEX(SHA2(seq, 256))",
}


def project(kind: str) -> Path:
    """The facts are the table that the stream's benchmarks have."""
    here = Path(__file__).parent
    return here.parent / "stream" / "project" if kind == "facts" else here / kind


def fill(source: Server, kind: str, rows: int) -> None:
    """Make the table `orders` and its rows."""
    source.run_script(project(kind) / "schema" / "bench.sql", database=DATABASE)
    values = {"facts": _FACTS, "narrow": _NARROW, "wide": _wide_values()}[kind]
    for first in range(1, rows + 1, _AT_ONCE):
        last = min(rows, first + _AT_ONCE - 1)
        source.query(f"INSERT INTO orders SELECT {values} FROM seq_{first}_to_{last}", database=DATABASE)


def _wide_values() -> str:
    schema = (project("wide") / "schema" / "bench.sql").read_text(encoding="utf-8")
    kinds = re.findall(r"^  c\d\d (\w+(?:\(\d+\))?)", schema, re.MULTILINE)
    return ", ".join(["seq", "seq * 2654435761 MOD 500000", *(_value(kind) for kind in kinds)])


def _value(kind: str) -> str:
    return _WIDE.get(kind) or _WIDE[kind.partition("(")[0]]
