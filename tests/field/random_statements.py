"""Statements as applications, administrators and migration tools give them, for two followed tables `item` and `pair`
(id, code, v) and two that nobody follows, `side` and `shadow`. One line is one session; `;` parts its statements. {t}
is a followed table, {id} a key that may be there, {new} one that is not, {v} a small number.
"""

from __future__ import annotations

import random

_ROWS = """
INSERT INTO {t} VALUES ({new}, 'n{new}', {v})
INSERT INTO {t} (id, code) VALUES ({new}, NULL)
INSERT IGNORE INTO {t} VALUES ({id}, 'again', {v}), ({new}, 'n{new}', 1)
INSERT INTO {t} VALUES ({id}, 'd{v}', 3) ON DUPLICATE KEY UPDATE v = v + 1, code = VALUES(code)
REPLACE INTO {t} VALUES ({id}, 'r{v}', {v})
REPLACE INTO {t} (id, code) SELECT id, 'from side' FROM side WHERE id < {v}
INSERT INTO {t} SELECT id + 100000 + {new}, code, v FROM {t} WHERE id < {v}
UPDATE {t} SET v = v + 1
UPDATE {t} SET v = v * 2 ORDER BY id DESC LIMIT {v}
UPDATE {t} SET id = {new} WHERE id = {id}
UPDATE IGNORE {t} SET id = id + 1 ORDER BY id DESC LIMIT 3
UPDATE item a JOIN pair b USING (id) SET a.v = b.v + 1, b.code = a.code WHERE a.id < {id}
UPDATE {t} SET code = NULL WHERE id % 7 = {v}
UPDATE {t} SET code = CONCAT(code, _utf8mb4 0xF09F9880) WHERE id = {id}
DELETE FROM {t} WHERE id = {id}
DELETE FROM {t} WHERE id > {id} ORDER BY v LIMIT {v}
DELETE a, b FROM item a JOIN pair b USING (id) WHERE a.id % 11 = {v}
BEGIN; UPDATE {t} SET v = 0; SAVEPOINT s; DELETE FROM {t}; ROLLBACK TO s; COMMIT
BEGIN; DELETE FROM {t} WHERE id < {id}; ROLLBACK
BEGIN; INSERT INTO {t} VALUES ({new}, 'x', 1); UPDATE {t} SET id = id + 1 WHERE id = {new}; DELETE FROM pair WHERE id = {v}; COMMIT
XA START 'a'; UPDATE {t} SET v = v + 3 WHERE id < {id}; XA END 'a'; XA COMMIT 'a' ONE PHASE
XA START 'b'; UPDATE {t} SET v = v - 3 WHERE id < {id}; XA END 'b'; XA PREPARE 'b'; XA COMMIT 'b'
XA START 'c'; DELETE FROM {t}; XA END 'c'; XA PREPARE 'c'; XA ROLLBACK 'c'
SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'; UPDATE {t} SET code = 'a' || v WHERE id < {id}
SET SESSION time_zone = '+07:00', foreign_key_checks = 0, unique_checks = 0; UPDATE {t} SET v = v + 1 WHERE id = {id}
SET SESSION autocommit = 0; UPDATE {t} SET v = v + 1; COMMIT; DELETE FROM {t} WHERE id = {id}
PREPARE p FROM 'DELETE FROM {t} WHERE id = {id}'; EXECUTE p
"""

