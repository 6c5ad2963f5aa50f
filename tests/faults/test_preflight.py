"""The checks before a run, each made to fail on a real server (B4, G2, G4, G5, G8, G10)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pymysql
import pytest

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.run.preflight.any_server import protection
from shardwright.runtime.run.preflight.computed_keys import check_collations
from shardwright.runtime.run.preflight.context import Context, Demands, Size
from shardwright.runtime.run.preflight.free_space import free_space
from shardwright.runtime.run.preflight.ledger_writers import ledger_writers
from shardwright.runtime.run.preflight.preflight import checks, require
from shardwright.runtime.run.preflight.table import as_json, as_text, exit_code
from shardwright.runtime.run.preflight.tolerance import Tolerance
from tests.compiler.projects import compile_folder, write_texts
from tests.faults.conftest import GUARDED, GUARDED_SCHEMA
from tests.keys.bench import Bench
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server

FREE = "free space"


def _check(bench: Bench, *, tasks: int = 2) -> tuple[Check, ...]:
    return checks(bench.plan, bench.servers, Tolerance.NONE, Demands(parallel=tasks))


def _one(found: tuple[Check, ...], name: str, address: Endpoint) -> Check:
    (check,) = [check for check in found if check.name == name and check.where == str(address)]
    return check


@contextmanager
def _set(server: Server, **values: object) -> Iterator[None]:
    """Global variables, for a while."""
    before = {name: server.query(f"SELECT @@GLOBAL.{name}")[0][0] for name in values}
    for name, value in values.items():
        server.query(f"SET GLOBAL {name} = %s", (value,))
    try:
        yield
    finally:
        for name, value in before.items():
            server.query(f"SET GLOBAL {name} = %s", (value,))


def test_nothing_is_wrong(bench: Bench) -> None:
    found = _check(bench)
    assert {check.verdict for check in found} <= {Verdict.OK, Verdict.WARNING, Verdict.UNKNOWN}
    assert exit_code(found) == 0 and not [check for check in found if check.code]
    names = {check.name for check in found}
    assert {"server", "binary log", "gtid", "log retention", "grants", "source tables", "collations", "local_infile",
            "triggers", "foreign keys", "events", "existing data", "time zone", "sql_mode", "max_allowed_packet",
            "connections", "tls", FREE} <= names  # fmt: skip


@pytest.mark.parametrize(
    ("host", "tls", "verdict"),
    [
        ("127.0.0.1", "preferred", Verdict.OK),
        ("::1", "off", Verdict.OK),
        ("localhost", "preferred", Verdict.OK),
        ("db1.internal", "preferred", Verdict.WARNING),
        ("10.0.0.5", "off", Verdict.WARNING),
        ("db1.internal", "verify_identity", Verdict.OK),
    ],
)
def test_i7_a_server_elsewhere_that_is_not_verified_is_warned_of(host: str, tls: str, verdict: Verdict) -> None:
    assert protection(Endpoint(host, 3306, "app", "", Tls(tls))).verdict is verdict


def test_b4_g2_g4_g8_settings_that_a_run_can_live_with_are_warned_of(bench: Bench, arena: Arena) -> None:
    source, target = bench.servers.sources["source"], bench.servers.shards[0]
    server = arena.placement["guarded_0"]
    before = _check(bench)
    with (
        _set(arena.source, binlog_expire_logs_seconds=3600),
        _set(server, max_allowed_packet=1 << 20, time_zone="+03:00", sql_mode="ANSI_QUOTES", max_connections=20),
        _set(arena.source, max_allowed_packet=1 << 24),
    ):
        found = _check(bench, tasks=64)
    for name, address, said in (
        ("log retention", source, "kept for .* copying may take"),
        ("max_allowed_packet", target, "1048576, the source has 16777216"),
        ("time zone", target, r"\+03:00, the source has"),
        ("sql_mode", target, "ANSI_QUOTES"),
        ("connections", target, "of 20 are in use, and a run may open 1.. more"),
    ):
        check = _one(found, name, address)
        assert check.verdict is Verdict.WARNING and re.search(said, check.found) and check.way_out, check
        assert name == "log retention" or _one(before, name, address).verdict is Verdict.OK
    assert exit_code(found) == 0
    require(found)


def test_s1_other_accounts_that_may_write_the_ledger_are_warned_of(bench: Bench, arena: Arena) -> None:
    """By grants on the database, on one of our tables, and on everything; administrators are none of them."""
    server, endpoint = arena.placement["guarded_0"], bench.servers.shards[0]

    def asked() -> Check:
        with closing(server.connect()) as connection:
            return ledger_writers(connection, ["guarded_0"], "here")

    before = asked()
    with closing(connect(endpoint)) as connection:
        hidden = ledger_writers(connection, ["guarded_0"], "here")
    assert hidden.verdict is Verdict.OK and "not shown to our account" in hidden.found
    names = ("s1_database", "s1_pattern", "s1_table", "s1_server", "s1_other", "s1_reader", "s1_admin")
    try:
        for name in names:
            server.query(f"CREATE USER {name}@'10.0.0.1'")
        server.query(r"GRANT ALL PRIVILEGES ON `guarded\_0`.* TO s1_database@'10.0.0.1'")
        server.query("GRANT INSERT ON `guarded%`.* TO s1_pattern@'10.0.0.1'")
        server.query("GRANT UPDATE ON guarded_0._shardwright_step TO s1_table@'10.0.0.1'")
        server.query("GRANT DELETE ON *.* TO s1_server@'10.0.0.1'")
        server.query(r"GRANT ALL PRIVILEGES ON `other\_0`.* TO s1_other@'10.0.0.1'")
        server.query("GRANT SELECT ON *.* TO s1_reader@'10.0.0.1'")
        server.query("GRANT ALL PRIVILEGES ON *.* TO s1_admin@'10.0.0.1'")
        found = asked()
    finally:
        for name in names:
            server.query(f"DROP USER IF EXISTS {name}@'10.0.0.1'")
    assert found.verdict is Verdict.WARNING and "in guarded_0" in found.found and found.way_out
    assert set(re.findall("s1_[a-z]+", found.found)) == {"s1_database", "s1_pattern", "s1_table", "s1_server"}
    assert asked() == before


def test_g5_g10_what_a_run_cannot_live_with_is_refused(bench: Bench, arena: Arena) -> None:
    server, address = arena.placement["guarded_0"], bench.servers.shards[0]
    server.query("INSERT INTO guarded_0.person VALUES (7, 7, NULL)")
    server.query("CREATE EVENT guarded_0.theirs ON SCHEDULE EVERY 1 DAY DO DELETE FROM guarded_0.person WHERE FALSE")
    server.query(f"GRANT EVENT ON *.* TO '{RUNTIME_USER}'@'{server.sandbox.account_host}'")
    with _set(server, local_infile=0):
        found = _check(bench)
    assert _one(found, "local_infile", address).code == "SW8145"
    data = [check for check in found if check.name == "existing data" and check.verdict is Verdict.REFUSED]
    assert [(check.code, "guarded_0.person holds rows" in check.found) for check in data] == [("SW8130", True)]
    events = [check for check in found if check.name == "events" and check.verdict is Verdict.WARNING]
    assert ["theirs" in check.found for check in events] == [True]
    assert exit_code(found) == 6
    with pytest.raises(Refused) as caught:
        require(found)
    assert caught.value.code == "SW8145" and "\nSW8130: " in caught.value.message
    assert "do: SET GLOBAL local_infile = ON" in as_text(found)
    assert as_json(found)["exit_code"] == 6
    begun = checks(bench.plan, bench.servers, Tolerance.ADDED)
    assert exit_code(begun) == 0, "rows stand there because the migration has begun"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("MODIFY place int NOT NULL", "column place is int at the source, int unsigned in the plan"),
        ("MODIFY bytes mediumblob", "column bytes is mediumblob at the source, longblob in the plan"),
        ("ADD COLUMN note int", "column note is new"),
        ("CHANGE bytes picture longblob", "column bytes is gone"),
        ("MODIFY place int unsigned NOT NULL FIRST", "the columns are in another order"),
        ("MODIFY place int unsigned NULL", "column place may be NULL at the source, and is NOT NULL in the plan"),
        ("DROP PRIMARY KEY", "its row key (id) is no unique key at the source, which has none"),
        ("DROP PRIMARY KEY, ADD PRIMARY KEY (id, place)", "(id) is no unique key at the source, which has PRIMARY (id, place)"),
        ("DROP PRIMARY KEY, ADD UNIQUE (id)", None),
        ("ADD UNIQUE (place), ADD KEY (place, id), COMMENT 'ours', AUTO_INCREMENT 9", None),
    ],
)  # fmt: skip
def test_e14_e15_a_source_table_that_is_not_the_plans(
    bench: Bench, arena: Arena, statement: str, said: str | None
) -> None:
    with _as_it_was(arena):
        arena.source.query(f"ALTER TABLE shop.person {statement}")
        found = _check(bench)
    differing = [check for check in found if check.name == "source tables" and check.verdict is Verdict.REFUSED]
    assert [check.code for check in differing] == (["SW8128"] if said else [])
    assert all(str(said) in check.found for check in differing), differing


@pytest.mark.parametrize(
    "statement",
    ["ALTER TABLE person ADD SYSTEM VERSIONING", "RENAME TABLE person TO p; CREATE VIEW person AS SELECT * FROM p"],
)
def test_e15_what_is_no_plain_table_at_the_source(bench: Bench, arena: Arena, statement: str) -> None:
    if "SYSTEM" in statement and not _is_mariadb(arena):
        pytest.skip("MySQL has no system versioning")
    with _as_it_was(arena):
        for part in statement.split("; "):
            arena.source.query(part, database="shop")
        found = _check(bench)
    (refused,) = [check for check in found if check.name == "source tables"]
    kind = "system versioned table" if "SYSTEM" in statement else "view"
    assert (refused.code, f"shop.person is a {kind} at the source" in refused.found) == ("SW8127", True), refused


@contextmanager
def _as_it_was(arena: Arena) -> Iterator[None]:
    """Within, shop.person may be changed; it is empty afterwards."""
    try:
        yield
    finally:
        kinds = dict(
            arena.source.query(
                "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'shop'"
            )
        )
        for name in ("person", "p"):
            if name in kinds:
                arena.source.query(f"DROP {'VIEW' if kinds[name] == 'VIEW' else 'TABLE'} shop.{name}")
        arena.source.query(GUARDED_SCHEMA, database="shop")


def test_g5_target_tables_that_are_in_the_way_are_reported_before_anything_is_written(
    bench: Bench, arena: Arena
) -> None:
    plan, server = replace(bench.plan, migration="another"), arena.placement["guarded_1"]

    def refused() -> list[tuple[str, str]]:
        found = checks(plan, bench.servers, Tolerance.NONE)
        return [(item.code, item.found) for item in found if item.name == "target tables" and item.code]

    assert refused() == []
    for change, back, said in (
        ("ADD note int", "DROP note", "exists and has the column note, which the plan lacks"),
        ("CHANGE bytes picture longblob", "CHANGE picture bytes longblob", "exists and lacks column bytes"),
        ("MODIFY place int NOT NULL", "MODIFY place int unsigned NOT NULL",
         "exists and its column place is int NOT NULL, int unsigned NOT NULL in the plan"),
        ("ADD UNIQUE other (place, id)", "DROP KEY other", "exists and has the unique key other (place, id), which the plan lacks"),
        ("DROP PRIMARY KEY", "ADD PRIMARY KEY (id)", "exists and lacks the unique key PRIMARY (id)"),
        ("ADD KEY other (place)", "DROP KEY other", None),
        ("ENGINE=MyISAM", "ENGINE=InnoDB", "exists and its engine is MyISAM, should be InnoDB"),
        ("RENAME TO guarded_1.p", None, "is a view"),
    ):  # fmt: skip
        server.query(f"ALTER TABLE guarded_1.person {change}")
        if back is None:
            server.query("CREATE VIEW guarded_1.person AS SELECT * FROM guarded_1.p")
        expected = [("SW8402", f"target table in the way: guarded_1.person {said}")] if said else []
        assert refused() == expected
        if back is None:
            server.query("DROP VIEW guarded_1.person")
        server.query(f"ALTER TABLE guarded_1.{'person ' + back if back else 'p RENAME TO guarded_1.person'}")
    assert refused() == []


def test_g5_a_collation_that_a_target_does_not_know_is_reported_and_one_that_it_knows_continues(
    bench: Bench, arena: Arena, tmp_path: Path
) -> None:
    known = {str(row[0]) for row in arena.source.query("SELECT full_collation_name FROM information_schema.collation_character_set_applicability"
             if _is_mariadb(arena) else "SELECT collation_name FROM information_schema.collations")}  # fmt: skip
    others = ("utf8mb4_uca1400_ai_ci", "utf8mb4_0900_ai_ci", "utf8mb4_ja_0900_as_cs_ks")
    unknown = next(name for name in others if name not in known)

    def of(collation: str) -> list[tuple[str, str]]:
        schema = GUARDED_SCHEMA.replace("bytes longblob", f"bytes longblob, name varchar(9) COLLATE {collation}")
        folder = tmp_path / collation
        folder.mkdir()
        plan = compile_folder(write_texts(folder, GUARDED, schema)).plan
        found = checks(replace(plan, migration="another"), bench.servers, Tolerance.NONE)
        return sorted({(check.code, check.found) for check in found if check.name == "collations"})

    assert of(unknown) == [("SW8146", f"table person is to have collation {unknown}, which the server does not know")]
    assert [code for code, _ in of("utf8mb4_unicode_ci")] == [""]


def test_c15_documents_go_to_mysql_and_as_texts_to_mariadb(bench: Bench, arena: Arena, tmp_path: Path) -> None:
    """As far as the targets decide; the source's table has no such column."""

    def of(name: str, spec: str, *, column: str = "doc json", check: str = "documents") -> list[tuple[str, str]]:
        schema = GUARDED_SCHEMA.replace("bytes longblob", f"bytes longblob, {column}").replace("person", "document")
        (folder := tmp_path / name).mkdir()
        plan = compile_folder(
            write_texts(folder, spec.replace("person", "document").replace("mariadb", "mysql"), schema)
        ).plan
        found = checks(replace(plan, migration="another"), bench.servers, Tolerance.NONE)
        return sorted({(each.code, each.found) for each in found if each.name == check})

    refused = [("SW8153", "column doc of table document is MySQL's JSON, and the server is MariaDB")]
    assert of("json", GUARDED) == (refused if _is_mariadb(arena) else [("", "MySQL's JSON")])
    as_text = "{table: person, sharding: by_place, columns: {cast: {doc: {type: longtext}}}}"
    assert of("longtext", GUARDED.replace("{table: person, sharding: by_place}", as_text)) == []
    refused = [("SW8499", "key low of table document is over an expression, and the server is MariaDB")]
    found = of("computed", GUARDED, column="name varchar(9), UNIQUE KEY low ((lower(name)))", check="computed keys")
    assert found == (refused if _is_mariadb(arena) else [("", "keys over expressions supported")])
    assert of("taken-out", GUARDED, column="name varchar(9)", check="computed keys") == []


