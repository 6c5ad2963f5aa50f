"""`conform` on the shop: verdicts of every kind, the baseline, exit codes and reports."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.compiler.projects import SHOP
from tests.unit.cli.conftest import Call

STATEMENTS = ("--statements", "conform/statements.sql")
BASELINE = ("--baseline", "conform/baseline.json")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example, as the current folder."""
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "shop"
    for part in ("specs", "schema", "ddl", "conform"):
        shutil.copytree(SHOP / part, folder / part)
    monkeypatch.chdir(folder)
    return folder


def test_the_baseline_of_the_shop_is_current(shop: Path, call: Call) -> None:
    before = (shop / "conform" / "baseline.json").read_text("utf-8")
    ended = call("conform", *STATEMENTS, *BASELINE)
    assert ended.code == 0 and "error" not in ended.err, ended.err
    assert call("conform", *STATEMENTS, "--write-baseline", BASELINE[1]).code == 0
    assert (shop / "conform" / "baseline.json").read_text("utf-8") == before


def test_the_shop_has_a_statement_of_every_kind(shop: Path, call: Call) -> None:
    ended = call("conform", *STATEMENTS, "--format", "json")
    assert ended.code == 1
    statements = json.loads(ended.out)["conform"]["statements"]
    assert 25 <= len(statements) <= 40
    assert {item["verdict"] for item in statements} == {
        "one shard", "broadcast read", "no table", "other table", "scatter, same answer", "scatter, other answer",
        "writes a broadcast table", "cross-shard transaction", "cross-shard join", "updates the shard key",
        "not understood",
    }  # fmt: skip
    first = statements[0]
    assert (first["verdict"], first["keys"], first["calls"]) == (
        "one shard",
        [{"column": "users.id", "value": "parameter 1"}],
        91200,
    )


def test_a_new_bad_statement_fails_at_its_line(shop: Path, call: Call) -> None:
    with (shop / "conform" / "statements.sql").open("a") as file:
        file.write("SELECT MAX(paid) FROM payment;\nSELECT paid FROM payment WHERE user_id = 3;\n")
    line = (shop / "conform" / "statements.sql").read_text().count("\n") - 1
    ended = call("conform", *STATEMENTS, *BASELINE, "--report", "sarif=out.sarif")
    assert ended.code == 1 and ended.err.count("error SW52") == 1
    assert f"conform/statements.sql:{line}:1: error SW5201" in ended.err
    results = json.loads((shop / "out.sarif").read_text())["runs"][0]["results"]
    assert [item["ruleId"] for item in results if not item["suppressions"]] == ["SW5201"]
    assert any(item["suppressions"] for item in results)
    assert call("conform", *STATEMENTS, *BASELINE, "--fail-on", "never").code == 0


def test_the_summary_has_the_share_of_calls(shop: Path, call: Call) -> None:
    Path("two.sql").write_text("-- calls: 3\nSELECT email FROM users WHERE id = 1;\nSELECT COUNT(*) FROM users;\n")
    ended = call("conform", "--statements", "two.sql")
    assert [line.split() for line in ended.out.splitlines()] == [
        ["verdict", "statements", "new", "calls"],
        ["one", "shard", "1", "75.0", "%"],
        ["scatter,", "other", "answer", "1", "1", "25.0", "%"],
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--statements", "none.sql"), "SW5210"),
        (("--statements", "bad.csv"), "SW5210"),
        ((*STATEMENTS, "--baseline", "none.json"), "SW5211"),
        ((*STATEMENTS, "--baseline", "bad.csv"), "SW5211"),
        ((*STATEMENTS, "--migration", "other"), "SW5212"),
    ],
)
def test_what_cannot_be_read_is_named(shop: Path, call: Call, arguments: tuple[str, ...], code: str) -> None:
    Path("bad.csv").write_text("DIGEST_TEXT,CALLS\nSELECT 1,2\n")
    ended = call("conform", *arguments)
    assert ended.code == 1 and f"error {code}: " in ended.err


def test_a_spec_with_an_error_is_reported_first(shop: Path, call: Call) -> None:
    spec = shop / "specs" / "shop.yaml"
    spec.write_text(spec.read_text().replace("sharding: by_user", "sharding: by_usr", 1))
    ended = call("conform", *STATEMENTS)
    assert ended.code == 1 and "SW52" not in ended.err and "by_usr" in ended.err
