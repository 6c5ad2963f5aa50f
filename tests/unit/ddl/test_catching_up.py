"""Statements that lead to what the plan's CREATE TABLE says already are told from those that change the target."""

from __future__ import annotations

import pytest

from shardwright.compiler.ddl.alter.after_changes import after_changes
from shardwright.compiler.ddl.routing.catching_up import creates_of
from shardwright.compiler.ddl.routing.changes import read_changes
from shardwright.compiler.ddl.routing.lead_to import lead_to, proposal_lines
from shardwright.compiler.ddl.shape.rewrite import SUFFIX
from shardwright.compiler.ddl.shape.shape_difference import differences
from shardwright.compiler.ddl.shape.table_shape import read_create, shape_of
from shardwright.specs.findings.diagnostics import Findings
from tests.ddl.plans import shop_plan, shop_tables

CREATES = creates_of(shop_plan({}).steps)


def _read(*statements: str) -> tuple[list[bool], list[str]]:
    findings = Findings()
    files = {f"{number:04d}_x.sql": f"{text};\n" for number, text in enumerate(statements, start=1)}
    changes = read_changes(files, tables=shop_tables(), findings=findings, creates=CREATES)
    return [change.catches_up for change in changes], [item.code for item in findings.items]


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE orders ADD COLUMN amount DECIMAL(12,2) NOT NULL DEFAULT 0",
        "ALTER TABLE orders ADD COLUMN number VARCHAR(32) NOT NULL, ADD UNIQUE KEY number (number)",
        "ALTER TABLE orders MODIFY COLUMN amount NUMERIC(12,2) NOT NULL DEFAULT '0.00'",
        "ALTER TABLE orders RENAME COLUMN nr TO number",
        "ALTER TABLE orders CHANGE COLUMN nr number VARCHAR(32) NOT NULL",
        "ALTER TABLE orders DROP COLUMN gone, DROP INDEX gone_too",
        "ALTER TABLE orders DROP INDEX placed, ADD INDEX placed (user_id, placed_at)",
        "ALTER TABLE orders ADD CONSTRAINT amount_positive CHECK (amount >= 0)",
        "CREATE INDEX placed ON orders (user_id, placed_at)",
        "DROP INDEX gone ON orders",
        "ALTER TABLE orders DROP PRIMARY KEY, ADD PRIMARY KEY (id)",
    ],
)
def test_what_the_plan_has_already_catches_up(statement: str) -> None:
    assert _read(statement) == ([True], [])


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("ALTER TABLE orders ADD COLUMN amount DECIMAL(14,2) NOT NULL DEFAULT 0", "SW4211"),
        ("ALTER TABLE orders MODIFY COLUMN amount DECIMAL(12,2) NULL", "SW4210"),
        ("ALTER TABLE orders DROP COLUMN amount", "SW4210"),
        ("ALTER TABLE orders RENAME COLUMN amount TO number", "SW4210"),
        ("ALTER TABLE orders ADD COLUMN amount DECIMAL(12,2) NOT NULL DEFAULT 0, ADD COLUMN note INT", "SW4211"),
        ("ALTER TABLE orders DROP PRIMARY KEY", "SW4212"),
    ],
)
def test_what_would_change_a_copied_column_is_refused_as_always(statement: str, code: str) -> None:
    changes, codes = _read(statement)
    assert changes == [] and code in codes


def test_what_an_earlier_file_added_is_no_leftover_of_an_earlier_spec() -> None:
    assert _read(
        "ALTER TABLE orders ADD COLUMN note INT, ADD CONSTRAINT small CHECK (note < 9)",
        "ALTER TABLE orders DROP CONSTRAINT small",
        "ALTER TABLE orders DROP COLUMN note",
        "ALTER TABLE orders DROP COLUMN never_there",
    ) == ([False, False, False, True], [])


OLD = """
CREATE TABLE orders_0 (
  id BIGINT UNSIGNED NOT NULL, user_id INT UNSIGNED NOT NULL, number VARCHAR(32) NOT NULL, paid TINYINT,
  placed_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (id), KEY placed (placed_at), KEY by_paid (paid), CONSTRAINT amount_positive_0 CHECK (id >= 0), CHECK (user_id > 1)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='old'
"""


PROPOSED = """\
ALTER TABLE `orders`
  DROP INDEX `placed`,
  DROP CONSTRAINT `amount_positive`,
  MODIFY COLUMN `user_id` BIGINT(20) UNSIGNED NOT NULL,
  ADD COLUMN `amount` DECIMAL(12, 2) NOT NULL DEFAULT 0.00,
  ADD UNIQUE `number` (
    `number`
  ),
  ADD INDEX `placed` (`user_id`, `placed_at`),
  ADD CONSTRAINT `amount_positive` CHECK (`amount` >= 0)
,   COMMENT='';

-- Not in the spec. To drop it, remove the comment marks; if it was renamed, write RENAME COLUMN instead:
-- ALTER TABLE `orders`
-- DROP INDEX `by_paid`;

-- Not in the spec. To drop it, remove the comment marks; if it was renamed, write RENAME COLUMN instead:
-- ALTER TABLE `orders`
-- DROP COLUMN `paid`;

-- orders: check CHECK (user_id > 1) is too much: no routed statement fixes this"""


def test_what_is_proposed_catches_up_and_leads_there() -> None:
    live, create = read_create(OLD), CREATES["orders"]
    assert live is not None
    found = differences(shape_of(create, suffix=SUFFIX, defaults={}), shape_of(live, suffix="_0", defaults={}))
    proposal = lead_to(create, found, logical="orders")
    assert "\n".join(proposal_lines(proposal)) == PROPOSED
    assert _read(proposal.statement, *proposal.drops) == ([True] * 3, [])
    done = after_changes(live, [proposal.statement.replace("amount_positive", "amount_positive_0"), *proposal.drops])
    left = differences(shape_of(create, suffix=SUFFIX, defaults={}), shape_of(done, suffix="_0", defaults={}))
    assert [str(item) for item in left] == ["check CHECK (user_id > 1) is too much"]
