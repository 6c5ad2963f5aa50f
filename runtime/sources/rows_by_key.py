"""Which rows of a source table have given keys, in the form of the log's images.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Sequence

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.mysql.keys import source_sql, with_keys
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.text_protocol import fetch_rows

_KEYS_AT_ONCE = 2_000
Image = list[str | None]
"""All columns of the source table, in order; those that nothing reads are NULL."""


def images_by_key(
    reader: RawConnection, plan: Plan, logical: str, *, source: str, keys: Sequence[tuple[str, ...]]
) -> list[Image]:
    """The images of those keys that the source has, whether the row filter accepts them or not: the decode step applies
    it. `keys` as the decode step spells them."""
    table = plan.table(logical)
    name = next(item for item in table.sources if str(item) == source)
    statement = source_sql(plan.step(logical, StepName.CHUNK_READ).statement("by_keys"), name)
    kinds = [column.type for column in table.key_columns]
    found: list[Image] = []
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        listing = with_keys(statement, reader, kinds, keys[start : start + _KEYS_AT_ONCE])
        for row in fetch_rows(reader, listing, columns=len(table.source.reads)).to_pylist():
            image: Image = [None] * len(table.source.columns)
            for column, value in zip(table.source.reads, row, strict=True):
                image[column.position] = value
            found.append(image)
    return found
