"""`rescale`: the next spec compiles at once, rules are adapted or refused in place, and shares are exact."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.project.checking import compile_specs
from shardwright.compiler.project.project import Project
from shardwright.compiler.rescale.expressions import Counts, NotAdapted, Part, adapt
from shardwright.compiler.rescale.moves_text import groups
from shardwright.runtime.cli.main import main
from shardwright.specs.findings.diagnostics import Span
from shardwright.specs.yaml.topology import expand, fold
from tests.compiler.projects import compile_shop

SCHEMA = """CREATE TABLE `order` (
  id bigint NOT NULL, user_id bigint NOT NULL, name varchar(20) NOT NULL, secret varchar(20), PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE item (
  id bigint NOT NULL, user_id bigint NOT NULL, order_id bigint NOT NULL, PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE region (code int NOT NULL, twice int AS (code * 2) STORED, PRIMARY KEY (code)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE job_lock (name varchar(20) COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (name)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
"""
SPEC = """version: 1
migration: town
source:
  dialect: mariadb
  databases: [town]
  schema: schema/town.sql
  stream: {format: canal-json}
target:
  databases: "town_{0..1}"
  tables_suffix: "_{0..1}"
sharding:
  by_user:
    shard_key: [user_id]
    RULE
ignore: {SW5101: ids are unique by themselves}
tables:
  - table: order
    sharding: by_user
    columns: {exclude: [secret], rename: {user_id: owner, name: title}}
    version_column: id
    weight: 3
    deletes: {policy: delay, delay: 90s, stop_above: 5%}
    groups:
      texts: {columns: [name], on_change: event}
  - table: item
    sharding: {rule: by_user, shard_key: [order_id]}
    errors: {policy: quarantine, at_most: 7}
  - table: region
    sharding: broadcast
  - table: job_lock
    sharding: {single: town_1}
invariants:
  - {name: no_orphans, none: "SELECT id FROM item WHERE user_id < 0"}
ddl: ddl/
"""
EXPRESSIONS = "database: crc32(user_id) % 2\n    table: (crc32(user_id) div 2) % 2"


ERRORS = "    errors: {policy: quarantine, at_most: 7}\n"


def project(folder: Path, rule: str = EXPRESSIONS, *, spec: str = SPEC, ddl: str = "") -> Path:
    for name, text in (
        ("specs/town.yaml", spec.replace("RULE", rule)),
        ("schema/town.sql", SCHEMA),
        ("ddl/0001_more.sql", ddl or "ALTER TABLE item ADD COLUMN note varchar(9);"),
    ):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def rescale(folder: Path, *arguments: str, databases: str = "wide_{0..3}", suffix: str = "_{0..3}") -> int:
    given = ("--databases", databases, "--suffix", suffix, *arguments)
    return main(["--project", str(folder), "rescale", str(folder / "specs/town.yaml"), *given])


def compile_next(folder: Path, name: str) -> CompiledPlan:
    (checked,) = compile_specs(Project(folder), [folder / f"specs/{name}.yaml"])
    assert checked.compiled is not None, checked.findings
    return checked.compiled


def test_the_next_spec_compiles_at_once_with_a_way_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rescale(project(tmp_path)) == 0
    written = (tmp_path / "specs/town-4x4.yaml").read_text("utf-8")
    for part in (
        "databases: town_{0..1}\n  tables_suffix: _{0..1}",
        "stream: {format: binlog}",
        "by_user_owner: {shard_key: [owner], database: crc32(owner) % 2, table: (crc32(owner) DIV 2) % 2}",
        "by_user: {shard_key: [user_id], database: crc32(user_id) % 4, table: (crc32(user_id) DIV 4) % 4}",
        "sharding: {rule: by_user, shard_key: [owner]}",
        "version_column: id",
        "deletes: {policy: delay, delay: 90s, stop_above: 5%}",
        "texts: {columns: [title], on_change: event}",
        "# LOOK: a refused row stops the run: rows of several source tables cannot be quarantined",
        "single: wide_1",
        "# LOOK: which of the new databases holds it? It is in town_1 now",
        "name: no_orphans",
    ):
        assert part in written, part
    plan = compile_next(tmp_path, "town-4x4").plan
    assert plan.backward is not None
    assert [item.target for item in plan.table("region").generated] == ["twice"]
    back = {table.logical: table.placement.kind for table in plan.backward.tables}
    assert back == {"order": "sharded", "item": "sharded", "region": "broadcast", "job_lock": "single"}
    schema = (tmp_path / "schema/town-4x4.sql").read_text("utf-8")
    assert "`note` VARCHAR(9)" in schema and "secret" not in schema
    capsys.readouterr()
    assert main(["--project", str(tmp_path), "compile", "--fail-on", "warning"]) == 0, capsys.readouterr().err
    summary = (tmp_path / "build/town-4x4/summary.md").read_text("utf-8")
    assert "  town_0/_0 -> wide_0/_0, wide_0/_1, wide_0/_2, wide_0/_3 25 % each\n" in summary, summary
    assert "of all rows, 12.5 % keep" in summary
    assert "Which rows move" not in (tmp_path / "build/town/summary.md").read_text("utf-8")
    assert main(["--project", str(tmp_path), "compile", "--check"]) == 0, capsys.readouterr().err


def test_silences_go_with_their_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = SPEC.replace("ignore: {SW5101: ids are unique by themselves}\n", "").replace(
        "  - table: item", "  # shardwright: ignore[SW5101] because one generator\n  - table: item"
    )
    rescale(project(tmp_path, spec=spec))
    written = (tmp_path / "specs/town-4x4.yaml").read_text("utf-8")
    assert "  # shardwright: ignore[SW5101] because one generator\n  - table: item" in written
    assert "SW5101" in capsys.readouterr().err  # of the other table, as before


@pytest.mark.parametrize(
    ("rule", "databases", "place", "said"),
    [
        ("database: crc32(user_id) % 2\n    table: (crc32(user_id) div 8) % 2", 4, "15:13", "sets this apart"),
        ("database: if(user_id > 7, 1, 0)\n    table: crc32(user_id) % 2", 4, "14:15", "no remainder"),
        (
            "algorithm: range\n    options: {boundaries: [10], places: [town_0/_0, town_1/_1]}",
            4,
            "14:16",
            "names places",
        ),
        ("algorithm: weighted\n    options: {buckets: 8, weights: {town_0: 1, town_1: 3}}", 3, "14:16", "names places"),
    ],
)
def test_a_rule_is_refused_where_it_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str, databases: int, place: str, said: str
) -> None:
    assert rescale(project(tmp_path, rule), databases=f"wide_{{0..{databases - 1}}}") == 1
    found = capsys.readouterr().err
    assert f"town.yaml:{place}: error SW5033" in found and said in found and "--rule 'by_user=" in found, found
    assert not list((tmp_path / "specs").glob("town-*"))


@pytest.mark.parametrize(
    "rule",
    [
        "database: crc32(user_id) % 2\n    table: (crc32(user_id) div 8) % 2",
        "algorithm: range\n    options: {boundaries: [10], places: [town_0/_0, town_1/_1]}",
    ],
)
def test_a_rule_of_the_command_takes_the_place_of_the_old_one(tmp_path: Path, rule: str) -> None:
    """The old one stays as it is at the source, also where it names single tables."""
    assert rescale(project(tmp_path, rule), "--rule", "by_user={algorithm: crc32_mod}") == 0
    assert "by_user: {shard_key: [user_id], algorithm: crc32_mod}" in (tmp_path / "specs/town-4x4.yaml").read_text()
    assert compile_next(tmp_path, "town-4x4").plan.backward is not None


@pytest.mark.parametrize(
    ("arguments", "changed", "said"),
    [
        ({"databases": "town_{1..4}"}, {}, "'town_1' is one of the old shards"),
        ({"migration": "town"}, {}, "cannot be called 'town'"),
        ({"rule": "by_usr={algorithm: mod}"}, {}, "did you mean 'by_user'"),
        ({"rule": "by_user"}, {}, "SW8007"),
        ({"databases": "wide_{3..1}"}, {}, "runs backwards"),
        (
            {},
            {"shard_key: [order_id]": "shard_key: {parent: order, via: [order_id]}", ERRORS: ""},
            "placed through its parent",
        ),
    ],
)
def test_what_cannot_be_a_source_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: dict[str, str], changed: dict[str, str], said: str
) -> None:
    spec = SPEC
    for old, new in changed.items():
        assert old in spec
        spec = spec.replace(old, new)
    given = dict(arguments)
    databases = given.pop("databases", "wide_{0..3}")
    code = rescale(
        project(tmp_path, spec=spec), *(f"--{name}={value}" for name, value in given.items()), databases=databases
    )
    assert code == 1 and said in capsys.readouterr().err


def test_no_two_rules_of_the_source_share_a_name(tmp_path: Path) -> None:
    """`by_user` over `order_id`, and a rule that is called so."""
    spec = SPEC.replace("\nignore:", f"\n  by_user_order_id:\n    shard_key: [user_id]\n    {EXPRESSIONS}\nignore:")
    spec = spec.replace("- table: order\n    sharding: by_user", "- table: order\n    sharding: by_user_order_id")
    spec = spec.replace("user_id: owner, ", "")
    assert rescale(project(tmp_path, spec=spec)) == 0
    found = compile_next(tmp_path, "town-4x4").plan.backward
    assert found is not None and {
        table.logical: table.placement.shard_key for table in found.tables if table.placement.shard_key
    } == {
        "order": ("user_id",),
        "item": ("order_id",),
    }


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rescale(project(tmp_path)) == 0
    before = (tmp_path / "specs/town-4x4.yaml").read_bytes()
    assert rescale(tmp_path) == 2
    assert "SW8052" in capsys.readouterr().err
    assert (tmp_path / "specs/town-4x4.yaml").read_bytes() == before


def test_tables_of_the_shards_own_and_indexes_are_known(tmp_path: Path) -> None:
    ddl = (
        "CREATE TABLE outbox (id bigint NOT NULL PRIMARY KEY) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n"
        "CREATE UNIQUE INDEX by_order ON item (user_id, id);\n"
    )
    assert rescale(project(tmp_path, ddl=ddl)) == 0
    assert "ignore_tables: ['[o]utbox']" in (tmp_path / "specs/town-4x4.yaml").read_text()
    assert "UNIQUE `by_order`" in (tmp_path / "schema/town-4x4.sql").read_text()
    assert "[o]utbox" in compile_next(tmp_path, "town-4x4").plan.stays


def test_shares_are_those_of_the_remainders(tmp_path: Path) -> None:
    """Against a count of every remainder that uses nothing of the product."""
    rescale(project(tmp_path))
    (group,) = groups(compile_next(tmp_path, "town-4x4"))
    assert group.moves.sampled == 0
    every = Counter(((x % 2, x // 2 % 2), (x % 4, x // 4 % 4)) for x in range(16))
    assert group.moves.shares == {flow: Fraction(count, 16) for flow, count in every.items()}


def test_shares_of_rules_that_read_different_keys_are_those_of_both() -> None:
    """Old places are remainders of one key, new ones those of another one's hash."""
    (group,) = groups(compile_shop())
    assert [table.logical for table in group.tables] == ["order_item"] and group.moves.sampled == 0
    places = [((0, old), (database, table)) for old in range(4) for database in range(4) for table in range(4)]
    assert group.moves.shares == dict.fromkeys(places, Fraction(1, 64))


def test_shares_of_two_hashes_are_sampled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rescale(project(tmp_path), "--rule", "by_user={algorithm: murmur3_32}")
    (group, *_) = groups(compile_next(tmp_path, "town-4x4"))
    assert group.moves.sampled > 0 and sum(group.moves.shares.values()) == 1
    assert "a sample of 20,000 keys" in capsys.readouterr().out


def test_buckets_are_divided(tmp_path: Path) -> None:
    """Old database i is divided between i and i + 2, and no row changes its bucket."""
    rule = "algorithm: weighted\n    options: {buckets: 8, weights: {town_0: 1, town_1: 3}}"
    assert rescale(project(tmp_path, rule)) == 0
    written = (tmp_path / "specs/town-4x4.yaml").read_text()
    for part in (
        "- {from: 0, to: 0, place: wide_0}\n        - {from: 1, to: 1, place: wide_2}",
        "- {from: 2, to: 4, place: wide_1}\n        - {from: 5, to: 7, place: wide_3}",
    ):
        assert part in written, written
    (group, *_) = groups(compile_next(tmp_path, "town-4x4"))
    assert group.moves.sampled == 0
    databases = Counter[tuple[int, int]]()
    for ((old, _), (new, _)), share in group.moves.shares.items():
        databases[old, new] += share  # type: ignore[assignment]
    assert databases == {(0, 0): Fraction(1, 8), (0, 2): Fraction(1, 8), (1, 1): Fraction(3, 8), (1, 3): Fraction(3, 8)}


@pytest.mark.parametrize(
    ("database", "table", "counts", "wanted"),
    [
        ("crc32(a) % 4", "(crc32(a) div 4) % 8", (4, 8, 8, 16), ("crc32(a) % 8", "(crc32(a) DIV 8) % 16")),
        ("(a div 8) % 4", "a % 8", (4, 8, 8, 4), ("(a DIV 4) % 8", "a % 4")),
        ("mod(a, 2)", None, (2, 4, 1, 4), ("a % 4", "(a DIV 4) % 4")),
        ("a % 2", "b % 2", (2, 3, 2, 5), ("a % 3", "b % 5")),
        ("a % 2", "a % 2", (2, 4, 2, 4), ("a % 4", "a % 4")),
        ("a % 2", "b % 2", (2, 1, 2, 4), (None, "b % 4")),
        ("a+1 % 2", "b % 2", (2, 2, 2, 2), ("a+1 % 2", "b % 2")),  # nothing changes: as it is written
        ("a % 3", "b % 2", (2, 4, 2, 4), None),
        ("a % 2", "((a div 2) + 1) % 2", (2, 4, 2, 4), None),
        (None, None, (1, 2, 1, 1), None),
        ("a", "b % 2", (2, 4, 2, 4), None),
    ],
)
def test_expressions(
    database: str | None, table: str | None, counts: tuple[int, ...], wanted: tuple[str | None, str | None] | None
) -> None:
    old, new, old_tables, new_tables = counts
    span = Span("x.yaml", 1, 1)
    parts = (
        Part(database, Counts(old, new), span, "database"),
        Part(table, Counts(old_tables, new_tables), span, "table"),
    )
    if wanted is None:
        with pytest.raises(NotAdapted):
            adapt(*parts)
    else:
        assert adapt(*parts) == wanted


@pytest.mark.parametrize(
    "names", [("a",), ("a_0", "a_1"), ("_08", "_09", "_10"), ("_8", "_9", "_10"), ("x", "b"), ("",), ("", "_1")]
)
def test_names_fold_into_what_expands_to_them(names: tuple[str, ...]) -> None:
    assert expand(fold(names), may_be_empty=True) == names