@pytest.mark.mysql
def test_d10_a_key_that_was_made_under_another_collation_than_its_text_means_is_named(
    arena: Arena, tmp_path: Path
) -> None:
    if _is_mariadb(arena):
        pytest.skip("MySQL only: keys over expressions")
    with arena.source.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE keyed")
        cursor.execute("USE keyed")
        cursor.execute("SET collation_connection = utf8mb4_bin")
        cursor.execute(
            "CREATE TABLE person (id int PRIMARY KEY, place int unsigned NOT NULL, doc json, UNIQUE KEY number ((place + 1)),"
            " UNIQUE KEY other (place, (CAST(doc->>'$.x' AS CHAR(9)))),"
            " UNIQUE KEY same ((CAST(doc->>'$.x' AS CHAR(9)) COLLATE utf8mb4_bin), (abs(place))))"
        )
        cursor.execute("SHOW CREATE TABLE person")
        schema = f"{cursor.fetchall()[0][1]};"
        spec = GUARDED.replace("mariadb", "mysql").replace("by_place}", "by_place, columns: {rename: {doc: text}}}")
        (table,) = compile_folder(write_texts(tmp_path, spec, schema)).plan.tables
        assert [key.name for key in table.identity.prefix_keys] == ["number", "other", "same"]
        found = [fault.found for fault in check_collations(connection, table, SourceName("keyed", "person"))]
    words = "compares by utf8mb4_bin, and its text means utf8mb4_0900_ai_ci"
    assert found == [f"unique key other of keyed.person {words}"]


