"""What an operator gets wrong: one clear message on stderr, the exit code that says what to do next, no secret."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from examples.shop.load import load_shop
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, create_source_accounts, password_file
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from shardwright.runtime.rehearsal.sandbox.local import free_port
from tests.servers.testbed import Arena, Server
from tests.support.commands import SMALL_CHUNKS, Outcome, shardwright
from tests.support.job import ENVIRONMENT, Job
from tests.workload.shop import PROJECT, create_shop, shop_address

pytestmark = pytest.mark.server

INPUT_AT_FAULT, TOOL_FAILED, CHANGES_PRESENT, UNREACHABLE, STOPPED_PART_WAY, REFUSED = range(1, 7)
RUN = ("run", "--env", ENVIRONMENT, "--until", "caught-up")
CANARY = "canary-7Zq-not-to-be-seen"


class Operator:
    """Runs commands on a project as the operator would, and judges what comes back."""

    def __init__(self, arena: Arena, job: Job) -> None:
        self.arena = arena
        self.job = job
        self.project = job.project
        self.secrets = {CANARY, password_file(RUNTIME_USER, secrets=arena.folder / "secrets").read_text().strip()}

    def gets(
        self, code: int, finding: str, text: str, *arguments: str, environ: dict[str, str] | None = None
    ) -> Outcome:
        """Run a command that must end with `code` and say, in its first line, `finding` and a match of `text`."""
        outcome = shardwright(self.project, *(arguments or RUN), environ=environ)
        self.require_clear(outcome, code)
        errors = [line for line in outcome.err.splitlines() if re.search(r"\berror SW\d{4}: ", line)]
        assert len(errors) == 1, f"one message, please: {outcome}"
        assert re.search(rf"error {finding}: .*{text}", errors[0]), outcome
        assert f"shardwright explain {finding}" in outcome.err, outcome
        assert shardwright(self.project, "explain", finding).code == 0
        return outcome

    def require_clear(self, outcome: Outcome, code: int) -> None:
        outcome.require(code)
        assert "Traceback" not in outcome.err and "SW9000" not in outcome.err, outcome
        assert outcome.out == "", f"failures belong on stderr: {outcome}"
        for secret in self.secrets:
            assert secret not in outcome.out + outcome.err

    def change_environment(self, change: Callable[[dict[str, Any]], None]) -> None:
        file = self.project / "environments" / f"{ENVIRONMENT}.yaml"
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        change(content)
        file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")

    def replace(self, file: str, old: str, new: str) -> None:
        """Edit a file of the project."""
        path = self.project / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def operator(arena: Arena, tmp_path: Path) -> Operator:
    """An empty shop and a compiled plan: everything is right so far."""
    job = Job(arena, PROJECT, tmp_path, settings=SMALL_CHUNKS)
    create_shop(arena)
    job.call("compile")
    return Operator(arena, job)


def test_source_does_not_answer(operator: Operator) -> None:
    port = free_port()
    operator.change_environment(lambda content: content["source"].update(port=port))
    operator.gets(UNREACHABLE, "SW8101", rf"cannot reach 127\.0\.0\.1:{port}")
    operator.gets(REFUSED, "SW8206", "has not begun|never begun|was not begun", "verify", "--env", ENVIRONMENT)


def test_target_does_not_answer(operator: Operator) -> None:
    port = free_port()
    operator.change_environment(lambda content: content["servers"]["target_1"].update(port=port))
    operator.gets(UNREACHABLE, "SW8101", rf"cannot reach 127\.0\.0\.1:{port}")


@pytest.mark.parametrize("debug", [(), ("--debug",)], ids=["plain", "debug"])
def test_wrong_password(operator: Operator, tmp_path: Path, debug: tuple[str, ...]) -> None:
    wrong = tmp_path / "wrong.password"
    wrong.write_text(CANARY, encoding="utf-8")
    operator.change_environment(lambda content: content["source"].update(password={"file": str(wrong)}))
    if not debug:
        operator.gets(REFUSED, "SW8102", "denies access.*shardwright")
        return
    outcome = shardwright(operator.project, *debug, *RUN).require(REFUSED)
    assert "Traceback" in outcome.err
    assert CANARY not in outcome.out + outcome.err


def test_password_from_a_variable_that_is_not_set(operator: Operator) -> None:
    operator.change_environment(lambda content: content["source"].update(password={"env": "SHOP_TEST_PASSWORD"}))
    operator.gets(INPUT_AT_FAULT, "SW7003", "SHOP_TEST_PASSWORD: it is not set")
    operator.gets(REFUSED, "SW8102", "denies access", environ={"SHOP_TEST_PASSWORD": CANARY})


def test_password_file_is_missing(operator: Operator, tmp_path: Path) -> None:
    operator.change_environment(lambda content: content["source"].update(password={"file": str(tmp_path / "none")}))
    operator.gets(INPUT_AT_FAULT, "SW7003", f"looked in the file {tmp_path / 'none'}")


def test_password_written_into_the_environment(operator: Operator) -> None:
    operator.change_environment(lambda content: content["source"].update(password=CANARY))
    operator.gets(INPUT_AT_FAULT, "SW7002", "")


def test_i7_grant_for_the_log_is_missing(operator: Operator) -> None:
    account = _account(operator.arena.source)
    operator.arena.source.query(f"REVOKE REPLICATION SLAVE ON *.* FROM {account}")
    if operator.arena.source.sandbox.kind == "mariadb":
        operator.arena.source.query(f"GRANT REPLICATION SLAVE ADMIN ON *.* TO {account}")
    operator.gets(REFUSED, "SW8125", re.escape(f"GRANT REPLICATION SLAVE ON *.* TO {account}"))


def test_i7_grant_for_the_rows_is_missing(operator: Operator) -> None:
    account = _account(operator.arena.source)
    operator.arena.source.query(f"REVOKE SELECT ON `shop`.* FROM {account}")
    operator.arena.source.query(f"GRANT SELECT ON `shop`.`users` TO {account}")
    outcome = shardwright(operator.project, *RUN)
    operator.require_clear(outcome, REFUSED)
    assert f"GRANT SELECT ON `shop`.* TO {account}" in outcome.err


def test_target_database_is_missing(operator: Operator) -> None:
    operator.arena.placement["order_db_3"].query("DROP DATABASE order_db_3")
    operator.gets(REFUSED, "SW8103", "database order_db_3 does not exist")


@pytest.fixture(scope="module")
def server_without_log(servers_folder: Path) -> Iterator[Server]:
    started = start_server(servers_folder / "without_log", server_id=77, extra={"skip-log-bin": ""})
    yield Server("without_log", started, extra={})
    remove_server(started)


def test_log_is_off(operator: Operator, server_without_log: Server) -> None:
    server_without_log.query("CREATE DATABASE IF NOT EXISTS shop")
    server_without_log.run_script(PROJECT / "schema" / "shop.sql", database="shop")
    secrets = operator.arena.folder / "secrets"
    create_source_accounts(server_without_log.sandbox, ("shop",), secrets=secrets)
    operator.change_environment(lambda content: content["source"].update(port=server_without_log.port))
    operator.gets(REFUSED, "SW8121", "log_bin")


@pytest.mark.parametrize(
    ("variable", "value", "finding"),
    [("binlog_row_image", "MINIMAL", "SW8123"), ("binlog_format", "STATEMENT", "SW8122")],
)
def test_log_does_not_hold_whole_rows(operator: Operator, variable: str, value: str, finding: str) -> None:
    operator.arena.source.query(f"SET GLOBAL {variable} = '{value}'")
    operator.gets(REFUSED, finding, f"{variable} is {value}.*SET GLOBAL {variable} = ")


def test_source_table_has_changed(operator: Operator) -> None:
    operator.arena.source.query("ALTER TABLE shop.users ADD COLUMN nickname VARCHAR(20)")
    operator.gets(REFUSED, "SW8128", "shop.users differs from the plan .column nickname is new")


def test_source_table_is_gone(operator: Operator) -> None:
    operator.arena.source.query("DROP TABLE shop.region")
    operator.gets(REFUSED, "SW8126", "shop.region does not exist")


def test_target_table_in_the_way(operator: Operator) -> None:
    operator.arena.placement["order_db_2"].query("CREATE TABLE order_db_2.users_3 (id INT PRIMARY KEY)")
    operator.gets(REFUSED, "SW8402", r"order_db_2\.users_3")
    assert operator.arena.placement["order_db_2"].query("SHOW COLUMNS FROM order_db_2.users_3")[0][0] == "id"


def test_rows_in_the_way(operator: Operator) -> None:
    """The table is just the one that the plan wants, but somebody's rows stand in it."""
    create = (operator.project / "build" / "shop-split" / "region" / "01-create-table.mysql.sql").read_text("utf-8")
    target = operator.arena.placement["order_db_1"]
    target.query(create.partition("\n\n")[2].partition("\n")[2].replace("${suffix}", ""), database="order_db_1")
    target.query("INSERT INTO order_db_1.region VALUES (1, 'here', 0)")
    operator.gets(REFUSED, "SW8130", r"order_db_1\.region holds rows")
    assert target.query("SELECT COUNT(*) FROM order_db_1.region") == [(1,)]


