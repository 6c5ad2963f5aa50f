"""In which databases of the source's server is a ledger's row a mark of ours?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.mysql.servers import servers_of
from shardwright.runtime.sources.binlog.log import Own
from shardwright.runtime.sources.open import source_log
from shardwright.specs.environment.read import read_environment
from tests.compiler.projects import GOLDEN, compile_folder

SERVER = "{host: db.example, user: sw, password: {env: PASSWORD}}"


def _own(plan: Plan, folder: Path) -> Own:
    path = folder / "e.yaml"
    shards = ", ".join(f"{name}: a" for name in plan.databases)
    path.write_text(f"environment: e\nsource: {SERVER}\nservers: {{a: {SERVER}}}\nshards: {{{shards}}}\n")
    environment = read_environment(str(path))
    return source_log("source", plan, servers_of(environment, plan, {"PASSWORD": "x"}), environment).own


def test_s2_only_the_way_back_beside_the_source_is_ours_in_its_log(tmp_path: Path) -> None:
    plan = compile_folder(GOLDEN / "ledger").plan
    source = plan.tables[0].sources[0].database
    assert _own(plan, tmp_path) == {(f"_shardwright_{source}", plan.migration)}


def test_s2_other_migrations_are_looked_for_where_the_spec_says(tmp_path: Path) -> None:
    plan = replace(compile_folder(GOLDEN / "backward").plan, migration="m")
    others = {(name, "elsewhere") for name in ("app", "_shardwright_app", "ledger_of_elsewhere")}
    assert _own(plan, tmp_path) == {("_shardwright_app", "m"), *others}
