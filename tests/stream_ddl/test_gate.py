"""The gate at a DDL statement, without Spark: what stands in the books and on the shards when it is stopped at every
step.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.batches import MigrationState, close_batch, read_migration, snapshot_done
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.stream_ddl import read_awaited_change
from shardwright.runtime.ledger.takeover import take_over_everywhere
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from shardwright.runtime.run.adopt_plan import adopt_newer_plan
from shardwright.runtime.run.begin import begin_or_resume
from shardwright.runtime.run.bookkeeping import create_bookkeeping
from shardwright.runtime.sources.binlog.ddl_statements import statement_at
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import head_position
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from shardwright.runtime.stream.schema_change.emptying import Emptying
from shardwright.runtime.stream.schema_change.handler import SchemaChangeHandler
from tests.stream_ddl.conftest import DdlLab, MakeLab
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server]

ADD_X = "ALTER TABLE parent ADD COLUMN x int NOT NULL DEFAULT 5 AFTER place"
X_IN_SCHEMA = ("`place` int unsigned NOT NULL,", "`place` int unsigned NOT NULL,\n  `x` int NOT NULL DEFAULT 5,")
STOPPED = Refused("SW8114", "stopped")


@dataclass(frozen=True)
class Operator:
    """What the run is allowed and how it is interrupted. `codes` are those of `--allow`."""

    codes: frozenset[str] = frozenset()
    may_write: Callable[[], bool] = lambda: True
    on_step: Callable[[], object] = lambda: None


NO_ONE = Operator()


@dataclass
class AtTheGate:
    """A begun migration, copied, whose stream stands where the log ended when this was made."""

    made: DdlLab
    copied: bool = True

    def __post_init__(self) -> None:
        deployed = self.deploy()
        create_tables(deployed.plan, connect=self._connect(deployed), limit=2, on_progress=lambda _progress: None)
        control, writer, sources = self._start(deployed)
        create_bookkeeping(deployed.plan, deployed.servers)
        context = RunContext(deployed.plan, deployed.servers, control, writer)
        begin_or_resume(context, sources, aside=())
        adopt_newer_plan(context)
        if self.copied:
            snapshot_done(control, "lab", self.state().position)
        control.close()

    def deploy(self) -> Deployment:
        return deployment(argparse.Namespace(project=self.made.project, env=ENVIRONMENT, migration="lab", quiet=True))

    def meet(self, operator: Operator = NO_ONE, *, allowed: str = "") -> None:
        """As a run does that begins where the stream stands and meets the next statement."""
        deployed = self.deploy()
        control, writer, sources = self._start(deployed)
        try:
            context = RunContext(deployed.plan, deployed.servers, control, writer)
            adopt_newer_plan(context)
            create_tables(deployed.plan, connect=self._connect(deployed), limit=2, on_progress=lambda _progress: None)
            create_bookkeeping(deployed.plan, deployed.servers)
            begin_or_resume(context, sources, aside=())
            places = {allowed} if allowed else set()
            ceilings = DeleteCeilings(deployed.plan, deployed.servers, set(operator.codes))
            emptying = Emptying(context, ceilings, operator.may_write, operator.on_step, shards_at_once=1)
            gate = SchemaChangeHandler(context, sources, emptying, allowed=places)
            gate.handle(self.state(), STOPPED)
        finally:
            control.close()

    def next_place(self) -> str:
        """The place of the next statement on a followed table, as the run prints it."""
        deployed, position = self.deploy(), self.state().position
        (source,) = open_sources(deployed.plan, deployed.servers, deployed.environment)
        part = position.parts[source.name]
        assert isinstance(source, LogStream) and isinstance(part, LogPosition)
        found = statement_at(source.log(), part)
        assert found is not None
        return found.place

    def pass_the_rest(self) -> None:
        """As the stream does with transactions of other tables."""
        control = self.deploy().servers.connect_shard(0)
        state = self.state()
        close_batch(control, "lab", replace(state, batch=state.batch + 1, position=self.head()))
        control.close()

    def state(self) -> MigrationState:
        control = self.deploy().servers.connect_shard(0)
        try:
            state = read_migration(control, "lab")
        finally:
            control.close()
        assert state is not None
        return state

    def awaits(self) -> bool:
        control = self.deploy().servers.connect_shard(0)
        try:
            return read_awaited_change(control, "lab") is not None
        finally:
            control.close()

    def head(self) -> StreamPosition:
        deployed = self.deploy()
        return head_position(open_sources(deployed.plan, deployed.servers, deployed.environment))

    @staticmethod
    def _start(deployed: Deployment) -> tuple[Any, Writer, Any]:
        writer = take_over_everywhere(deployed.servers, role="data")
        sources = open_sources(deployed.plan, deployed.servers, deployed.environment)
        return deployed.servers.connect_shard(0), writer, sources

    @staticmethod
    def _connect(deployed: Deployment) -> Any:
        return lambda database: deployed.servers.connect_shard(deployed.servers.databases.index(database))


def test_a1_e14_a_change_of_columns_is_made_good_after_a_stop_at_every_step(
    make_lab: MakeLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    gate = AtTheGate(made)
    before = gate.state().position
    made.lab.write(ADD_X)
    for name in ("after-stream-ddl-begun", "after-stream-ddl-routed"):
        monkeypatch.setenv(VARIABLE, f"{name}=error")
        with pytest.raises(StoppedPartWay, match="SW8399"):
            gate.meet()
        assert gate.state().position == before and not gate.awaits(), "nothing is passed before all shards have it"
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(StoppedPartWay, match=r"SW8548.*column x is added"):
        gate.meet()
    assert gate.state().position == gate.head()
    assert gate.awaits()
    for place in range(4):
        assert made.columns(place, f"parent_{place // 2}") == ["id", "place", "x", "name", "note"]
    with pytest.raises(Refused, match="SW8547"):
        gate.meet()
    made.in_schema(X_IN_SCHEMA[0], X_IN_SCHEMA[1] + "\n  `y` int NOT NULL,")
    with pytest.raises(Refused, match=r"SW8549.*y is too many"):
        gate.meet()
    made.in_schema("\n  `y` int NOT NULL,", "")
    made.lab.write("ALTER TABLE parent ADD INDEX by_x (x)")
    for name in ("before-plan-adopted", "after-plan-adopted"):
        monkeypatch.setenv(VARIABLE, f"{name}=error")
        with pytest.raises(StoppedPartWay, match="SW8399"):
            gate.meet()
    monkeypatch.delenv(VARIABLE)
    gate.meet()
    assert gate.state().fingerprint == gate.deploy().plan.fingerprint
    assert made.columns(0, "_sw_stage_parent")[-5:] == ["id", "place", "x", "name", "note"]
    assert made.lab.at(3, "SHOW INDEX FROM parent_1 WHERE Key_name = 'by_x'")
    assert not gate.awaits()
    assert {"stream DDL: apply", "plan adopted"} <= set(made.audit())


def test_a1_e15_a_new_name_of_a_column_is_made_good_after_a_stop_at_every_step(
    make_lab: MakeLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one table the targets' column has the source's name, in the other one the spec gives it its own."""
    made = make_lab("{format: binlog, ddl: apply}")
    own_name = ("deletes: until_snapshot\n\n", "deletes: until_snapshot\n    columns: {rename: {note: words}}\n\n")
    made.in_spec(*own_name)
    gate = AtTheGate(made)
    before = gate.state().position
    made.lab.at(0, "INSERT INTO parent_0 VALUES (1, 0, 'n1', 'kept')")
    made.lab.write("ALTER TABLE parent RENAME COLUMN note TO remark")
    for name in ("after-stream-ddl-begun", "after-stream-ddl-routed"):
        monkeypatch.setenv(VARIABLE, f"{name}=error")
        with pytest.raises(StoppedPartWay, match="SW8399"):
            gate.meet()
        assert gate.state().position == before and not gate.awaits()
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(StoppedPartWay, match=r"SW8548.*column note gets the name remark"):
        gate.meet()
    for place in range(4):
        assert made.columns(place, f"parent_{place // 2}") == ["id", "place", "name", "remark"]
    assert made.lab.at(0, "SELECT remark FROM parent_0") == [("kept",)]
    made.in_schema("`note` varchar(100)", "`remark` varchar(100)")
    made.lab.write("ALTER TABLE child RENAME COLUMN note TO remark")
    with pytest.raises(
        StoppedPartWay, match=r"SW8548.*it stays words on the targets: where the spec names note, it na"
    ):
        gate.meet()
    assert made.columns(0, "child_0") == ["id", "line", "place", "words"]
    assert gate.deploy().plan.fingerprint == gate.state().fingerprint, "the plan of the first change was adopted"
    made.in_spec("{note: words}", "{remark: text}", then_compile=False)
    made.in_schema("`note` varchar(100)", "`remark` varchar(100)")
    with pytest.raises(Refused, match=r"SW8549.*column remark is not copied as note was"):
        gate.meet()
    made.in_spec("{remark: text}", "{remark: words}")
    made.lab.write("ALTER TABLE child ADD INDEX by_remark (remark)")
    gate.meet()
    assert not gate.awaits()
    assert made.lab.at(0, "SHOW INDEX FROM child_0 WHERE Key_name = 'by_remark' AND Column_name = 'words'")


