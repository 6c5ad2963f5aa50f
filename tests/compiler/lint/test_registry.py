"""The rules as a whole: each is explained, documented and shown by cases."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from shardwright.compiler import lint as lint_package
from shardwright.compiler.lint.registry import RULES
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.codes.registry import find_code
from shardwright.specs.findings.diagnostics import Severity, suppressible

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases"


def test_every_rule_is_registered() -> None:
    folder = Path(lint_package.__path__[0])
    modules = [import_module(f"{lint_package.__name__}.{path.stem}") for path in sorted(folder.glob("[a-z]*.py"))]
    written = {value.code for module in modules for value in vars(module).values() if isinstance(value, Rule)}
    assert {rule.code for rule in RULES} == written


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_is_documented_beside_its_check(rule: Rule) -> None:
    assert rule.check.__doc__
    assert rule.check.__name__ == "check_" + rule.name.replace("-", "_")


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_is_explained(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert find_code(rule.code)
    assert (suppressible(rule.code) is None) == (rule.severity is Severity.ERROR)
    assert rule.description and not rule.description.endswith(".")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_has_a_case_and_a_near_miss(rule: Rule) -> None:
    """The near miss is a neighbouring project in which the rule stays silent."""
    positive, near_miss = CASES / "invalid" / f"lint-{rule.name}", CASES / "valid" / f"lint-{rule.name}"
    assert rule.code in (positive / "expected.txt").read_text("utf-8")
    advice = near_miss / "expected.txt"
    assert (near_miss / "spec.yaml").exists()
    assert not advice.exists() or rule.code not in advice.read_text("utf-8")
