"""Invariants that are refused, each with the place in the spec. What becomes of sound ones is in golden/invariants."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from shardwright.compiler.plan.invariant import Invariant
from shardwright.specs.findings.diagnostics import SpecError
from tests.compiler.projects import GOLDEN, compile_folder

SOUND = GOLDEN / "invariants"

REFUSED = [
    ("none", "DELETE FROM orders", "SW3201", "one SELECT"),
    ("sql", "SELECT COUNT(*) AS n FROM orders; SELECT 1", "SW3201", "one SELECT"),
    ("sql", "SELECT COUNT(*) AS n FROM", "SW3201", "cannot be read"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE status = '", "SW3201", "not closed"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE status = '${suffix}'", "SW3201", "holds"),
    ("sql", "SELECT 1 AS one", "SW3202", "reads no table"),
    ("sql", "SELECT COUNT(*) AS n FROM ordres", "SW3202", "no table 'ordres'"),
    ("sql", "SELECT COUNT(*) AS n FROM shop_0.orders", "SW3202", "no table 'shop_0.orders'"),
    ("none", "SELECT o.id FROM orders o JOIN orders o ON o.id = o.id", "SW3202", "two tables are called 'o'"),
    ("sql", "SELECT SUM(amount) AS n FROM orders", "SW3203", "no column 'amount'"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE x.id = 1", "SW3203", "no table 'x'"),
    ("none", "SELECT id FROM orders o JOIN payment p ON p.payer = o.user_id", "SW3203", "'o' and 'p' both have a column 'id'"),
    ("sql", "SELECT COUNT(*) AS n FROM orders UNION SELECT COUNT(*) AS n FROM payment", "SW3204", "UNION"),
    ("sql", "SELECT AVG(price) AS n FROM orders", "SW3204", "AVG"),
    ("sql", "SELECT COUNT(DISTINCT user_id) AS n FROM orders", "SW3204", "DISTINCT"),
    ("sql", "SELECT COUNT(*) AS n FROM orders ORDER BY n", "SW3204", "ORDER BY"),
    ("sql", "SELECT COUNT(*) AS n FROM orders LIMIT 1", "SW3204", "LIMIT"),
    ("sql", "SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING n > 1", "SW3204", "HAVING"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE made < NOW()", "SW3204", ""),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE made < CURRENT_TIMESTAMP", "SW3204", "the present time"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE RAND() < 0.5", "SW3204", "RAND"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE sleep(5)", "SW3204", "SLEEP()"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE id = @x", "SW3204", "a variable"),
    ("sql", "SELECT COUNT(*) AS n FROM (SELECT id FROM orders) o", "SW3204", "a query in FROM"),
    ("sql", "SELECT SUM(COUNT(*)) OVER () AS n FROM orders", "SW3204", "a window"),
    ("sql", "SELECT COUNT(*) AS n FROM orders o RIGHT JOIN region r ON r.code = o.region", "SW3204", "this kind of join"),
    ("sql", "SELECT COUNT(*) AS n FROM orders WHERE id > (SELECT MAX(code) FROM region)", "SW3204", "an aggregate here"),
    ("none", "SELECT status FROM orders GROUP BY status", "SW3204", "GROUP BY"),
    ("none", "SELECT * FROM orders", "SW3204", "*"),
    ("sql", "SELECT COUNT(*) FROM orders", "SW3205", "has no name"),
    ("sql", "SELECT COUNT(*) AS n, SUM(price) AS N FROM orders", "SW3205", "two columns of the result are called 'n'"),
    ("sql", "SELECT SUM(price) / COUNT(*) AS mean FROM orders", "SW3205", "computes with what is added up"),
    ("sql", "SELECT status, COUNT(*) AS n FROM orders", "SW3205", "does not group by 'status'"),
    ("sql", "SELECT COUNT(*) AS n FROM orders GROUP BY status", "SW3205", "not in the result"),
    ("sql", "SELECT status FROM orders GROUP BY status", "SW3205", "nothing is added up"),
    ("sql", "SELECT MAX(status) AS last FROM orders", "SW3206", "MAX is for"),
    ("none", "SELECT p.id FROM payment p LEFT JOIN orders o ON o.id = p.order_id WHERE o.id IS NULL", "SW3207", "p.payer = o.user_id"),
    (
        "none",
        "SELECT p.id FROM payment p LEFT JOIN orders o ON o.id = p.order_id OR p.payer = o.user_id WHERE o.id IS NULL",
        "SW3207",
        "p.payer = o.user_id",
    ),
    ("none", "SELECT r.code FROM region r LEFT JOIN orders o ON o.region = r.code WHERE o.id IS NULL", "SW3207", "begin with o"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "query", "code", "reported"), REFUSED)
def test_refused(tmp_path: Path, kind: str, query: str, code: str, reported: str) -> None:
    with pytest.raises(SpecError) as failure:
        _with(tmp_path, [{"name": "it", kind: query}])
    (found,) = [item for item in failure.value.diagnostics if item.stops]
    assert found.code == code and reported in found.message, found
    assert "it" in (tmp_path / "spec.yaml").read_text("utf-8").splitlines()[found.span.line - 2], found.span


def test_a_chain_of_parents_is_joined_link_by_link(tmp_path: Path) -> None:
    """golden/chain has the whole chain; without the link in the middle, its ends are not co-located."""
    for file in ("schema.sql", "spec.yaml"):
        shutil.copy(GOLDEN / "chain" / file, tmp_path)
    spec = yaml.safe_load((tmp_path / "spec.yaml").read_text("utf-8"))
    query = (
        "SELECT COUNT(*) AS n FROM customer c JOIN order_line l ON l.shop = c.code JOIN line_note n ON n.line = l.line"
    )
    spec["invariants"] = [{"name": "it", "sql": query}]
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec, sort_keys=False, width=10_000), "utf-8")
    with pytest.raises(SpecError, match="'c' and 'l' are not co-located"):
        compile_folder(tmp_path)


def test_a_name_occurs_once(tmp_path: Path) -> None:
    query = "SELECT COUNT(*) AS n FROM orders"
    with pytest.raises(SpecError) as failure:
        _with(tmp_path, [{"name": "it", "sql": query}, {"name": "it", "sql": query}])
    assert [item.code for item in failure.value.diagnostics] == ["SW3208"]


def test_a_masked_column_may_be_counted_only(tmp_path: Path) -> None:
    masked = {"mask": {"memo": "redact"}}
    (one,) = _with(tmp_path, [{"name": "it", "sql": "SELECT COUNT(memo) AS n FROM payment"}], payment=masked)
    assert [column.role for column in one.columns] == ["sum"]
    with pytest.raises(SpecError, match="SW3205"):
        _with(tmp_path, [{"name": "it", "none": "SELECT memo FROM payment"}], payment=masked)


def test_invariants_are_no_part_of_the_fingerprint(tmp_path: Path) -> None:
    with_them = compile_folder(SOUND).plan
    _with(tmp_path, [{"name": "it", "sql": "SELECT COUNT(*) AS n FROM orders"}])
    assert compile_folder(tmp_path).plan.fingerprint == with_them.fingerprint


def _with(folder: Path, invariants: list[dict[str, str]], **columns: object) -> tuple[Invariant, ...]:
    shutil.copy(SOUND / "schema.sql", folder)
    spec = yaml.safe_load((SOUND / "spec.yaml").read_text("utf-8"))
    spec["invariants"] = invariants
    for table in spec["tables"]:
        if table["table"] in columns:
            table["columns"] = columns[table["table"]]
    (folder / "spec.yaml").write_text(yaml.safe_dump(spec, sort_keys=False, width=10_000), "utf-8")
    return compile_folder(folder).plan.invariants