def test_e17_e19_what_is_not_carried_stops_before_it_and_can_be_skipped_once(make_lab: MakeLab) -> None:
    made = make_lab('{format: binlog, ddl: apply, ignore_ddl: ["truncate table *CHILD*", "*optional*", "* place *"]}')
    gate = AtTheGate(made)
    before = gate.state().position
    made.lab.write("RENAME TABLE parent TO older")
    with pytest.raises(Refused, match=r"SW8542.*lab.parent gets the name lab.older.*--allow SW8114@") as refused:
        gate.meet()
    assert gate.state().position == before
    with pytest.raises(Refused, match="SW8542"):
        gate.meet(allowed="binlog.000001:4")
    gate.meet(allowed=made.place(str(refused.value)))
    assert gate.state().position == gate.head()
    made.lab.write("TRUNCATE TABLE child")
    gate.meet()
    assert gate.state().position == gate.head(), "the pattern lets it pass"
    made.lab.write("ALTER TABLE child ADD optional int")
    with pytest.raises(Refused, match=r"SW8550.*it changes columns"):
        gate.meet()
    assert made.audit() == ["stream DDL: step over", "stream DDL: ignore"]


def test_e17_the_swap_of_an_online_schema_change_is_not_guessed_when_the_table_was_changed_again(
    make_lab: MakeLab,
) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    gate = AtTheGate(made)
    made.lab.write("CREATE TABLE _parent_gho LIKE parent")
    made.lab.write("ALTER TABLE _parent_gho ADD COLUMN x int NOT NULL DEFAULT 5 AFTER place")
    gate.pass_the_rest()
    made.lab.write("rename /* gh-ost */ table lab.parent to lab._parent_del, lab._parent_gho to lab.parent")
    swapped = gate.head()
    made.lab.write("ALTER TABLE parent ADD COLUMN y int")
    with pytest.raises(Refused, match="SW8551"):
        gate.meet()
    assert not gate.state().position.has_reached(swapped)