def test_c30_types_that_a_target_does_not_know_are_refused_or_cast(bench: Bench, arena: Arena, tmp_path: Path) -> None:
    """As far as the targets decide; the source's table has no such columns."""
    alien = {"token": "vector(3)"} if _is_mariadb(arena) else {"token": "uuid", "ip": "inet6", "old": "inet4"}
    own = {"token": "uuid", "ip": "inet6", "old": "inet4"} if _is_mariadb(arena) else {"token": "vector(3)"}
    dialect = "mysql" if _is_mariadb(arena) else "mariadb"

    def of(name: str, spec: str, kinds: Mapping[str, str]) -> list[tuple[str, str]]:
        columns = ", ".join(f"{column} {kind}" for column, kind in kinds.items())
        schema = GUARDED_SCHEMA.replace("bytes longblob", f"bytes longblob, {columns}").replace("person", "typed")
        (folder := tmp_path / name).mkdir()
        plan = compile_folder(write_texts(folder, spec.replace("person", "typed"), schema)).plan
        found = checks(replace(plan, migration="another"), bench.servers, Tolerance.NONE)
        return sorted({(check.code, check.found) for check in found if check.name == "types"})

    refused = [
        ("SW8154", f"column {name} of table typed is {kind.partition('(')[0].upper()}, which the server does not know")
        for name, kind in alien.items()
    ]
    of_other_kind = GUARDED.replace("mariadb", dialect)
    assert of("alien", of_other_kind, alien) == sorted(refused)
    assert of("own", GUARDED.replace("mariadb", "mysql" if dialect == "mariadb" else "mariadb"), own) == [
        ("", "all column types known")
    ]
    to = "varbinary(12)" if _is_mariadb(arena) else "varchar(40) character set ascii collate ascii_bin"
    cast = ", ".join(f"{name}: {{type: {to}}}" for name in alien)
    entry = "{table: person, sharding: by_place"
    assert of("cast", of_other_kind.replace(f"{entry}}}", f"{entry}, columns: {{cast: {{{cast}}}}}}}"), alien) == []


