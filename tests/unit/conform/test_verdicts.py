"""The verdicts about statements of the shop, each with what its reason names."""

from __future__ import annotations

from functools import cache

import pytest

from shardwright.compiler.conform.classify import classify
from shardwright.compiler.conform.layout import Layout, make_layout
from shardwright.compiler.conform.verdict import Verdict
from shardwright.compiler.schema.file import read_schema
from shardwright.specs.findings.diagnostics import Findings
from tests.compiler.projects import SHOP, compile_shop
from tests.conform.truth import PROJECT, compile_project, layout_of

ONE, SAME, OTHER, JOIN = Verdict.ONE_SHARD, Verdict.SAME_ANSWER, Verdict.OTHER_ANSWER, Verdict.CROSS_SHARD_JOIN
UNKNOWN, ACROSS, MOVES = Verdict.NOT_UNDERSTOOD, Verdict.CROSS_SHARD_TRANSACTION, Verdict.UPDATES_SHARD_KEY
BROADCAST, COPY, NONE = Verdict.WRITES_BROADCAST, Verdict.BROADCAST_READ, Verdict.NO_TABLE

QUERIES = [
    ("SELECT * FROM users WHERE id = ?", ONE, "users.id = parameter 1"),
    ("SELECT email FROM users WHERE email = ? AND id = ?", ONE, "users.id = parameter 2"),
    ("SELECT email FROM shop.users u WHERE u.id IN (4711)", ONE, "users.id = 4711"),
    ("SELECT COUNT(*) FROM users WHERE id = :user", ONE, "users.id = :user"),
    ("SELECT display_name FROM users WHERE id = '7'", ONE, "users.id = 7"),
    ("SELECT email FROM users WHERE id = '7abc'", SAME, "together"),
    ("SELECT email FROM users WHERE id = 5--1", SAME, "together"),
    ("SELECT email FROM users WHERE id = 5 /*! OR 1 */", SAME, "together"),
    ("SELECT email FROM users WHERE id IN (?, ?)", SAME, "together"),
    ("SELECT email FROM users WHERE id IN (...)", SAME, "together"),
    ("SELECT email FROM users WHERE id = ? OR email = ?", SAME, "together"),
    ("SELECT id FROM users WHERE email = ?", SAME, "together"),
    ("SELECT note FROM order_info WHERE order_id = ?", SAME, "together"),
    ("SELECT COUNT(*) FROM users", OTHER, "COUNT() of each shard has to be added up"),
    ("SELECT AVG(balance) FROM users", OTHER, "AVG() of all rows"),
    ("SELECT COUNT(DISTINCT name) FROM users", OTHER, "COUNT(DISTINCT ...)"),
    ("SELECT MAX(balance) FROM users", OTHER, "MAX()"),
    ("SELECT id FROM users ORDER BY id", OTHER, "ORDER BY"),
    (
        "SELECT u.id FROM (users u, order_info o) LEFT JOIN payment p ON p.user_id = o.user_id "
        "WHERE u.id = ? AND o.user_id = u.id",
        ONE,
        "parameter 1",
    ),
    (
        "SELECT u.id FROM users u LEFT JOIN (order_info o, payment p) ON p.user_id = o.user_id WHERE u.id = ?",
        UNKNOWN,
        "a join in brackets",
    ),
    ("SELECT id FROM users LIMIT 5", OTHER, "LIMIT"),
    ("SELECT note FROM order_info WHERE order_id = ? ORDER BY amount LIMIT 1", SAME, "together"),
    ("SELECT note FROM order_info WHERE order_id = ? LIMIT 1 OFFSET 1", OTHER, "LIMIT"),
    ("SELECT note FROM order_info WHERE order_id IN (?, ?) LIMIT 1", OTHER, "LIMIT"),
    ("SELECT id FROM users WHERE email = ? LIMIT 1", OTHER, "LIMIT"),
    ("SELECT user_id, COUNT(*) FROM order_info GROUP BY user_id ORDER BY NULL", SAME, "together"),
    (
        "SELECT note FROM order_info WHERE order_id = 1 UNION ALL SELECT note FROM order_info WHERE order_id = 2 LIMIT 1",
        OTHER,
        "LIMIT",
    ),
    ("SELECT DISTINCT status FROM order_info", OTHER, "DISTINCT"),
    ("SELECT DISTINCT user_id, status FROM order_info", SAME, "together"),
    ("SELECT DISTINCT order_id FROM order_info", SAME, "together"),
    ("SELECT user_id, COUNT(*) FROM order_info GROUP BY user_id", SAME, "together"),
    ("SELECT user_id, COUNT(*) FROM order_info GROUP BY 1", SAME, "together"),
    ("SELECT status AS user_id, COUNT(*) FROM order_info GROUP BY user_id", OTHER, "COUNT()"),
    ("SELECT user_id, COUNT(*) FROM order_info GROUP BY user_id WITH ROLLUP", OTHER, "ROLLUP"),
    ("SELECT status FROM order_info GROUP BY status", OTHER, "GROUP BY without the shard key"),
    ("SELECT ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY amount) FROM order_info", SAME, "together"),
    ("SELECT ROW_NUMBER() OVER (ORDER BY amount) FROM order_info", OTHER, "window function"),
    ("SELECT id, RAND() FROM users", OTHER, "RAND()"),
    ("SELECT id FROM users WHERE MATCH (name) AGAINST ('x')", OTHER, "MATCH"),
    ("SELECT internal_note FROM order_info WHERE user_id = ?", OTHER, "no column order_info.internal_note"),
    ("SELECT * FROM order_info WHERE user_id = ?", OTHER, "no column order_info.internal_note"),
    ("SELECT sku FROM order_item_2 WHERE order_id = 6", OTHER, "together in order_item"),
    ("SELECT sku FROM order_item WHERE user_id = ?", ONE, "order_item.user_id = parameter 1"),
    ("SELECT u.email FROM order_info o JOIN users u ON u.id = o.user_id WHERE o.user_id = ?", ONE, "parameter 1"),
    ("SELECT u.email FROM order_info o JOIN users u ON u.id = o.user_id", SAME, "together"),
    ("SELECT u.email FROM order_info o, users u WHERE u.id = o.user_id", SAME, "together"),
    ("SELECT u.email FROM users u LEFT JOIN order_info o ON u.id = o.user_id AND o.status = 'x'", SAME, "together"),
    ("SELECT u.email FROM users u LEFT JOIN order_info o ON u.id = o.user_id AND u.id = 3", SAME, "together"),
    ("SELECT o.note FROM order_info o JOIN payment p ON p.order_id = o.order_id", JOIN, "o.user_id = p.user_id"),
    ("SELECT o.note FROM order_info o JOIN payment p USING (user_id)", SAME, "together"),
    ("SELECT o.note FROM order_info o NATURAL JOIN payment p", UNKNOWN, "NATURAL JOIN"),
    (
        "SELECT o.note FROM order_info o JOIN payment p ON p.user_id = ? WHERE o.user_id = ?",
        JOIN,
        "without their shard keys",
    ),
    ("SELECT o.note FROM order_info o JOIN payment p ON p.user_id = :a WHERE o.user_id = :a", ONE, ":a"),
    ("SELECT o.note, r.name FROM order_info o LEFT JOIN region r ON r.code = o.region_code", SAME, "together"),
    ("SELECT o.note, r.name FROM region r LEFT JOIN order_info o ON r.code = o.region_code", JOIN, "each row of r"),
    ("SELECT o.note FROM order_info o JOIN application_setting s ON s.id = o.user_id", JOIN, "application_setting"),
    ("SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM payment p WHERE p.user_id = u.id)", SAME, "together"),
    ("SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM payment)", SAME, "together"),
    ("SELECT id FROM users WHERE id IN (SELECT order_id FROM payment)", JOIN, "subquery"),
    ("SELECT id FROM users WHERE id IN (SELECT user_id FROM payment LIMIT 3)", JOIN, "subquery"),
    ("SELECT id FROM users WHERE id = ? AND balance > (SELECT AVG(balance) FROM users)", OTHER, "all shards"),
    ("SELECT id, (SELECT MAX(paid) FROM payment p WHERE p.user_id = u.id) FROM users u", SAME, "together"),
    ("SELECT (SELECT MAX(o.amount) FROM region LIMIT 1) FROM order_info o", UNKNOWN, "MAX(o.amount)"),
    ("SELECT d.n FROM (SELECT user_id, COUNT(*) n FROM payment GROUP BY user_id) d WHERE d.user_id = 7", ONE, "= 7"),
    (
        "WITH d AS (SELECT user_id, SUM(paid) n FROM payment GROUP BY user_id) SELECT * FROM d WHERE n > 3",
        SAME,
        "together",
    ),
    ("WITH RECURSIVE d AS (SELECT 1) SELECT * FROM d, users", UNKNOWN, "RECURSIVE"),
    ("SELECT user_id, status FROM order_info UNION SELECT user_id, method FROM payment", SAME, "together"),
    ("SELECT status FROM order_info UNION SELECT method FROM payment", OTHER, "UNION removes rows"),
    ("SELECT status FROM order_info UNION ALL SELECT name FROM region", OTHER, "once more"),
    ("SELECT code FROM region ORDER BY name LIMIT 3", COPY, "region"),
    ("SELECT 1", NONE, "no table"),
    ("SET NAMES utf8mb4", NONE, "session"),
    ("SELECT LAST_INSERT_ID()", OTHER, "LAST_INSERT_ID()"),
    ("SELECT @@identity", OTHER, "LAST_INSERT_ID()"),
    ("SELECT GET_LOCK('x', 3)", OTHER, "GET_LOCK()"),
    ("SELECT close_month(3) FROM users WHERE id = ?", UNKNOWN, "CLOSE_MONTH()"),
    ("SELECT @a := 3 FROM users WHERE id = ?", UNKNOWN, "variable"),
    ("SELECT name FROM application_setting", Verdict.OTHER_TABLE, "application_setting is in no spec"),
    ("SELECT name FROM users WHERE id = ? AND na...", UNKNOWN, "shortened"),
    ("SELEKT 1", UNKNOWN, "not understood"),
    ("CALL close_month(3)", UNKNOWN, "CALL"),
    ("ALTER TABLE users ADD x INT", UNKNOWN, "definitions"),
]
CHANGES = [
    ("INSERT INTO payment (payment_no, order_id, user_id) VALUES (?, ?, ?)", ONE, "payment.user_id = parameter 3"),
    ("INSERT INTO `payment` ( `payment_no` , `user_id` ) VALUES (...)", ONE, "the row's user_id"),
    (
        "INSERT INTO `payment` ( `payment_no` , `user_id` ) VALUES (...) /* , ... */",
        ACROSS,
        "several values of user_id",
    ),
    ("INSERT INTO payment (payment_no, user_id) VALUES (?, ?) RETURNING payment_no", ONE, "payment.user_id"),
    ("INSERT INTO payment (payment_no, user_id) VALUES (?, ?) RETURNING NOW()", UNKNOWN, "RETURNING"),
    ("INSERT INTO payment (payment_no, user_id) VALUES (?, NULL)", UNKNOWN, "payment.user_id"),
    ("INSERT INTO payment (payment_no, user_id) VALUES (?, ?), (?, ?)", ACROSS, "several values of user_id"),
    ("INSERT INTO payment (payment_no, user_id) VALUES (?, :u), (?, :u)", ONE, "payment.user_id = :u"),
    ("INSERT INTO order_item_3 VALUES (?, ?, ?, ?, ?, ?)", ONE, "order_item.user_id = parameter 3"),
    ("INSERT INTO payment (payment_no, order_id) VALUES (?, ?)", UNKNOWN, "payment.user_id"),
    ("INSERT INTO users (email, name) VALUES (?, ?)", OTHER, "users.id is AUTO_INCREMENT"),
    ("INSERT INTO users (id, email, name) VALUES (DEFAULT, ?, ?)", OTHER, "users.id is AUTO_INCREMENT"),
    ("INSERT INTO users (id, email, name) VALUES (?, ?, ?)", OTHER, "uk_email (email)"),
    ("REPLACE INTO users (id, email, name) VALUES (?, ?, ?)", OTHER, "REPLACE deletes"),
    ("INSERT INTO payment (payment_no, user_id) VALUES ('a', 7) ON DUPLICATE KEY UPDATE paid = 3", ONE, "= 7"),
    ("INSERT INTO payment (payment_no, user_id) VALUES ('a', 7) ON DUPLICATE KEY UPDATE user_id = 3", MOVES, "user_id"),
    (
        "INSERT INTO order_item SELECT order_id, 1, user_id, 'x', 1, 1 FROM order_info WHERE user_id = ?",
        ONE,
        "parameter 1",
    ),
    ("INSERT INTO order_item SELECT order_id, 1, user_id, 'x', 1, 1 FROM order_info", SAME, "each shard inserts"),
    ("INSERT INTO order_item SELECT order_id, 1, 3, 'x', 1, 1 FROM order_info", ACROSS, "another shard"),
    ("INSERT INTO region (code, name) VALUES (?, ?)", BROADCAST, "region"),
    ("UPDATE region SET name = ? WHERE code = ?", BROADCAST, "region"),
    ("DELETE FROM region", BROADCAST, "region"),
    ("UPDATE order_info SET status = ? WHERE user_id = ?", ONE, "order_info.user_id = parameter 2"),
    ("UPDATE order_info SET status = ? WHERE order_id = ?", SAME, "its own rows"),
    ("UPDATE order_info SET status = ? WHERE status = ? LIMIT 10", OTHER, "LIMIT"),
    ("UPDATE order_info SET user_id = ? WHERE order_id = ?", MOVES, "order_info.user_id"),
    ("UPDATE order_info SET user_id = user_id, note = ? WHERE order_id = ?", SAME, "its own rows"),
    ("UPDATE order_info SET internal_note = ? WHERE user_id = ?", OTHER, "internal_note"),
    ("UPDATE users SET email = ? WHERE id = ?", OTHER, "users.email is unique"),
    ("UPDATE users u JOIN payment p ON p.user_id = u.id SET u.balance = p.paid WHERE u.id = ?", ONE, "parameter 1"),
    ("UPDATE users u JOIN payment p ON p.order_id = u.id SET u.balance = p.paid", JOIN, "shard keys"),
    ("UPDATE users SET balance = (SELECT SUM(paid) FROM payment)", OTHER, "all shards"),
    ("DELETE FROM payment WHERE user_id = ? LIMIT 3", ONE, "payment.user_id"),
    ("DELETE p FROM payment p JOIN order_info o ON o.user_id = p.user_id WHERE o.status = 'x'", SAME, "its own rows"),
]