def test_e16_e17_pt_online_schema_change_is_named_once_the_table_can_be_read(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    gate = AtTheGate(made)
    made.lab.write("CREATE TABLE _parent_new LIKE parent")
    made.lab.write("ALTER TABLE _parent_new ADD COLUMN x int NOT NULL DEFAULT 5 AFTER place")
    gate.pass_the_rest()
    made.lab.write("RENAME TABLE `lab`.`parent` TO `lab`.`_parent_old`, `lab`.`_parent_new` TO `lab`.`parent`")
    before, source = gate.state().position, made.lab.arena.source
    account = f"'{RUNTIME_USER}'@'{source.sandbox.account_host}'"
    source.query(f"REVOKE SELECT ON `lab`.* FROM {account}")
    source.query(f"GRANT SELECT ON `lab`.`child` TO {account}")
    with pytest.raises(Refused, match=r"SW8551.*lab\.parent cannot be read from the source"):
        gate.meet()
    assert gate.state().position == before and not gate.awaits(), "nothing behind it is passed over"
    source.query(f"GRANT SELECT ON `lab`.* TO {account}")
    with pytest.raises(StoppedPartWay, match=r"SW8548.*swapped by pt-online-schema-change: column x is added"):
        gate.meet()
    assert made.columns(1, "parent_0") == ["id", "place", "x", "name", "note"]


def test_e14_columns_are_not_dropped_while_rows_are_copied_and_stop_is_the_default(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    gate = AtTheGate(made, copied=False)
    made.lab.write("ALTER TABLE parent DROP COLUMN note")
    with pytest.raises(Refused, match="SW8546"):
        gate.meet()
    spec = made.project / "specs" / "lab.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace(", ddl: apply", ""), encoding="utf-8")
    made.compile()
    with pytest.raises(RuntimeFailure, match="stopped"):
        gate.meet()
    assert "note" in made.columns(0, "parent_0")


def test_b5_only_added_columns_are_skipped_by_hand_while_rows_are_copied(make_lab: MakeLab) -> None:
    """Rows of chunks that are read behind the statement have its change, and would get it again when the targets do."""
    made = make_lab("{format: binlog}")
    gate = AtTheGate(made, copied=False)
    for statement in (
        "ALTER TABLE child /*M! ADD COLUMN z int */",  # who does not know it cannot know that it adds something
        "ALTER TABLE parent CHANGE name other varchar(40) COLLATE utf8mb4_bin DEFAULT NULL",
        "ALTER TABLE parent MODIFY note varchar(200) COLLATE utf8mb4_general_ci NOT NULL DEFAULT ''",
        "ALTER TABLE parent DROP COLUMN note",
    ):
        made.lab.write(statement)
        before = gate.state().position
        with pytest.raises(Refused, match=r"SW8546.*while rows are still being copied"):
            gate.meet(allowed=gate.next_place())
        assert gate.state().position == before
        gate.pass_the_rest()
    made.lab.write("TRUNCATE TABLE child")
    gate.meet(allowed=gate.next_place())
    made.lab.write("ALTER TABLE parent ADD COLUMN x int")
    with pytest.raises(StoppedPartWay, match="SW8548"):
        gate.meet(allowed=gate.next_place())
    assert gate.awaits()