def test_e1_updates_of_json_must_be_logged_whole(bench: Bench, arena: Arena) -> None:
    if _is_mariadb(arena):
        pytest.skip("MariaDB always logs whole values")
    with _set(arena.source, binlog_row_value_options="PARTIAL_JSON"):
        found = _check(bench)
    refused = [(check.code, check.way_out) for check in found if check.name == "binary log"]
    assert refused == [("SW8123", "SET GLOBAL binlog_row_value_options = '' and reconnect the applications")]


def test_a_collation_that_the_target_does_not_know(bench: Bench) -> None:
    steps = [
        replace(step, statements=tuple(replace(it, sql=it.sql.replace("utf8mb4_bin", "utf8mb4_moon_ci")) for it in step.statements))
        for step in bench.plan.steps
    ]  # fmt: skip
    found = checks(replace(bench.plan, steps=tuple(steps)), bench.servers, Tolerance.NONE)
    refused = {check.code for check in found if check.verdict is Verdict.REFUSED}
    assert refused == {"SW8146"}, as_text(found)


def test_a_server_that_does_not_answer(bench: Bench) -> None:
    no_one = replace(bench.servers.shards[0], port=free_port())
    servers = replace(bench.servers, shards=(no_one, bench.servers.shards[1]))
    found = checks(bench.plan, servers, Tolerance.NONE)
    (silent,) = [check for check in found if check.verdict is Verdict.UNKNOWN and check.code]
    assert (silent.where, silent.code) == (str(no_one), "SW8101")
    assert any(check.where == str(bench.servers.shards[1]) for check in found), "the others are asked nevertheless"
    assert exit_code(found) == 4
    with pytest.raises(Unreachable, match="SW8101"):
        require(found)


