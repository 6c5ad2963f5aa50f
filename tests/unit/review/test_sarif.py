"""SARIF as the standard asks for it. `sarif-subset.schema.json` is written from the standard's text, for the
properties we use: nothing else may stand in our files, so that a new one is looked up first. Where SARIF_SCHEMA names
the official schema's file, that is asked too.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from shardwright.compiler.review.report.result import RunResult
from shardwright.compiler.review.report.sarif import sarif_text
from tests.unit.review.results import SOURCES, everything, many

SCHEMAS = [Path(__file__).with_name("sarif-subset.schema.json")]
if os.environ.get("SARIF_SCHEMA"):
    SCHEMAS.append(Path(os.environ["SARIF_SCHEMA"]))


def log(result: RunResult, docs: str = "") -> dict[str, Any]:
    return json.loads(sarif_text(result, replace(SOURCES, docs=docs)))  # type: ignore[no-any-return]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.name)
@pytest.mark.parametrize("result", [everything(), many(30, 30, files=3), many(0, 0)], ids=["all", "many", "none"])
def test_the_schema_is_met(result: RunResult, schema: Path) -> None:
    text = json.loads(schema.read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(text)
    validator.check_schema(text)
    assert [error.message for error in validator(text).iter_errors(log(result))] == []


def test_results_name_their_rule_by_index() -> None:
    (run,) = log(everything())["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[item["ruleIndex"]]["id"] for item in run["results"]] == [item["ruleId"] for item in run["results"]]
    assert len({rule["id"] for rule in rules}) == len(rules) == 3


def test_every_result_has_suppressions_when_one_has() -> None:
    (run,) = log(everything())["runs"]
    suppressions = {item["ruleId"]: item["suppressions"] for item in run["results"]}
    assert suppressions["SW2104"] == [] and suppressions["SW4001"] == []
    (only,) = suppressions["SW5004"]
    assert only == {"kind": "inSource", "status": "accepted", "justification": "they are filled by hand"}


def test_paths_are_relative_and_quoted() -> None:
    text = sarif_text(everything(), SOURCES)
    assert set(re.findall(r'"uri": "([^"]*)"', text)) == {"team/specs/my%20orders.yaml", "team/schema/shop.sql"}


@pytest.mark.parametrize("address", ["https://docs.example/sw", "https://docs.example/sw/"])
def test_a_rule_leads_to_its_code_where_the_documentation_is_served(address: str) -> None:
    (run,) = log(everything(), docs=address)["runs"]
    leading = {rule["id"]: rule["helpUri"] for rule in run["tool"]["driver"]["rules"]}
    assert leading["SW2104"] == "https://docs.example/sw/reference/errors.html#sw2104"
    assert len(leading) == 3


@pytest.mark.parametrize("address", ["", "docs/", "file:///srv/docs"])
def test_without_an_absolute_address_a_rule_leads_nowhere(address: str) -> None:
    (run,) = log(everything(), docs=address)["runs"]
    assert not any("helpUri" in rule for rule in run["tool"]["driver"]["rules"])
