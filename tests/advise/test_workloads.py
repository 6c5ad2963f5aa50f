"""The workloads for `advise` are what they claim: read by `compiler/workload`, accepted by a real server, and true."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from sqlglot import exp

from shardwright.compiler.workload.digest import parse_statement
from shardwright.compiler.workload.merge import group_statements
from shardwright.compiler.workload.read import read_workload
from shardwright.compiler.workload.statement import StatementGroup
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.advise.workloads.make_workloads import DIGESTS, FILES, FOLDER, calls_of, make_workload
from tests.advise.workloads.requests import read_columns
from tests.servers.testbed import Arena
from tests.support.commands import shardwright

NAMES: Final = sorted(FILES)
KINDS: Final = {
    "updated_key", "unique_without_key", "hot_key", "low_cardinality_key", "monotonic_key", "nullable_key",
    "case_insensitive_key", "key_of_other_type", "table_without_key", "busy_small_table", "cross_shard_join",
    "changed_answer", "cross_shard_transaction", "id_lookup_without_key", "self_reference", "many_to_many",
}  # fmt: skip
UNREAD: Final = {
    "shop": ("RELEASE SAVEPOINT",),
    "forum": (),
    "billing": (),
}
"""What the reader of the workload does not understand. Who mends it takes it away here."""


@cache
def _groups(name: str) -> tuple[StatementGroup, ...]:
    text = (FOLDER / name / FILES[name]).read_text(encoding="utf-8")
    return group_statements(read_workload(text, FILES[name]))


@cache
def _schema(name: str) -> dict[str, dict[str, str]]:
    return read_columns((FOLDER / name / "schema.sql").read_text(encoding="utf-8"))


@cache
def _truth(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / name / "truth.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_what_the_generator_makes(name: str) -> None:
    text = (FOLDER / name / FILES[name]).read_text(encoding="utf-8")
    assert make_workload(name) == text
    assert len(text) < 2_000_000


@pytest.mark.parametrize("name", NAMES)
def test_a_workload_is_of_a_real_size(name: str) -> None:
    assert len(_groups(name)) >= 150
    assert 18 <= len(_schema(name)) <= 32
    calls = sorted((group.calls for group in _groups(name)), reverse=True)
    assert sum(calls[:30]) > 0.55 * sum(calls), "a few statements make most of the calls"


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_is_parsed_but_for_those_that_are_named(name: str) -> None:
    unread = [text for group in _groups(name) for text in group.texts if parse_statement(text).tree is None]
    assert [text for text in unread if not any(part in text for part in UNREAD[name])] == []
    assert [part for part in UNREAD[name] if not any(part in text for text in unread)] == [], "it is read now"


@pytest.mark.parametrize("name", NAMES)
def test_every_table_of_a_statement_is_in_the_schema(name: str) -> None:
    named: set[str] = set()
    for text in (text for group in _groups(name) for text in group.texts):
        if (tree := parse_statement(text).tree) is not None:
            tables = list(tree.find_all(exp.Table))
            named |= {table.name for table in tables} - {table.alias for table in tables}  # DELETE r FROM reports r
    assert named - _schema(name).keys() == set()
    assert _schema(name).keys() - named == set(), "a table that nobody uses"


@pytest.mark.parametrize("name", NAMES)
def test_the_truth_names_what_is_there(name: str) -> None:
    truth, schema = _truth(name), _schema(name)
    places = [truth["key"], *truth["wrong_keys"], *truth["hot"], *truth["traps"]]
    places += [{"table": table, **follows} for table, follows in truth["family"].items()]
    wrong = [one for one in places if one["table"] not in schema]
    wrong += [one for one in places if "column" in one and one["column"] not in schema.get(one["table"], {})]
    wrong += [one for one in places if "parent" in one and one["parent"] not in truth["family"]]
    assert wrong == []
    parts = [*truth["family"], *truth["broadcast"], *truth["apart"]]
    assert sorted(parts) == sorted(schema), "each table is in one part"


@pytest.mark.parametrize("name", NAMES)
def test_statements_of_traps_are_in_the_workload(name: str) -> None:
    texts = [text for group in _groups(name) for text in group.texts]
    begun = [trap["statement"] for trap in _truth(name)["traps"] if "statement" in trap]
    assert [one for one in begun if not any(text.startswith(one) for text in texts)] == []


def test_each_kind_of_trap_is_planted() -> None:
    planted = Counter(kind for name in NAMES for kind in {trap["kind"] for trap in _truth(name)["traps"]})
    assert planted.keys() == KINDS
    assert sum(number >= 2 for number in planted.values()) > len(KINDS) / 2


@pytest.mark.in_turn
@pytest.mark.server
@pytest.mark.parametrize("name", NAMES)
def test_a_server_executes_every_statement_and_advice_is_true(name: str, arena: Arena, tmp_path: Path) -> None:
    """MySQL has no SEQUENCE engine: there the tables are empty."""
    shards = [f"{name}_{number}" for number in range(4)]
    arena.prepare(tmp_path, source_databases=(name,), target_databases=shards)
    arena.source.run_script(FOLDER / name / "schema.sql", database=name)
    if arena.source.sandbox.kind != "mysql":
        arena.source.run_script(FOLDER / name / "data.sql", database=name)
        for hot in _truth(name)["hot"]:
            counted = f"SELECT AVG({hot['column']} = {hot['value']}) FROM {hot['table']}"
            assert float(arena.source.query(counted, database=name)[0][0]) == pytest.approx(hot["share"], abs=0.02)
        _check_advice(name, tmp_path)
    with arena.source.connect(name) as connection, connection.cursor() as cursor:
        cursor.execute("SET foreign_key_checks = 0")  # a statement is tried without those before it
        for statement in dict.fromkeys(text for call in calls_of(name) for text in call.statements):
            cursor.execute("BEGIN")
            if released := re.match("RELEASE (SAVEPOINT .*)", statement):
                cursor.execute(released[1])
            cursor.execute(statement)
            cursor.fetchall()
            cursor.execute("ROLLBACK")


def _check_advice(name: str, project: Path) -> None:
    """What `advise` measures is kept beside the workload (SHARDWRIGHT_REWRITE=1 writes it anew), and its spec compiles."""
    words = ("--env", "test", "--database", name, "--statements", str(FOLDER / name / FILES[name]), "--keys", "2")
    kept = FOLDER / name / "statistics.json"
    written = project / "statistics.json"
    files = ("--write-spec", "specs/own.yaml", "--html", "advice.html", "--write-statistics", str(written))
    advised = shardwright(project, "advise", *words, *files, "--format", "json").require(0)
    measured = without_bytes(written.read_text(encoding="utf-8"))
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        kept.write_text(measured, encoding="utf-8")
    assert kept.read_text(encoding="utf-8") == measured
    best = json.loads(advised.out)["designs"][0]
    assert best["key"] == "{table}.{column}".format(**_truth(name)["key"])
    shardwright(project, "compile").require(0)
    assert "shard key that was found" in (project / "advice.html").read_text(encoding="utf-8")


def without_bytes(text: str) -> str:
    """Sizes in bytes depend on the server's version."""
    document = json.loads(text)
    for table in document["tables"].values():
        table["bytes"] = 0
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


