"""Ways of breaking the project in `all_findings/`: each a change of one text, with the codes that are told of it.

What can be told depends on other parts of the project. These parts have names: "grid" (the target's databases and
tables), "source", "schema file" (that the spec names it), "schema" (that it can be cut into statements), "rule X",
and for a table X "sql X" (its CREATE TABLE), "entry X" (which tables and columns are meant), "place X" (which rule)
and "columns X" (that they and the key are there).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

TABLES = ("orders", "items", "payments", "stores", "visits", "log", "countries", "settings")


@dataclass(frozen=True, slots=True)
class Break:
    """`spoils` are parts that later findings depend on, `needs` those that this one's finding depends on."""

    file: str
    old: str
    new: str
    codes: tuple[str, ...]
    spoils: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{'+'.join(self.codes)} {self.new.strip() or 'without ' + self.old.strip()}"

    def is_apart_from(self, other: Break) -> bool:
        """Whether neither stands in the other's way."""
        return not (self.spoils & other.needs or other.spoils & self.needs or self.overlaps(other))

    def overlaps(self, other: Break) -> bool:
        """Whether both change the same words."""
        return self.file == other.file and (self.old in other.old or other.old in self.old)


def _in_spec(old: str, new: str, *codes: str, spoils: Iterable[str] = (), needs: Iterable[str] = ()) -> Break:
    return Break("spec.yaml", old, new, codes, frozenset(spoils), frozenset(needs))


def _in_schema(old: str, new: str, *codes: str, spoils: Iterable[str] = (), needs: Iterable[str] = ()) -> Break:
    return Break("schema.sql", old, new, codes, frozenset(spoils), frozenset(("schema", *needs)))


def _in_ddl(old: str, new: str, *codes: str, needs: Iterable[str] = ()) -> Break:
    return Break("ddl/0001_notes.sql", old, new, codes, frozenset(), frozenset(needs))


def _read(table: str) -> tuple[str, ...]:
    """What must be sound for findings about the columns that a table's entry names."""
    return ("source", "schema", f"sql {table}", f"entry {table}")


def _places(table: str, rule: str) -> tuple[str, ...]:
    return (*_read(table), f"place {table}", f"rule {rule}", "grid")


_EVERYTHING_IN_SCHEMA = ("schema", *(f"sql {table}" for table in TABLES))