def test_free_space_where_the_server_says_it(bench: Bench, arena: Arena) -> None:
    """MariaDB's plugin DISKS; other servers say only what is needed."""
    address, server = bench.servers.shards[0], arena.placement["guarded_0"]
    arena.source.query("INSERT INTO shop.person VALUES (1, 1, REPEAT('x', 4000000)), (2, 2, REPEAT('y', 4000000))")
    arena.source.query("ANALYZE TABLE shop.person")
    unknown = _one(_check(bench), FREE, address)
    assert unknown.verdict is Verdict.UNKNOWN and re.search(r"MiB needed", unknown.found) and not unknown.code
    if not _is_mariadb(arena):
        return
    try:
        server.query("INSTALL SONAME 'disks'")
    except pymysql.err.MySQLError as error:
        pytest.skip(f"this MariaDB comes without the plugin: {error}")
    account = f"'{RUNTIME_USER}'@'{server.sandbox.account_host}'"
    try:
        server.query(f"GRANT FILE ON *.* TO {account}")
        enough = _one(_check(bench), FREE, address)
        assert enough.verdict is Verdict.OK and " free" in enough.found, enough
        context = Context(
            bench.plan, bench.servers, Tolerance.NONE, Demands(parallel=1), sizes={"person": Size(1, 10**18)}
        )
        with server.connect() as connection:
            (short,) = free_space(context, connection, ["guarded_0"], str(address))
        assert short.verdict is Verdict.WARNING and short.way_out, short
    finally:
        server.query(f"REVOKE FILE ON *.* FROM {account}")
        server.query("UNINSTALL SONAME 'disks'")


def _is_mariadb(arena: Arena) -> bool:
    return arena.source.sandbox.kind == "mariadb"