@cache
def shop(*accepted: str) -> Layout:
    schema = read_schema((SHOP / "schema" / "shop.sql").read_text("utf-8"), file="shop.sql", findings=Findings())
    return make_layout(compile_shop(), schema, unique_elsewhere=accepted)


@pytest.mark.parametrize(("text", "verdict", "named"), [*QUERIES, *CHANGES])
def test_a_verdict_and_its_reason(text: str, verdict: Verdict, named: str) -> None:
    judged = classify(text, shop("payment", "order_item", "order_info"))
    assert (judged.verdict, named in judged.reason) == (verdict, True), judged


def test_a_unique_key_is_loose_until_somebody_says_that_its_values_are_unique() -> None:
    insert = "INSERT INTO payment (payment_no, order_id, user_id) VALUES (?, ?, ?)"
    judged = classify(insert, shop())
    assert judged.verdict is OTHER and "PRIMARY (payment_no) of payment" in judged.reason
    assert classify(insert, shop("payment")).verdict is ONE
    assert classify("SELECT id FROM users WHERE email = ? LIMIT 1", shop("users")).verdict is SAME


def test_a_route_is_known_only_where_the_text_shows_the_key() -> None:
    assert classify("SELECT * FROM users WHERE id = ?", shop()).route is None
    one, other = (
        classify(f"SELECT * FROM {text}", shop()) for text in ("users WHERE id = 7", "payment WHERE user_id = 7")
    )
    assert one.route is not None and one.route == other.route


