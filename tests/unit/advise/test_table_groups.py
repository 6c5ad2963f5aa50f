"""Tables with equal settings whose names begin alike are one entry, which means the same as an entry for each."""

from __future__ import annotations

import fnmatch
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.advise.design import Candidate, make_design
from shardwright.compiler.advise.proposal import propose_spec
from shardwright.compiler.advise.references import find_references
from shardwright.compiler.advise.spec_text import Target, spec_text
from shardwright.compiler.advise.table_groups import find_groups
from shardwright.compiler.build import build_plan
from shardwright.specs.spec.read import parse_spec
from tests.unit.advise.conftest import SCHEMA, Make

TARGET = Target.with_numbers("shop", 4)
HISTORY = "".join(
    f"CREATE TABLE `{name}` (id INT NOT NULL PRIMARY KEY, user_id BIGINT UNSIGNED NOT NULL, "
    "CONSTRAINT u FOREIGN KEY (user_id) REFERENCES users (id));\n"
    for name in ("history", "history_str", "trend_b", "trend_a", "trends", "historian", "item_a", "item_b")
)
KINDS = "".join(
    f"CREATE TABLE kind_{n} (id INT PRIMARY KEY);\n"
    f"CREATE TABLE t{n} (id INT PRIMARY KEY, kind_id INT, FOREIGN KEY (kind_id) REFERENCES kind_{n} (id));\n"
    for n in range(8)
)


def test_the_short_form_compiles_to_the_same_plan(make: Make) -> None:
    source = make(schema=SCHEMA + HISTORY + KINDS)
    proposal = propose_spec(make_design(Candidate("users", "id"), source, find_references(source)), source, TARGET)
    notes = {"history": ["of both", "of one"], "history_str": ["of both"]}
    short = proposal.text(source, notes)
    long = spec_text(proposal.design, source, replace(proposal.draft, notes={}))
    lines = short.splitlines()
    at = next(number for number, line in enumerate(lines) if "each: history*" in line or "each: 'history*'" in line)
    assert "expect: 2, sharding: {rule: by_users_id, shard_key: [user_id]}" in lines[at]
    assert lines[at - 2 : at] == ["  # of both", "  # history: of one"]
    assert sum("trend*" in line and "expect: 3, " in line for line in lines) == 1
    assert "{table: historian" in short, "its group would mean another table"
    rest = next(line for line in lines if "each: '*'" in line)
    assert "expect: " in rest and rest.endswith("sharding: broadcast}"), rest
    assert "each" not in long and len(short.splitlines()) < len(long.splitlines())
    plans = [build_plan(parse_spec(text, "specs/a.yaml"), schema=source.schema, ddl={}).plan for text in (short, long)]
    assert plans[0] == plans[1] and plans[0].fingerprint == plans[1].fingerprint


_names = st.lists(st.text("ab_", min_size=1, max_size=7), unique=True, max_size=14)


def test_a_name_with_a_sign_of_patterns_begins_no_group() -> None:
    assert find_groups(["log[1]_a", "log[1]_b"], ["log[1]_a", "log[1]_b"]) == {}
    assert find_groups(["item_a", "item_b"], ["items", "item_a", "item_b"]) == {"item_*": ["item_a", "item_b"]}


@given(_names, st.sets(st.integers(0, 13)))
def test_a_group_means_its_tables_and_no_others(names: list[str], chosen: set[int]) -> None:
    alike = [name for number, name in enumerate(names) if number in chosen]
    groups = find_groups(alike, names)
    meant = [name for group in groups.values() for name in group]
    assert len(meant) == len(set(meant)) and set(meant) <= set(alike)
    for pattern, group in groups.items():
        assert len(group) > 1 and group == sorted(name for name in names if fnmatch.fnmatchcase(name, pattern))