@pytest.mark.server
@pytest.mark.mysql
def test_digests_are_those_of_the_server(arena: Arena, tmp_path: Path) -> None:
    """SHARDWRIGHT_REWRITE=1 writes them anew. What the server counts is a workload for `advise` and `conform`."""
    if arena.source.sandbox.kind != "mysql":
        pytest.skip("MySQL only: MariaDB has no STATEMENT_DIGEST_TEXT")
    arena.prepare(tmp_path, source_databases=("billing",), target_databases=("billing_0", "billing_1"))
    digests: dict[str, list[str]] = {}
    with arena.source.connect("billing") as connection, connection.cursor() as cursor:
        for call in calls_of("billing"):
            for template, statement in zip(call.page.statements, call.statements, strict=True):
                cursor.execute("SELECT STATEMENT_DIGEST(%s), STATEMENT_DIGEST_TEXT(%s)", (statement, statement))
                digests[template] = list(cursor.fetchone())
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        DIGESTS.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    assert json.loads(DIGESTS.read_text(encoding="utf-8")) == digests
    arena.source.run_script(FOLDER / "billing" / "schema.sql", database="billing")
    refused = shardwright(tmp_path, "advise", "--env", "test", "--database", "billing", "--keys", "1").require(0)
    assert "shows no statement of billing to this account" in refused.err
    account = f"'{RUNTIME_USER}'@'{arena.source.sandbox.account_host}'"
    arena.source.query(f"GRANT SELECT ON performance_schema.* TO {account}")
    with arena.source.connect("billing") as connection, connection.cursor() as cursor:
        for tenant in range(7):
            cursor.execute(f"SELECT id, state FROM invoice WHERE tenant_id = {tenant}")
    words = ("--env", "test", "--database", "billing", "--keys", "1", "--format", "json")
    advised = json.loads(shardwright(tmp_path, "advise", *words, "--write-spec", "specs/own.yaml").require(0).out)
    asked = "SELECT id, state FROM invoice WHERE tenant_id = ?"
    [found] = [one for one in advised["designs"][0]["statements"] if one["sql"] == asked]
    assert found["calls"] == 7 and found["seconds"] > 0
    judged = json.loads(shardwright(tmp_path, "conform", "--env", "test", "--format", "json", "--fail-on", "never").out)
    assert asked in {one["sql"] for one in judged["conform"]["statements"]}