FOLDED = [
    ("SELECT pages FROM visit WHERE login = 'ann'", SAME, "may be on several shards"),
    ("SELECT COUNT(*) FROM visit WHERE login = 'ann'", OTHER, "COUNT()"),
    ("SELECT login, COUNT(*) FROM visit GROUP BY login", OTHER, "COUNT()"),
    ("SELECT a.pages FROM visit a JOIN visit b ON a.login = b.login", JOIN, "may be on several shards"),
]


@pytest.mark.parametrize(("text", "verdict", "named"), FOLDED)
def test_d1_a_key_that_ignores_case_names_no_shard(text: str, verdict: Verdict, named: str) -> None:
    judged = classify(text, layout_of(compile_project()))
    assert (judged.verdict, named in judged.reason) == (verdict, True), judged


PLACEMENTS = [
    ("SELECT sku FROM items WHERE order_id = ?", SAME, "together"),
    ("SELECT order_id, COUNT(*) FROM items GROUP BY order_id", SAME, "together"),
    ("SELECT i.sku FROM orders o JOIN items i ON i.order_id = o.order_id WHERE o.user_id = ?", ONE, "orders.user_id"),
    ("SELECT i.sku FROM orders o JOIN items i ON i.order_id = o.order_id", SAME, "together"),
    ("SELECT COUNT(*) FROM items WHERE order_id = ?", OTHER, "COUNT()"),
    ("INSERT INTO items (order_id, line_no, sku) VALUES (?, 1, 'x')", ONE, "the shard of the row that items.order_id"),
    ("UPDATE items SET order_id = ? WHERE order_id = ?", MOVES, "items.order_id"),
    (
        "SELECT label FROM device WHERE tenant = ? AND code = ?",
        ONE,
        "device.tenant = parameter 1 and device.code = parameter 2",
    ),
    ("SELECT COUNT(*) FROM device WHERE tenant = ?", OTHER, "COUNT()"),
    ("SELECT label FROM device WHERE tenant = ? AND code = 5", SAME, "together"),
    ("SELECT value FROM setting WHERE id = ?", ONE, "setting is whole in one database"),
    ("SELECT COUNT(*) FROM setting, region", ONE, "setting is whole in one database"),
    ("SELECT s.value FROM setting s JOIN users u ON u.id = s.id", JOIN, "setting is in one database only"),
    ("UPDATE setting SET value = 3", ONE, "setting is whole in one database"),
    ("INSERT INTO setting (id, value) SELECT code, 1 FROM region", ONE, "setting is whole in one database"),
]


@pytest.mark.parametrize(("text", "verdict", "named"), PLACEMENTS)
def test_the_verdict_follows_the_placement(text: str, verdict: Verdict, named: str) -> None:
    judged = classify(text, layout_of(compile_project()))
    assert (judged.verdict, named in judged.reason) == (verdict, True), judged


def test_a_table_of_which_rows_or_values_differ_on_the_shards_gives_other_answers() -> None:
    spec = (PROJECT / "specs" / "truth.yaml").read_text("utf-8")
    for line in ("{table: users, ", "{table: payment, "):
        assert line in spec
    spec = spec.replace("{table: users, ", "{table: users, where: balance > 0, ")
    spec = spec.replace("{table: payment, ", "{table: payment, columns: {exclude: [paid]}, ")
    layout = layout_of(compile_project(spec))
    verdicts = {
        text: classify(text, layout) for text in ("SELECT 1 FROM users WHERE id = 3", "SELECT paid FROM payment")
    }
    assert {judged.verdict for judged in verdicts.values()} == {OTHER}
    assert [judged.reason for judged in verdicts.values()] == [
        "the spec's `where` leaves rows of users out",
        "the shards have no column payment.paid",
    ]