def test_preflight_says_in_one_table_what_a_run_would_refuse(operator: Operator) -> None:
    """Exit codes apart: a run may start, it would be refused, a server could not be asked."""
    asked = ("preflight", "--env", ENVIRONMENT, "--format", "json")
    account = _account(operator.arena.source)
    reported = json.loads(shardwright(operator.project, *asked).require(0).out)
    assert {check["verdict"] for check in reported["checks"]} <= {"ok", "warning", "unknown"}
    operator.arena.source.query("SET GLOBAL binlog_row_image = 'MINIMAL'")
    operator.arena.source.query(f"REVOKE REPLICATION SLAVE ON *.* FROM {account}")
    outcome = shardwright(operator.project, "preflight", "--env", ENVIRONMENT).require(REFUSED)
    assert re.search(r"^refused +127\S+ +binary log +SW8123: .*MINIMAL", outcome.out, re.M), outcome
    assert f"do: GRANT REPLICATION SLAVE ON *.* TO {account}" in outcome.out, outcome
    run = shardwright(operator.project, *RUN).require(REFUSED)
    refused = re.findall(r"^refused .*?(SW\d{4}): (.*)", outcome.out, re.M)
    assert refused and all(f"{code}: {found}" in run.err for code, found in refused), run
    port = free_port()
    operator.change_environment(lambda content: content["servers"]["target_1"].update(port=port))
    operator.arena.source.query("SET GLOBAL binlog_row_image = 'FULL'")
    operator.arena.source.query(f"GRANT REPLICATION SLAVE ON *.* TO {account}")
    reported = json.loads(shardwright(operator.project, *asked).require(UNREACHABLE).out)
    assert [c["code"] for c in reported["checks"] if c["verdict"] == "unknown" and c["code"]] == ["SW8101"]


