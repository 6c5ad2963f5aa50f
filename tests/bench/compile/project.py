"""A made-up project of a thousand tables, the same every time: names, columns, types, keys, rules and choices differ
from table to table as they do in a grown database.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

_AREAS = ("order", "cart", "stock", "price", "refund", "parcel", "coupon", "review", "invoice", "ticket")
_THINGS = ("header", "line", "event", "note", "audit", "link", "state", "total", "option", "file")
_COLUMNS = (
    ("amount", "DECIMAL(18,4) NOT NULL DEFAULT '0.0000'"),
    ("title", "VARCHAR(128) COLLATE utf8mb4_bin NOT NULL DEFAULT ''"),
    ("comment", "TEXT COLLATE utf8mb4_bin"),
    ("state", "TINYINT(3) UNSIGNED NOT NULL DEFAULT 0 COMMENT 'see the wiki'"),
    ("happened_at", "DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)"),
    ("updated_at", "TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3)"),
    ("quantity", "INT(11) NOT NULL"),
    ("ratio", "DOUBLE DEFAULT NULL"),
    ("kind", "ENUM('small','large','other') COLLATE utf8mb4_bin NOT NULL DEFAULT 'small'"),
    ("payload", "MEDIUMBLOB"),
    ("digest", "BINARY(32) DEFAULT NULL"),
    ("day", "DATE DEFAULT NULL"),
    ("country", "CHAR(2) CHARACTER SET latin1 COLLATE latin1_bin DEFAULT NULL"),
    ("flags", "BIT(8) NOT NULL DEFAULT b'0'"),
    ("external_id", "BIGINT(20) UNSIGNED DEFAULT NULL"),
    ("duration", "TIME DEFAULT NULL"),
)
_RULES = """\
sharding:
  by_user:
    shard_key: [user_id]
    database: crc32(user_id) % 16
    table: (crc32(user_id) div 16) % 16
  by_shop:
    shard_key: [shop_id]
    database: shop_id % 16
    table: (shop_id div 16) % 16
  by_both:
    shard_key: [user_id, shop_id]
    database: (user_id % 16 + shop_id % 16 + 30) % 16
    table: crc32(shop_id) % 16
"""


def write_project(folder: Path, *, tables: int) -> str:
    """Write specs/ and schema/ below `folder`. Returns the schema's text."""
    random = Random(14)
    names = [f"{_AREAS[i % 10]}_{_THINGS[i // 10 % 10]}_{i:04}" for i in range(tables)]
    made = [_table(random, name) for name in names]
    schema = "\n".join(create for create, _ in made)
    head = (
        "version: 1\nmigration: large\nowner: bench\n\n"
        "source:\n  dialect: mariadb\n  databases: [shop]\n  schema: schema/shop.sql\n  stream: {format: binlog}\n\n"
        'target:\n  databases: "large_db_{00..15}"\n  tables_suffix: "_{00..15}"\n\n'
    )
    (folder / "specs").mkdir(parents=True)
    (folder / "schema").mkdir()
    (folder / "specs" / "large.yaml").write_text(head + _RULES + "\ntables:\n" + "".join(spec for _, spec in made))
    (folder / "schema" / "shop.sql").write_text(schema)
    return schema


def _table(random: Random, name: str) -> tuple[str, str]:
    """CREATE TABLE and the entry of the spec."""
    composite = random.random() < 0.2
    columns = ["`id` BIGINT(20) NOT NULL", "`user_id` BIGINT(20) NOT NULL", "`shop_id` INT(11) UNSIGNED NOT NULL"]
    chosen = [
        (f"{word}_{number}", kind)
        for number, (word, kind) in enumerate(random.choices(_COLUMNS, k=random.randint(5, 37)))
    ]
    columns += [f"`{column}` {kind}" for column, kind in chosen]
    keys = ["PRIMARY KEY (`user_id`,`shop_id`,`id`)" if composite else "PRIMARY KEY (`id`)"]
    if random.random() < 0.3:
        columns.append("`code` VARCHAR(64) COLLATE utf8mb4_bin NOT NULL")
        keys.append("UNIQUE KEY `uk_code` (`code`,`user_id`,`shop_id`)")
    keys.append("KEY `ix_user` (`user_id`,`shop_id`)")
    body = ",\n  ".join([*columns, *keys])
    create = f"CREATE TABLE `{name}` (\n  {body}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;\n"
    return create, "".join(_entry(random, name, [column for column, _ in chosen]))


def _entry(random: Random, name: str, columns: list[str]) -> Iterator[str]:
    yield f"  - table: {name}\n"
    chance = random.random()
    rule = "broadcast" if chance < 0.05 else random.choice(("by_user", "by_shop", "by_both"))
    yield f"    sharding: {rule}\n    weight: {random.choice((0, 5, 10, 20))}\n"
    version = next((column for column in columns if column.startswith("updated_at")), None)
    if version and random.random() < 0.3:
        yield f"    version_column: {version}\n"
    if random.random() < 0.4:
        yield f"    columns:\n      rename: {{{columns[0]}: {columns[0]}_new}}\n"
        rest = [column for column in columns[1:] if column != version]
        if rest and random.random() < 0.5:
            yield f"      exclude: [{rest[-1]}]\n"
    if random.random() < 0.8:
        yield "    deletes: until_snapshot\n"
