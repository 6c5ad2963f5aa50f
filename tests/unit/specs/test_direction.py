"""What each direction answers, and that ledgers, plans and reports keep its name as it is."""

from __future__ import annotations

import json

import pytest

from shardwright.compiler.plan.plain_data import as_data
from shardwright.specs.direction import Direction

FORWARD, BACKWARD = Direction


@pytest.mark.parametrize(
    ("direction", "read", "written"), [(FORWARD, "source", "shards"), (BACKWARD, "shards", "source")]
)
def test_what_is_read_and_written(direction: Direction, read: str, written: str) -> None:
    assert (direction.read_side, direction.write_side) == (read, written)
    assert direction.words == f"from the {read} to the {written}"
    assert (direction.reads_source, direction.reads_shards) == (read == "source", read == "shards")
    assert (direction.writes_source, direction.writes_shards) == (written == "source", written == "shards")
    assert direction.copies == (direction is FORWARD)


def test_each_is_the_opposite_of_the_other() -> None:
    assert FORWARD.opposite is BACKWARD and BACKWARD.opposite is FORWARD


@pytest.mark.parametrize("name", ["forward", "backward"])
def test_its_name_is_what_is_written(name: str) -> None:
    direction = Direction(name)
    assert f"{direction}" == str(direction) == direction.value == name and type(as_data(direction)) is str
    assert json.dumps({"direction": direction}) == f'{{"direction": "{name}"}}'
