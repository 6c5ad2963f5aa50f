-- The shop's statements as its ORM writes them, by a count of one day. `shardwright conform` says what becomes of each.

-- calls: 91200, seconds: 41.0
SELECT u.id, u.email, u.name, u.phone, u.balance FROM users u WHERE u.id = ? LIMIT 1;
-- calls: 40100, seconds: 22.4
SELECT o.order_id, o.status, o.amount, o.updated_at FROM order_info o WHERE o.user_id = ? ORDER BY o.updated_at DESC LIMIT 20;
-- calls: 31000, seconds: 30.2
SELECT COUNT(*) FROM order_info o WHERE o.user_id = ? AND o.status IN (?, ?);
-- calls: 28000, seconds: 17.9
SELECT i.line_no, i.sku, i.quantity, i.price FROM order_item i WHERE i.user_id = :user AND i.order_id = :order ORDER BY i.line_no;
-- calls: 27500, seconds: 19.1
SELECT o.order_id, o.amount, SUM(p.paid) AS paid FROM order_info o LEFT JOIN payment p ON p.order_id = o.order_id AND p.user_id = o.user_id WHERE o.user_id = ? GROUP BY o.order_id, o.amount;
-- calls: 26100, seconds: 9.0
SELECT r.code, r.name, r.tax_rate FROM region r ORDER BY r.name;
-- calls: 20400, seconds: 14.0
SELECT o.order_id, o.amount, r.name FROM order_info o JOIN region r ON r.code = o.region_code WHERE o.user_id = ? AND o.order_id = ?;
-- calls: 19000, seconds: 8.1
SELECT 1 AS one FROM users u WHERE u.id = ? AND u.is_active = 1 LIMIT 1;
-- calls: 17300, seconds: 12.2
INSERT INTO order_info (order_id, user_id, status, amount, note, region_code) VALUES (?, ?, ?, ?, ?, ?);
-- calls: 17300, seconds: 11.0
INSERT INTO order_item (order_id, line_no, user_id, sku, quantity, price) VALUES (:order, 1, :user, :sku_1, 1, 9.90), (:order, 2, :user, :sku_2, 2, 4.50);
-- calls: 16900, seconds: 10.5
INSERT INTO payment (payment_no, order_id, user_id, method, paid, paid_at) VALUES (?, ?, ?, ?, ?, NOW(3));
-- calls: 16800, seconds: 9.9
UPDATE order_info SET status = ? WHERE user_id = ? AND order_id = ?;
-- calls: 15100, seconds: 8.8
UPDATE users SET balance = balance - ? WHERE id = ? AND balance >= ?;
-- calls: 9200, seconds: 15.3
SELECT u.id, u.name FROM users u WHERE u.email = ?;
-- calls: 8100, seconds: 12.9
SELECT o.order_id, o.user_id, o.status FROM order_info o WHERE o.order_id = ?;
-- calls: 7700, seconds: 13.3
SELECT p.payment_no, p.order_id, p.paid FROM payment p WHERE p.order_id IN (?, ?, ?);
-- calls: 6400, seconds: 21.0
SELECT u.id, u.email FROM users u WHERE EXISTS (SELECT 1 FROM order_info o WHERE o.user_id = u.id AND o.status = 'new') AND u.is_active = 0;
-- calls: 5200, seconds: 33.0
SELECT user_id, COUNT(*) AS orders, SUM(amount) AS amount FROM order_info WHERE updated_at > ? GROUP BY user_id;
-- calls: 4100, seconds: 4.4
SELECT u.id, u.email, o.order_id FROM users u LEFT JOIN order_info o ON o.user_id = u.id AND o.status = 'paid' WHERE u.created_at < ?;
-- calls: 3900, seconds: 2.1
UPDATE order_info SET status = 'closed' WHERE order_id = ?;
-- calls: 3200, seconds: 2.7
DELETE FROM payment WHERE user_id = ? AND payment_no = ?;
-- calls: 2100, seconds: 1.1
SELECT DISTINCT o.user_id, o.region_code FROM order_info o WHERE o.region_code IS NOT NULL;
-- calls: 900
BEGIN;
-- calls: 900, seconds: 0.8
UPDATE users SET balance = balance - :amount WHERE id = :from_user;
-- calls: 900, seconds: 0.8
UPDATE users SET balance = balance + :amount WHERE id = :to_user;
-- calls: 900
COMMIT;
-- calls: 820, seconds: 50.9
SELECT o.status, COUNT(*), AVG(o.amount) FROM order_info o GROUP BY o.status;
-- calls: 700, seconds: 44.0
SELECT o.order_id, o.amount FROM order_info o WHERE o.status = 'new' ORDER BY o.updated_at LIMIT 100;
-- calls: 610, seconds: 12.2
SELECT DISTINCT i.sku FROM order_item i WHERE i.quantity > ?;
-- calls: 540, seconds: 61.5
SELECT p.payment_no, o.status FROM payment p JOIN order_info o ON o.order_id = p.order_id WHERE p.paid_at > ?;
-- calls: 300, seconds: 0.4
INSERT INTO users (email, name, created_at) VALUES (?, ?, NOW(6));
-- calls: 300, seconds: 0.1
SELECT LAST_INSERT_ID();
-- calls: 120, seconds: 0.2
UPDATE order_info SET user_id = ? WHERE order_id = ?;
-- calls: 40, seconds: 0.1
UPDATE region SET tax_rate = ? WHERE code = ?;
-- calls: 24, seconds: 1.0
SELECT order_id, internal_note FROM order_info WHERE user_id = ?;
-- calls: 12, seconds: 3.0
CALL close_month(?);
-- calls: 6, seconds: 2.0
SELECT name, value FROM application_setting;