BREAKS = (
    # The spec's shape, and what its parts say of each other.
    _in_spec("migration: shop", "migration: 7", "SW1103"),
    _in_spec("databases: shop\n", "databases: [shop, shop]\n", "SW1205", spoils=["grid"]),
    _in_spec('databases: "shop_{0..3}"', 'databases: "shop_{3..0}"', "SW1202", spoils=["grid"]),
    _in_spec("dialect: mariadb", "dialekt: mariadb", "SW1101", spoils=["source"]),
    _in_spec(
        "schema: schema.sql",
        "schema: ../schema.sql",
        "SW2013",
        spoils=["source", "schema file", *_EVERYTHING_IN_SCHEMA],
    ),
    _in_spec("sharding: broadcast", "shardin: broadcast", "SW1101", spoils=["entry countries"]),
    _in_spec("weight: 10", "weight: heavy", "SW1103"),
    _in_spec("deletes: immediate", "deletes: imediate", "SW1104"),
    _in_spec("deletes: immediate", "deletes: {policy: delay}", "SW6001"),
    _in_spec("    expect: 2\n", "    expects: 2\n", "SW1101", "SW2008", spoils=["entry log"]),
    _in_spec("- table: countries", "- tabel: countries", "SW1101", spoils=["entry countries", "all entries"]),
    _in_spec("sharding: by_region", "sharding: by_regoin", "SW2001", spoils=["place stores"]),
    _in_spec("{single: shop_2}", "{single: shop_9}", "SW2002", spoils=["place settings"], needs=["grid"]),
    _in_spec("database: user_id % 4", "databse: user_id % 4", "SW1101", "SW1110", spoils=["rule by_user"]),
    # Sharding.
    _in_spec(
        "database: user_id % 4",
        "database: user_id % 5",
        "SW5002",
        spoils=["rule by_user"],
        needs=_places("orders", "by_user"),
    ),
    _in_spec("(user_id div 4)", "hash(user_id)", "SW3003", spoils=["rule by_user"], needs=_read("orders")),
    _in_spec(
        "shard_key: [name]",
        "shard_key: [nmae]",
        "SW2104",
        spoils=["rule by_text"],
        needs=[*_read("visits"), "place visits"],
    ),
    _in_spec(
        "{north: shop_0/_0}",
        "{north: shop_7/_0}",
        "SW5015",
        spoils=["rule by_region"],
        needs=_places("stores", "by_region"),
    ),
    _in_spec("via: [order_id]", "via: [oder_id]", "SW2104", spoils=["place items"], needs=_places("items", "by_user")),
    # Columns.
    _in_spec(
        "key: [code]", "key: [cod]", "SW2104", spoils=["columns payments", "key payments"], needs=_read("payments")
    ),
    _in_spec("amount > 0", "amuont > 0", "SW3004", needs=_read("payments")),
    _in_spec("exclude: [doubled]", "exclude: [dobled]", "SW2104", spoils=["columns payments"], needs=_read("payments")),
    _in_spec("cast: {amount: {type: BIGINT}}", "cast: {amount: {type: TINYINT}}", "SW2131", needs=_read("payments")),
    _in_spec("mask: {email: redact}", "mask: {emial: redact}", "SW2104", needs=_read("payments")),
    _in_spec("version_column: changed", "version_column: chnaged", "SW2104", needs=_read("visits")),
    _in_spec("columns: [status, since]", "columns: [status, snice]", "SW2104", needs=_read("visits")),
    _in_spec(
        "except: [log_old]",
        "except: [log_odl]",
        "SW2017",
        "SW2102",
        spoils=["entry log"],
        needs=["source", "schema", "sql log", "entry log"],
    ),
    _in_spec("- table: settings", "- table: setings", "SW2101", spoils=["entry settings"], needs=["source", "schema"]),
    _in_spec("[scratch]", "[scrtch]", "SW2020", needs=["source", "schema"]),
    # The schema file.
    _in_schema(
        "order_id bigint NOT NULL,\n  user_id", "order_id bigint NOT NUL,\n  user_id", "SW4102", spoils=["sql orders"]
    ),
    _in_schema("name varchar(40)", "name geometri(40)", "SW4102", spoils=["sql visits"]),
    _in_schema(
        "iso char(2) NOT NULL PRIMARY KEY",
        "iso xmltype NOT NULL PRIMARY KEY",
        "SW2112",
        "SW4106",
        spoils=["sql countries"],
        needs=_read("countries"),
    ),
    _in_schema("CREATE TABLE log_2", "CREATE TABLE log_1", "SW4104", spoils=["sql log"]),
    _in_schema("CREATE TABLE scratch", "CREATE VIEW scratch", "SW4103", spoils=["scratch"]),
    _in_schema(
        "store_id int NOT NULL", "store_id int NOT NULL /*!80023 UNHEARD OF */", "SW4101", spoils=["sql stores"]
    ),
    Break(
        "schema.sql",
        "item_id bigint NOT NULL",
        "item_id bigint NOT NULL DEFAULT '",
        ("SW4102",),
        frozenset(_EVERYTHING_IN_SCHEMA),
        frozenset(["schema file"]),
    ),
    # Target tables.
    _in_schema(
        "code char(8)",
        "code$ char(8)",
        "SW2104",
        spoils=["columns payments"],
        needs=[*_read("payments"), "key payments"],
    ),
    # DDL.
    _in_ddl(
        "TABLE orders ADD COLUMN note",
        "TABLE oders ADD COLUMN note",
        "SW4217",
        needs=["all entries", "schema file", "schema"],
    ),
    _in_ddl("TABLE stores ADD COLUMN note varchar(40) NULL", "TABLE stores ADD COLUMN (", "SW4203"),
    _in_ddl(
        "TABLE settings ADD COLUMN note varchar(40) NULL",
        "TABLE settings RENAME TO stings",
        "SW4220",
        needs=[*_read("settings"), "place settings", "grid"],
    ),
)
