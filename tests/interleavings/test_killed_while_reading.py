"""A run that is killed while it stands inside a transaction of the log (contract C3, hazard A5)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml

from tests.servers.log_wire import LogWire
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import Lab, move, new_family
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


@pytest.fixture
def wire(lab: Lab) -> Iterator[LogWire]:
    """The lab's runs reach their source by it."""
    wire = LogWire(lab.arena.source.host, lab.arena.source.port)
    file = lab.job.project / "environments" / f"{ENVIRONMENT}.yaml"
    settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    settings["source"] |= {"port": wire.port, "tls": "off"}
    file.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
    yield wire
    wire.close()


def test_a5_killed_inside_a_transaction_again_and_again(lab: Lab, wire: LogWire) -> None:
    """First who looks for the batch's end has read half of it, then who reads the rows; none of it counts."""
    lab.fill({id_: id_ % 4 for id_ in range(100, 140)})
    lab.finish()
    before = lab.ledger_state().position
    file, offset = lab.arena.source.log_end()
    lab.write(*(statement for id_ in range(200, 240) for statement in new_family(id_, id_ % 4)), *move(101, 2))
    end = lab.arena.source.log_end()[1]
    events = lab.arena.source.query(f"SHOW BINLOG EVENTS IN '{file}' FROM {offset}")
    inside = [int(event[4]) for event in events if int(event[4]) < end]
    assert len(inside) > 100, "a transaction of many events"
    for passes, at in ((0, len(inside) // 3), (1, len(inside) - 1)):
        wire.stop_behind(inside[at], passes=passes, silent=True)
        process = lab.start(gated=False)
        try:
            lab.until(process, "the run has read a part of the transaction", wire.stopped.is_set)
        finally:
            kill_tree(process)
        ledger_state = lab.ledger_state()
        require_sound(lab.arena, ledger_state)
        assert (
            before is not None
            and ledger_state.position is not None
            and before <= ledger_state.position <= (before[0], offset)
        )
        assert lab.places(200) == [] and lab.places(239) == [] and lab.places(101) == [1]
    lab.finish()
    lab.require_equal()
    assert lab.places(239) == [3] and lab.places(101) == [2]
