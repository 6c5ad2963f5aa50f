"""What the oracle is told of a migration, written down by the test and not taken from the product."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Placement = Callable[[tuple[bytes | None, ...]], tuple[str, str]]
"""From the values of the columns a table is placed by to the database and the physical table's suffix."""


@dataclass(frozen=True)
class Table:
    """A logical table. `sources` are `database.table`; `key` and `placed_by` are names of target columns.

    Without `place` the table is broadcast: every database in `databases` holds all of it, under the plain name.
    """

    name: str
    sources: tuple[str, ...]
    key: tuple[str, ...]
    databases: tuple[str, ...]
    suffixes: tuple[str, ...] = ("",)
    placed_by: tuple[str, ...] = ()
    place: Placement | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    excluded: tuple[str, ...] = ()


def by_crc32(databases: Sequence[str], suffixes: Sequence[str]) -> Placement:
    """database: crc32(key) % D, table: (crc32(key) div D) % T, with zlib's crc32 of the value's text."""

    def place(values: tuple[bytes | None, ...]) -> tuple[str, str]:
        (value,) = values
        assert value is not None, "crc32 of NULL places nothing"
        code = zlib.crc32(value)
        return databases[code % len(databases)], suffixes[code // len(databases) % len(suffixes)]

    return place


ORDER_DATABASES = tuple(f"order_db_{number}" for number in range(4))
ORDER_SUFFIXES = tuple(f"_{number}" for number in range(4))
_by_user = by_crc32(ORDER_DATABASES, ORDER_SUFFIXES)


def _of_the_shop(name: str, key: tuple[str, ...], *, user: str = "user_id", **more: object) -> Table:
    given = {"sources": (f"shop.{name}",), "placed_by": (user,), "place": _by_user, **more}
    return Table(name, key=key, databases=ORDER_DATABASES, suffixes=ORDER_SUFFIXES, **given)  # type: ignore[arg-type]


SHOP = (
    _of_the_shop("users", ("id",), user="id", renamed={"name": "display_name"}),
    Table("region", ("shop.region",), ("code",), ORDER_DATABASES),
    _of_the_shop("order_item", ("order_id", "line_no"), sources=tuple(f"shop.order_item_{n}" for n in range(4))),
    _of_the_shop("order_info", ("order_id",), excluded=("internal_note",)),
    _of_the_shop("payment", ("payment_no",)),
)
"""examples/shop/specs/shop.yaml, read by a person."""