def test_unknown_environment(operator: Operator) -> None:
    operator.gets(INPUT_AT_FAULT, "SW7008", "no environment 'staging': looked for ", "run", "--env", "staging")


def test_nothing_is_compiled(arena: Arena, tmp_path: Path) -> None:
    operator = Operator(arena, Job(arena, PROJECT, tmp_path))
    operator.gets(TOOL_FAILED, "SW8001", "there is no plan in .*: run `shardwright compile`")


def test_unknown_migration(operator: Operator) -> None:
    operator.gets(TOOL_FAILED, "SW8001", "there is no plan in .*orders", *RUN, "--migration", "orders")


def test_file_of_the_plan_is_missing(operator: Operator) -> None:
    (operator.project / "build" / "shop-split" / "users" / "31-upsert.mysql.sql").unlink()
    operator.gets(TOOL_FAILED, "SW8001", r"users/31-upsert\.mysql\.sql is missing")


def test_file_of_the_plan_was_edited(operator: Operator) -> None:
    operator.replace("build/shop-split/users/31-upsert.mysql.sql", "INSERT INTO", "INSERT  INTO")
    operator.gets(REFUSED, "SW8002", r"users/31-upsert\.mysql\.sql")


def test_manifest_is_damaged(operator: Operator) -> None:
    operator.replace("build/shop-split/manifest.json", "{", "")
    operator.gets(REFUSED, "SW8003", r"manifest\.json is damaged")


@pytest.mark.parametrize(
    ("command", "code"),
    [("status", 0), ("verify", REFUSED), ("ddl apply", STOPPED_PART_WAY), ("ddl status", CHANGES_PRESENT)],
)
def test_before_the_first_run(operator: Operator, command: str, code: int) -> None:
    """Nothing has been made on the shards yet: whatever is asked, the answer is not a crash."""
    outcome = shardwright(operator.project, *command.split(), "--env", ENVIRONMENT).require(code)
    assert "Traceback" not in outcome.err and "SW9000" not in outcome.err, outcome


@pytest.mark.spark
def test_plan_changes_after_the_first_run(operator: Operator) -> None:
    load_shop(shop_address(operator.arena.source), orders=50, processes=1)
    operator.job.call("run", "--env", ENVIRONMENT, "--until", "snapshot")
    operator.replace("specs/shop.yaml", "weight: 20\n    deletes: until_snapshot", "weight: 20\n    deletes: ignore")
    operator.job.call("compile")
    operator.gets(REFUSED, "SW8221", "payment differs in policy for deletes. Run with --recopy payment")


@pytest.mark.parametrize(
    "arguments",
    [(), ("run",), ("walk",), ("run", "--env", "test", "--until", "never"), ("run", "--env", "test", "--force")],
    ids=lambda arguments: " ".join(arguments) or "nothing",
)
def test_bad_flags(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    outcome = shardwright(tmp_path, *arguments).require(TOOL_FAILED)
    assert outcome.err.startswith("usage: shardwright") and outcome.out == ""


def test_unknown_report(operator: Operator) -> None:
    operator.gets(TOOL_FAILED, "SW8007", "only json=PATH is known", *RUN, "--report", "xml=there")


def test_no_project(tmp_path: Path) -> None:
    outcome = shardwright(tmp_path, "compile").require(TOOL_FAILED)
    assert "error SW8005: " in outcome.err and "Traceback" not in outcome.err


def _account(server: Server) -> str:
    return f"'{RUNTIME_USER}'@'{server.sandbox.account_host}'"
