"""Which clause of a statement is it that is not routed? Read from words, for statements that the parser does not take
or that are about no table.
"""

from __future__ import annotations

import re
from typing import Final

from shardwright.compiler.ddl.alter.options import PARTITIONS

_ALTER: Final = r"ALTER (?:ONLINE )?(?:IGNORE )?TABLE \S+ "
_INDEX: Final = r"(?:UNIQUE |FULLTEXT |SPATIAL )?INDEX "
_WAIT: Final = "leave WAIT out: `--lock-wait-timeout` says how long one try waits for a table"
_OBJECT: Final = (
    r"(?:CREATE|ALTER|DROP) (?:OR REPLACE |DEFINER ?= ?\S+ |SQL SECURITY \S+ |ALGORITHM ?= ?\S+ |AGGREGATE )*"
)
_REASONS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), why)
    for pattern, why in (
        (r"ALTER (?:ONLINE )?IGNORE ", "IGNORE drops the rows that a new unique key refuses"),
        (r"ALTER ONLINE ", "leave ONLINE out: a server is asked for the lightest way by itself"),
        (rf"{_ALTER}(?:NO)?WAIT\b", _WAIT),
        (r"ALTER .* CONVERT TO ", "write CONVERT TO CHARACTER SET name COLLATE name, in a statement of its own"),
        (r"ALTER .* (?:ADD|DROP) SYSTEM VERSIONING", "a system-versioned table would keep rows that the source lacks"),
        (r"ALTER .* PERSISTENT\b", "write STORED instead of PERSISTENT"),
        (r"ALTER .* NOT ENFORCED\b", "a CHECK that is NOT ENFORCED checks nothing: leave it out"),
        (r"ALTER .* IGNORED\b", "IGNORED is not routed, and changes no row: do it on every shard by hand"),
        (r"ALTER .* (?:DIS|EN)ABLE KEYS", "InnoDB has no keys that can be disabled"),
        (r"ALTER .* (?:PARTITION|PARTITIONING)\b", PARTITIONS),
        (r"ALTER .* (?:DISCARD|IMPORT) TABLESPACE", "a tablespace is one physical table's"),
        (rf"CREATE OR REPLACE {_INDEX}", "OR REPLACE would drop an index that is not known here"),
        (rf"CREATE {_INDEX}.* ON \S+ (?:NO)?WAIT\b", _WAIT),
        (rf"CREATE {_INDEX}", "write it as ALTER TABLE … ADD INDEX"),
        (
            rf"{_OBJECT}TRIGGER\b",
            "triggers are not routed: one would act on every row of a run, so do it on every shard after `finish`",
        ),
        (rf"{_OBJECT}VIEW\b", "views are not routed: a view holds no rows, so do it in every database by hand"),
        (
            rf"{_OBJECT}(?:PROCEDURE|FUNCTION|EVENT|SEQUENCE|USER|DATABASE|SCHEMA)\b",
            "only tables and indexes are routed: do it in every database by hand",
        ),
        (
            r"(?:OPTIMIZE|ANALYZE|CHECK|REPAIR) ",
            "it changes no definition: do it on every shard by hand, or write ALTER TABLE … FORCE",
        ),
        (r"(?:INSERT|UPDATE|DELETE|REPLACE|LOAD|CALL|WITH) ", "DDL files change no rows"),
        (r"(?:USE|SET) ", "leave it out: `ddl apply` chooses the database and sets its sessions' variables"),
    )
)


def clause_not_routed(body: str) -> str | None:
    """Why a statement is not routed, in words that name its clause and what to do; None where no reason is known."""
    words = " ".join(body.split())
    return next((why for pattern, why in _REASONS if pattern.match(words)), None)