_OTHERS = """
CREATE OR REPLACE VIEW seen AS SELECT * FROM {t}; UPDATE seen SET v = v + 1 WHERE id < {id}; DROP VIEW seen
CREATE TRIGGER fired AFTER INSERT ON side FOR EACH ROW UPDATE {t} SET v = v + 1 WHERE id < {id}; INSERT INTO side VALUES ({new}, 'side', 1); DROP TRIGGER fired
CREATE PROCEDURE called() UPDATE {t} SET v = v + 1 WHERE id = {id}; CALL called(); DROP PROCEDURE called
CREATE TEMPORARY TABLE {t} (id INT); DROP TEMPORARY TABLE {t}
CREATE TEMPORARY TABLE tmp LIKE {t}; INSERT INTO tmp SELECT * FROM {t}; UPDATE {t} JOIN tmp USING (id) SET {t}.v = tmp.v + 1
CREATE TABLE copied SELECT * FROM {t}; DROP TABLE copied
CREATE TABLE made LIKE {t}; INSERT INTO made SELECT * FROM {t}; DROP TABLE made
CREATE DATABASE IF NOT EXISTS away; CREATE TABLE away.item LIKE item; INSERT INTO away.item VALUES ({id}, 'away', 1); DROP TABLE away.item
ALTER TABLE side ADD extra{v} INT; ALTER TABLE side DROP extra{v}
TRUNCATE side
RENAME TABLE side TO side_2, side_2 TO side
RENAME TABLE side TO tmp, shadow TO side, tmp TO shadow
ANALYZE TABLE {t}
OPTIMIZE TABLE {t}
CHECK TABLE {t}
LOCK TABLES {t} WRITE; UPDATE {t} SET v = v + 1; UNLOCK TABLES
FLUSH TABLES {t}
FLUSH BINARY LOGS
ALTER TABLE {t} COMMENT 'x{v}'
ALTER TABLE {t} AUTO_INCREMENT = {new}
ALTER TABLE {t} ENGINE = InnoDB
ALTER TABLE {t} FORCE
ALTER TABLE {t} ADD INDEX i{v} (v)
CREATE INDEX j{v} ON {t} (code, v)
ALTER TABLE {t} ADD INDEX k (v); ALTER TABLE {t} DROP INDEX k
ALTER TABLE {t} ALTER v SET DEFAULT {v}
ALTER TABLE {t} STATS_PERSISTENT = 1
ALTER TABLE {t} ADD CHECK (v > -1000000)
"""

_DANGERS = """
TRUNCATE {t}
ALTER TABLE {t} ADD extra INT NULL; UPDATE {t} SET extra = 1
ALTER TABLE {t} ADD front INT NOT NULL DEFAULT 3 FIRST; UPDATE {t} SET v = v + 1
ALTER TABLE {t} ADD made INT AS (v + 1) STORED; UPDATE {t} SET v = v + 1
ALTER TABLE {t} ADD seen INT AS (v + 1) VIRTUAL AFTER id; UPDATE {t} SET v = v + 1
ALTER TABLE {t} DROP COLUMN v
ALTER TABLE {t} DROP code, ADD code VARCHAR(20) NULL AFTER id
ALTER TABLE {t} RENAME COLUMN v TO w
ALTER TABLE {t} RENAME COLUMN v TO x, RENAME COLUMN x TO v
ALTER TABLE {t} CHANGE v v INT NULL AFTER id
ALTER TABLE {t} MODIFY v BIGINT NULL; UPDATE {t} SET v = v + 5000000000
ALTER TABLE {t} MODIFY v SMALLINT NULL
ALTER TABLE {t} MODIFY code VARCHAR(5) NULL
ALTER TABLE {t} MODIFY code VARCHAR(200) NULL; UPDATE {t} SET code = REPEAT('y', 150) WHERE id = {id}
ALTER TABLE {t} MODIFY code TEXT NULL
ALTER TABLE {t} CONVERT TO CHARACTER SET latin1
ALTER TABLE {t} DEFAULT CHARACTER SET latin1
ALTER TABLE {t} DROP PRIMARY KEY
ALTER TABLE {t} DROP PRIMARY KEY, ADD PRIMARY KEY (id, v)
ALTER TABLE {t} ADD FOREIGN KEY (v) REFERENCES side (id) ON DELETE CASCADE; DELETE FROM side
ALTER TABLE {t} PARTITION BY HASH (id) PARTITIONS 3
ALTER TABLE {t} PARTITION BY HASH (id) PARTITIONS 3; ALTER TABLE {t} TRUNCATE PARTITION p1
ALTER TABLE {t} PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (50), PARTITION p1 VALUES LESS THAN MAXVALUE); ALTER TABLE {t} DROP PARTITION p0
ALTER TABLE {t} PARTITION BY HASH (id) PARTITIONS 2; ALTER TABLE {t} EXCHANGE PARTITION p0 WITH TABLE shadow WITHOUT VALIDATION
ALTER TABLE {t} PARTITION BY HASH (id) PARTITIONS 2; ALTER TABLE {t} COALESCE PARTITION 1; ALTER TABLE {t} REMOVE PARTITIONING
RENAME TABLE {t} TO gone, shadow TO {t}
RENAME TABLE {t} TO gone, gone TO {t}
RENAME TABLE {t} TO gone; RENAME TABLE gone TO {t}
RENAME TABLE item TO tmp, pair TO item, tmp TO pair
ALTER TABLE {t} RENAME TO gone; ALTER TABLE shadow RENAME TO {t}
DROP TABLE {t}
DROP TABLE {t}; CREATE TABLE {t} LIKE shadow; INSERT INTO {t} SELECT * FROM shadow
CREATE OR REPLACE TABLE {t} LIKE shadow
CREATE OR REPLACE TABLE {t} SELECT * FROM shadow
DROP TABLE shadow; CREATE TABLE shadow LIKE {t}; INSERT INTO shadow SELECT * FROM {t}; RENAME TABLE {t} TO old_one, shadow TO {t}
DROP DATABASE shop
CREATE TRIGGER lost BEFORE UPDATE ON {t} FOR EACH ROW SET NEW.v = NEW.v + 1; UPDATE {t} SET v = v + 1
SET SESSION binlog_format = STATEMENT; UPDATE {t} SET v = v + 1
SET SESSION binlog_format = STATEMENT; DELETE FROM {t} WHERE id < {id}
SET SESSION binlog_format = STATEMENT; UPDATE side SET v = v + 1
SET SESSION binlog_format = MIXED; UPDATE {t} SET v = v + 1 LIMIT 2
SET SESSION binlog_row_image = MINIMAL; UPDATE {t} SET v = v + 1 WHERE id = {id}
SET SESSION binlog_row_image = NOBLOB; UPDATE {t} SET v = v + 1 WHERE id = {id}
LOCK TABLES {t} WRITE; TRUNCATE {t}; UNLOCK TABLES
ALTER TABLE {t} ENGINE = MyISAM; UPDATE {t} SET v = v + 1
ALTER TABLE {t} ADD SYSTEM VERSIONING; UPDATE {t} SET v = v + 1
ALTER TABLE {t} MODIFY v INT INVISIBLE; UPDATE {t} SET v = v + 1
INSTALL SONAME 'ha_blackhole'; ALTER TABLE {t} ENGINE = BLACKHOLE
"""

