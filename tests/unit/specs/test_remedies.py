"""What messages tell an operator to do is done somewhere in the tests, or said not to be: the list below. And no message sends anybody to
copy a table again where the stream stands before what it cannot pass, or in words of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import shardwright.runtime
import shardwright.specs
from shardwright.specs.codes import ALL_CODES
from shardwright.specs.remedies import RECOPY, START_OVER

TESTS = Path(__file__).parents[2]
ROOTS = tuple(Path(str(package.__file__)).parent for package in (shardwright.runtime, shardwright.specs))
BATCH = "interleavings/test_remedies.py::test_a_batch_that_a_shard_refuses_is_finished_once_that_is_mended"
HELD = "interleavings/test_remedies.py::test_d12_more_refused_rows_than_at_most_stop_the_run_until_it_is_raised"
CHECKED = "field/test_verify_remedies.py::test_h4_whatever_verify_could_not_check_it_checks_once_that_is_mended"
STARTED_OVER = "field/test_copied_again.py::test_what_cannot_be_copied_again_by_itself_is_left_alone_and_started_over"
_OWN_WORDS = re.compile(
    r"copy ((this|the|named|touched|tables?) )*again|(?<!offset )begin again (with|from)|starts? again with empty|empty all target",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Remedy:
    """`walked`: the test that does what the message says and sees the run go on; None: nobody does yet."""

    code: str
    what: str
    walked: str | None


REMEDIES = (
    Remedy("SW8110", "start over", STARTED_OVER),
    Remedy(
        "SW8113",
        "import again, compile, run; start over",
        "field/test_columns_in_the_log.py::test_a_column_that_somebody_added_without_the_log_is_not_the_servers_own",
    ),
    Remedy("SW8128", "start over", STARTED_OVER),
    Remedy("SW8130", "existing_rows: replace", "interleavings/test_existing_rows.py::test_rows_of_targets_are_refused_kept_and_replaced"),
    Remedy("SW8132", "start over", STARTED_OVER),
    Remedy("SW8133", "start over", STARTED_OVER),
    Remedy("SW8134", "start over", STARTED_OVER),
    Remedy("SW8136", "start over", STARTED_OVER),
    Remedy("SW8137", "start over", STARTED_OVER),
    Remedy("SW8145", "SET GLOBAL local_infile = ON", "faults/test_preflight.py::test_g5_g10_what_a_run_cannot_live_with_is_refused"),
    Remedy("SW8146", "a server that knows the collation", None),
    Remedy("SW8147", "--allow SW8147", "interleavings/test_existing_rows.py::test_rows_of_targets_are_refused_kept_and_replaced"),
    Remedy("SW8148", "GTIDs at both servers", None),
    Remedy("SW8149", "performance_schema = ON and its instrument", "faults/test_source_commit_latency.py::test_g7_a_source_that_does_not_count_is_refused_and_pauses"),
    Remedy(
        "SW8151",
        "mend what the server says, run again",
        "field/test_session_variables.py::"
        "test_g4_a_statement_that_a_server_has_no_memory_for_is_its_refusal_and_goes_on_once_that_is_mended",
    ),
    Remedy("SW8207", "start over", STARTED_OVER),
    Remedy("SW8208", "the right servers again", "interleavings/test_ledgers.py::test_a13_exchanged_ledgers_are_named"),
    Remedy("SW8209", "start over", STARTED_OVER),
    Remedy("SW8210", "start over", STARTED_OVER),
    Remedy("SW8302", "mend what the server says, run again", BATCH),
    Remedy("SW8402", "ddl new", "stream_ddl/test_ways_out.py::test_e14_what_the_targets_did_not_get_is_named_and_brought"),
    Remedy("SW8405", "wait for the other one", "ddl/test_create_tables.py::test_a_run_that_begins_anew_does_not_wait_for_ddl_that_is_under_way"),
    Remedy("SW8412", "start over", STARTED_OVER),
    Remedy("SW8455", "start over", STARTED_OVER),
    Remedy("SW8464", "recopy tables that were copied", "field/test_copied_again.py::test_a1_a10_a_table_is_copied_again_under_writes_whatever_is_killed"),
    Remedy("SW8465", "start over", STARTED_OVER),
    Remedy("SW8466", "run again when `ddl apply` is over; let a run take what waits", BATCH),
    Remedy("SW8501", "mend the table", CHECKED),
    Remedy("SW8502", "none: the message says so", None),
    Remedy("SW8503", "none: the message says so", None),
    Remedy("SW8504", "one of the plan's tables", CHECKED),
    Remedy("SW8507", "let a run follow the stream", CHECKED),
    Remedy("SW8508", "compare when the snapshot is complete", CHECKED),
    Remedy("SW8510", "remove the file", CHECKED),
    Remedy(
        "SW8511",
        "dead-letters retry",
        "dead_letters/test_quarantine.py::"
        "test_a1_d12_a_refused_row_is_held_with_its_events_and_comes_as_the_source_has_it_when_tried_again",
    ),
    Remedy("SW8512", "raise errors.at_most", HELD),
    Remedy("SW8513", "dead-letters list", HELD),
    Remedy("SW8514", "dead-letters retry", HELD),
    Remedy(
        "SW8515",
        "the next run that can read the row",
        "queues/test_recorded.py::"
        "test_a1_d12_a_run_follows_a_folder_resumes_when_it_has_grown_and_holds_rows_that_a_target_refuses",
    ),
    Remedy(
        "SW8545",
        "step over each, import again",
        "stream_ddl/test_ways_out.py::test_e14_source_tables_of_one_table_are_changed_one_after_the_other",
    ),
    Remedy("SW8546", "start over", STARTED_OVER),
)  # fmt: skip


@pytest.mark.parametrize("remedy", REMEDIES, ids=lambda remedy: remedy.code)
def test_a_remedy_is_that_of_a_code_and_walked_by_a_test_that_exists(remedy: Remedy) -> None:
    assert remedy.code in {code.code for code in ALL_CODES}
    if remedy.walked is not None:
        file, _, name = remedy.walked.partition("::")
        assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), remedy.walked


def test_every_code_that_says_to_start_over_is_on_the_list() -> None:
    """Of those that `explain` says it for; a message may say it, too."""
    listed = {remedy.code for remedy in REMEDIES}
    said = {code.code for code in ALL_CODES if START_OVER in code.explanation}
    assert said - listed == STREAM_STOPS


STREAM_STOPS = {"SW8111", "SW8112", "SW8115", "SW8116", "SW8118", "SW8433", "SW8438", "SW8460", "SW8484"}
"""Events and messages that cannot be read: the same way out, which needs no walk of its own for each."""


def test_no_message_says_it_in_words_of_its_own() -> None:
    assert [found for root in ROOTS for found in _own_words(root)] == []


def test_the_ways_out_exist() -> None:
    page = (TESTS.parent / "docs" / "operating.md").read_text(encoding="utf-8")
    assert "\n## Starting over\n" in page and RECOPY in page.replace(" --env E", "")


def _own_words(root: Path) -> Iterator[str]:
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _OWN_WORDS.search(node.value):
                yield f"{path.name}:{node.lineno}: {node.value}"
