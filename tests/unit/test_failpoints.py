"""The list of failpoints is complete: what is called is listed, what is listed is called, and runs are killed at each
(A1).
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import shardwright.runtime
from shardwright.runtime.cutover.finish import FINISH
from shardwright.runtime.cutover.steps import COMPLETION, PREPARATION, REHEARSAL, UP_TO_THE_SWITCH
from shardwright.runtime.failpoints import NAMES
from tests.backward import test_turning as turning_back
from tests.both_sides import test_refused as refused_rows
from tests.both_sides import test_rounds_killed as both_sides
from tests.cutover import test_by_bucket as by_bucket
from tests.cutover import test_killed as cutover
from tests.cutover import test_next_ids as next_ids
from tests.cutover import test_source_triggers as source_triggers
from tests.cutover import test_wrong as finish
from tests.dead_letters import test_quarantine as dead_letters
from tests.e2e import test_lost_transactions as lost_transactions
from tests.families import test_killed as families
from tests.field import test_all_columns as all_columns
from tests.field import test_all_columns_later as all_columns_later
from tests.field import test_copied_again as copied_again
from tests.field import test_newer_families as newer_families
from tests.interleavings import test_deferred_indexes as deferred_indexes
from tests.interleavings import test_existing_rows as existing_rows
from tests.interleavings import test_killed as interleavings
from tests.interleavings import test_prefetch as prefetching
from tests.source_trees import tree_of
from tests.stream_ddl import test_new_tables as new_tables

RUNTIME = Path(str(shardwright.runtime.__file__)).parent
STEPS = (*PREPARATION, *REHEARSAL, *UP_TO_THE_SWITCH, *COMPLETION, *FINISH, *by_bucket.STEPS)
WITHIN_STEPS = {name for step in STEPS for name in (*step.within, *step.within_undo)}
OF_STEPS = {name for step in STEPS for name in step.failpoints} - WITHIN_STEPS
"""The engine has them."""
ACTIONS = ("upsert", "deferred", "delete", "move-out")
"""What `{substep.action}` may be."""


STOPPED_AT = {
    "after-stream-ddl-begun",
    "after-stream-ddl-routed",
    "before-rows-emptied",
    "after-rows-emptied",
    "after-stream-ddl-passed",
    "before-plan-adopted",
    "after-plan-adopted",
}
"""DDL in the stream is tried in this process (tests/stream_ddl, test_gate and test_truncate): it stops at all of these but
`passed`."""
WITHOUT = {
    "lookup_tables._empty",  # before the migration begins, or the read is recorded: emptied again by the next run
    "lookup_tables._fill",
    "keyless_tables.clear",  # the same
    "handler._begin",  # its caller has the failpoints
    "handler._pass",
    "adopt_plan._clear_ledgers",  # before the plan is adopted: done again by the next run
    "bookkeeping.drop_on_every_shard",  # the same; what is left behind is dropped when the table is added again
    "recopy._make_again",  # its caller has the failpoint
    "journal.audit_allowed",  # a line for people
    "stage._record_skipped",  # changes no row: written again when the batch is decided again
    "apply._is_refused",  # rolled back in any case
    "run.follow",  # a time: written again by the next run
    "applier._keep_staged_places",  # its caller has the failpoint
    "refused_rows._hold",  # its caller has the failpoint
    "side.forget_letters",  # they are conflicts already: done again by the next run
    "retry_quarantined._forget_passed",  # letters behind whose answer the stream stands: forgotten by the next run
    "skip_message.record_skipped",  # a line for people: written again when the message is met again
    "copy_end.keep_copy_end",  # a queue's place in other words: done again by the next run
    "resume.resume_sources",  # one transaction: what a dead run decided of a switched server is decided again
}


def test_a1_every_failpoint_is_listed_and_every_listed_one_is_called() -> None:
    assert set(_find_calls()) == {*NAMES, *WITHIN_STEPS}
    assert len(NAMES) == len({*NAMES} - WITHIN_STEPS - OF_STEPS)


def test_a1_every_failpoint_is_died_at() -> None:
    assert {*NAMES, *WITHIN_STEPS, *OF_STEPS} == (
        interleavings.DIED_AT
        | cutover.DIED_AT
        | by_bucket.DIED_AT
        | both_sides.DIED_AT
        | refused_rows.DIED_AT
        | {*finish.DIED_AT}
        | next_ids.DIED_AT
        | source_triggers.DIED_AT
        | prefetching.DIED_AT
        | existing_rows.DIED_AT
        | deferred_indexes.DIED_AT
        | families.DIED_AT
        | new_tables.DIED_AT
        | newer_families.DIED_AT
        | dead_letters.DIED_AT
        | lost_transactions.DIED_AT
        | copied_again.DIED_AT
        | all_columns.DIED_AT
        | all_columns_later.DIED_AT
        | turning_back.DIED_AT
        | STOPPED_AT
    )


def test_a1_every_transaction_of_the_ledger_has_a_failpoint_beside_it() -> None:
    bare = {
        f"{path.stem}.{function.name}"
        for path in RUNTIME.rglob("*.py")
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef)
        and function.name != "transaction"  # the way itself
        and "transaction" in _calls_of(function)
        and "failpoint" not in _calls_of(function)
    }
    assert bare == WITHOUT


def _calls_of(function: ast.FunctionDef) -> set[str]:
    """Names of functions, and of methods (`Writer.transaction`)."""
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {
        call.id if isinstance(call, ast.Name) else call.attr
        for call in calls
        if isinstance(call, ast.Name | ast.Attribute)
    }


def _find_calls() -> list[str]:
    calls = [
        ast.unparse(node.args[0])
        for path in RUNTIME.rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "failpoint"
        if path.stem != "procedure"
    ]
    return [name for call in calls for name in _names(call)]


def _names(argument: str) -> list[str]:
    """`'after-stage'` is one name, `f'before-{substep.action}'` one for each action."""
    name = argument.removeprefix("f").strip("'\"")
    return [re.sub(r"\{.*\}", action, name) for action in ACTIONS] if "{" in name else [name]