_GLOBALS = """
sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'
sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_UNSIGNED_SUBTRACTION'
sql_mode = ''
sql_safe_updates = 1
sql_select_limit = 2
max_join_size = 2
time_zone = '-05:00'
autocommit = 0
completion_type = 'CHAIN'
binlog_row_image = 'MINIMAL'
binlog_format = 'STATEMENT'
binlog_row_value_options = 'PARTIAL_JSON'
binlog_rows_query_log_events = 1
binlog_annotate_row_events = 0
binlog_transaction_compression = 1
log_bin_compress = 1
character_set_server = 'latin1'
collation_connection = 'latin1_swedish_ci'
character_set_client = 'latin1'
character_set_results = 'latin1'
lc_messages = 'de_DE'
div_precision_increment = 1
group_concat_max_len = 8
default_week_format = 3
tx_isolation = 'READ-UNCOMMITTED'
transaction_isolation = 'READ-UNCOMMITTED'
transaction_read_only = 1
tx_read_only = 1
sql_quote_show_create = 0
old_mode = ''
max_sort_length = 4
innodb_lock_wait_timeout = 1
net_write_timeout = 1
interactive_timeout = 2
wait_timeout = 2
max_statement_time = 1
max_execution_time = 50
binlog_checksum = 'NONE'
foreign_key_checks = 0
"""

_KINDS = tuple(tuple(text.strip().splitlines()) for text in (_ROWS, _OTHERS, _DANGERS, _GLOBALS))
_WEIGHTS = (8, 4, 2, 2)


def draw(dice: random.Random, number: int) -> tuple[str, ...]:
    """The statements of one session. `number` makes new keys new."""
    kind = dice.choices(range(len(_KINDS)), _WEIGHTS)[0]
    line = dice.choice(_KINDS[kind])
    if kind == 3:
        return (f"SET GLOBAL {line}", f"UPDATE {dice.choice(('item', 'pair'))} SET v = v + 1")
    for name, value in (
        ("{t}", dice.choice(("item", "pair"))),
        ("{id}", str(dice.randrange(1, 200))),
        ("{new}", str(1_000 + 2 * number)),
        ("{v}", str(dice.randrange(1, 9))),
    ):
        line = line.replace(name, value)
    return tuple(part.strip() for part in line.split("; "))
