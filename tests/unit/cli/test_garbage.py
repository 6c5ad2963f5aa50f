"""Python looks for garbage less often while plans are made, and not at the end."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from shardwright.compiler.project.many_tables import rarely_collected

SCRIPT = """\
from shardwright.compiler.project.many_tables import not_collected_at_exit
class Node:
    def __del__(self): print("looked at")
node = Node()
node.itself = node
"""


@pytest.mark.parametrize(("more", "said"), [("", "looked at\n"), ("not_collected_at_exit()", "")])
def test_what_is_kept_to_the_end_is_not_looked_at(more: str, said: str) -> None:
    ended = subprocess.run([sys.executable, "-c", SCRIPT + more], capture_output=True, text=True, check=True)
    assert ended.stdout == said


def test_as_often_as_before_afterwards() -> None:
    usual = gc.get_threshold()
    with pytest.raises(ValueError), rarely_collected():
        assert gc.get_threshold() > usual
        raise ValueError
    assert gc.get_threshold() == usual


def test_what_was_made_is_not_looked_at_again_soon() -> None:
    with rarely_collected():
        made = [[number] for number in range(5_000)]
    assert len(gc.get_objects(generation=0)) + len(gc.get_objects(generation=1)) < len(made)
    assert gc.get_freeze_count() == 0
