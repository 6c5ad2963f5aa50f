"""Databases that are not sharded yet, made of a schema, statements and sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from shardwright.compiler.advise.source import SchemaText, SourceDatabase, make_source
from shardwright.compiler.advise.statistics import ColumnStatistics, TableStatistics
from shardwright.compiler.workload.read import read_workload

Make = Callable[..., SourceDatabase]

SCHEMA = """
CREATE TABLE users (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, email VARCHAR(90) NOT NULL, plan INT, PRIMARY KEY (id),
  UNIQUE KEY email (email)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE orders (id BIGINT NOT NULL, user_id BIGINT UNSIGNED NOT NULL, seller_id BIGINT UNSIGNED, status INT,
  PRIMARY KEY (id), CONSTRAINT u FOREIGN KEY (user_id) REFERENCES users (id)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE order_items (order_id BIGINT NOT NULL, line INT NOT NULL, product_id INT NOT NULL,
  PRIMARY KEY (order_id, line), CONSTRAINT o FOREIGN KEY (order_id) REFERENCES orders (id))
  DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE products (id INT NOT NULL, name VARCHAR(40) NOT NULL, parent_id INT, PRIMARY KEY (id))
  DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE stock (product_id INT NOT NULL, pieces INT NOT NULL, PRIMARY KEY (product_id))
  DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE logs (at DATETIME NOT NULL, text VARCHAR(90)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
STATEMENTS = """
-- calls: 900
SELECT o.id, i.line FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.user_id = 7;
-- calls: 500
SELECT email FROM users WHERE id = 7;
-- calls: 300
SELECT u.email FROM users u JOIN orders o ON o.seller_id = u.id WHERE o.id = 8;
-- calls: 200
SELECT name FROM products WHERE id = 3;
-- calls: 100
UPDATE stock SET pieces = pieces - 1 WHERE product_id = 3;
-- calls: 90
UPDATE orders SET status = 2 WHERE id = 8;
-- calls: 20
UPDATE orders SET user_id = 9 WHERE id = 8;
-- calls: 10
INSERT INTO logs (at, text) VALUES (NOW(), 'x');
-- calls: 5
SELECT COUNT(*) FROM orders WHERE status = 1;
"""
SIZES = {"users": 200_000, "orders": 3_000_000, "order_items": 9_000_000, "products": 400, "stock": 400, "logs": 10**7}


def sizes(columns: Mapping[str, Mapping[str, ColumnStatistics]] | None = None) -> dict[str, TableStatistics]:
    return {name: TableStatistics(rows, rows * 100, (columns or {}).get(name, {})) for name, rows in SIZES.items()}


@pytest.fixture
def make() -> Make:
    def make_database(
        schema: str = SCHEMA, statements: str = "", statistics: Mapping[str, TableStatistics] | None = None
    ) -> SourceDatabase:
        text = SchemaText("shop", "mariadb", "schema/shop.sql", schema)
        return make_source(text, statistics=statistics or {}, statements=read_workload(statements, "app.sql"))

    return make_database
