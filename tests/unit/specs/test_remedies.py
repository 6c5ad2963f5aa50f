"""What messages tell an operator to do is done somewhere in the tests, or said not to be: the list below. And no
message sends anybody to copy a table again where the stream stands before what it cannot pass, or in words of its
own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import shardwright.runtime
import shardwright.specs
from shardwright.specs.findings.codes.registry import find_code, read_all_codes
from shardwright.specs.findings.remedies import RECOPY, START_OVER
from tests.source_trees import tree_of

TESTS = Path(__file__).parents[2]
ROOTS = tuple(Path(str(package.__file__)).parent for package in (shardwright.runtime, shardwright.specs))
BATCH = "interleavings/test_remedies.py::test_a_batch_that_a_shard_refuses_is_finished_once_that_is_fixed"
HELD = "interleavings/test_remedies.py::test_d12_more_refused_rows_than_at_most_stop_the_run_until_it_is_raised"
CHECKED = "field/test_verify_remedies.py::test_h4_whatever_verify_could_not_check_it_checks_once_that_is_fixed"
STARTED_OVER = "field/test_copied_again.py::test_what_cannot_be_copied_again_by_itself_is_left_alone_and_started_over"
WITHOUT = "e2e/test_failover.py::test_n25_n26_what_a_server_wrote_for_itself_is_not_missed_and_its_own_rows_are"
FOREIGN_KEYS = "families/test_families.py::test_foreign_keys_that_were_left_out_are_added_once_the_migration_has_ended"
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
    Remedy("SW4209", "add the foreign keys by hand once the migration has ended", FOREIGN_KEYS),
    Remedy("SW4305", "the same", FOREIGN_KEYS),
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
    Remedy("SW8134", "--allow SW8134, verify, repair; start over", WITHOUT),
    Remedy("SW8136", "start over", STARTED_OVER),
    Remedy("SW8137", "start over", STARTED_OVER),
    Remedy("SW8145", "SET GLOBAL local_infile = ON", "faults/test_preflight.py::test_g5_g10_what_a_run_cannot_live_with_is_refused"),
    Remedy(
        "SW8146",
        "convert the column to a collation that both know",
        "faults/test_preflight.py::test_g5_a_collation_that_a_target_does_not_know_is_reported_and_one_that_it_knows_continues",
    ),
    Remedy("SW8147", "--allow SW8147", "interleavings/test_existing_rows.py::test_rows_of_targets_are_refused_kept_and_replaced"),
    Remedy(
        "SW8148",
        "switch GTIDs on; leave read_from out",
        "faults/test_read_replica_without_gtids.py::test_b1_a_source_without_gtids_is_refused_until_it_writes_them",
    ),
    Remedy("SW8149", "performance_schema = ON and its instrument", "faults/test_source_commit_latency.py::test_g7_a_source_that_does_not_count_is_refused_and_pauses"),
    Remedy(
        "SW8151",
        "mend what the server says, run again",
        "field/test_session_variables.py::"
        "test_g4_a_statement_that_a_server_has_no_memory_for_is_its_refusal_and_continues_once_that_is_fixed",
    ),
    Remedy("SW8153", "cast it to longtext", "faults/test_preflight.py::test_c15_documents_go_to_mysql_and_as_texts_to_mariadb"),
    Remedy("SW8154", "cast it", "faults/test_preflight.py::test_c30_types_that_a_target_does_not_know_are_refused_or_cast"),
    Remedy("SW8166", "--allow SW8166, verify", WITHOUT),
    Remedy("SW8207", "start over", STARTED_OVER),
    Remedy("SW8208", "the right servers again", "interleavings/test_ledgers.py::test_a13_exchanged_ledgers_are_named"),
    Remedy("SW8209", "start over", STARTED_OVER),
    Remedy("SW8210", "start over", STARTED_OVER),
    Remedy("SW8302", "mend what the server says, run again", BATCH),
    Remedy("SW8402", "ddl new", "stream_ddl/test_ways_out.py::test_e14_what_the_targets_did_not_get_is_named_and_brought"),
    Remedy("SW8405", "wait for the other one", "ddl/test_create_tables.py::test_a_run_that_begins_again_does_not_wait_for_ddl_that_is_under_way"),
    Remedy("SW8412", "start over", STARTED_OVER),
    Remedy("SW8455", "start over", STARTED_OVER),
    Remedy("SW8464", "recopy tables that were copied", "field/test_copied_again.py::test_a1_a10_a_table_is_copied_again_under_writes_whatever_is_killed"),
    Remedy("SW8465", "start over", STARTED_OVER),
    Remedy("SW8486", "insert the row by hand, run again", "field/test_all_columns.py::test_b7_equal_rows_of_a_table_without_a_key_are_counted"),
    Remedy("SW8487", "start over", STARTED_OVER),
    Remedy("SW8499", "take the key out of the schema file", "faults/test_preflight.py::test_c15_documents_go_to_mysql_and_as_texts_to_mariadb"),
    Remedy("SW8501", "mend the table", CHECKED),
    Remedy("SW8502", "none: the message says so", None),
    Remedy("SW8503", "none: the message says so", None),
    Remedy("SW8504", "one of the plan's tables", CHECKED),
    Remedy("SW8507", "follow the stream with a run", CHECKED),
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
    # What leads on from a start, a server or DDL that was refused:
    Remedy("SW8106", "install the package", "faults/test_servers.py::test_a_way_to_log_in_that_needs_a_package_is_named"),
    Remedy("SW8123", "set the variable and reconnect", "e2e/test_refused_starts.py::test_a_first_start_that_is_refused_makes_nothing"),
    Remedy("SW8125", "the GRANT of the message", "e2e/test_missing_grants.py::test_i7_each_documented_grant_that_is_missing_is_named"),
    Remedy("SW8135", "run again", "binlog/test_failover.py::test_e5_the_reader_notices_another_server_at_every_connect"),
    Remedy("SW8203", "the spec it was started with", "field/test_two_runs.py::test_c11_refused_starts_change_nothing_beside_a_healthy_run"),
    Remedy("SW8220", "run --leave-out", "field/test_newer_plan.py::test_a1_j7_a_begun_migration_continues_with_newer_plans_under_writes"),
    Remedy("SW8221", "run --recopy", "field/test_newer_plan.py::test_a1_j7_a_begun_migration_continues_with_newer_plans_under_writes"),
    Remedy("SW8223", "the GRANT of the message", "field/test_own_ledger.py::test_a1_e18_a_run_is_killed_and_resumed_and_ddl_is_routed"),
    Remedy("SW8206", "run first", "field/test_equal_keys.py::test_h7_a_key_that_exists_twice_is_never_called_equal"),
    Remedy(
        "SW8212",
        "mend that source and run again",
        "e2e/test_several_sources.py::"
        "test_two_servers_are_copied_and_followed_and_one_that_fails_does_not_hold_up_the_other",
    ),
    Remedy("SW8215", "leave the table to one of the two", "field/test_two_runs.py::test_c11_two_migrations_run_over_the_same_databases"),
    Remedy("SW8216", "--yes", "unit/cli/test_consent.py::test_a_protected_environment_asks_for_yes"),
    Remedy("SW8217", "run again, in the direction in force", "backward/test_turning.py::test_no_run_goes_against_the_direction_in_force"),
    Remedy("SW8306", "make room", "faults/test_disk.py::test_a15_disk_full"),
    Remedy(
        "SW8308",
        "run again",
        "faults/test_killed_helpers.py::"
        "test_killed_python_workers_are_tried_again_and_a_killed_java_ends_the_run_in_a_sentence",
    ),
    Remedy("SW8309", "delete the one that is wrong", "backward/test_conflicts.py::test_case_h1_n39_what_two_rows_keep_is_one_dead_letter_and_everything_else_continues"),
    Remedy("SW8404", "put the table back", "ddl/test_router.py::test_e18_a_table_that_somebody_else_changed_is_named"),
    Remedy("SW8406", "the grant of the message", "ddl/test_create_tables.py::test_e18_one_shard_fails_and_the_others_are_finished"),
    Remedy("SW8407", "end its transaction, run again", "ddl/test_ddl_command.py::test_apply_asks_for_leave_and_names_who_holds_a_table"),
    Remedy("SW8408", "run again", "ddl/test_router.py::test_e18_a_statement_whose_connection_is_killed_is_decided_by_the_table"),
    Remedy("SW8411", "run again", "ddl/test_create_tables.py::test_e18_one_shard_fails_and_the_others_are_finished"),
    Remedy("SW8413", "when the indexes stand", "ddl/test_create_tables.py::test_changes_wait_for_indexes_that_they_may_meet"),
    Remedy("SW8415", "--allow SW8415", "ddl/test_order_of_apply.py::test_e18_what_a_server_does_not_do_as_lightly_as_planned_stops_and_is_reported"),
    Remedy("SW8420", "--allow SW8420", "ddl/test_ddl_new.py::test_e18_tables_of_an_earlier_spec_are_led_to_the_new_one"),
    Remedy("SW8421", "--allow SW8421", "ddl/test_ddl_new.py::test_e18_tables_of_an_earlier_spec_are_led_to_the_new_one"),
    Remedy("SW8443", "--remove-leftovers", "ddl/test_online_pt_osc.py::test_a_killed_tool_is_reported_removed_and_resumed"),
    Remedy("SW8447", "apply what waits", "ddl/test_ddl_new.py::test_e18_tables_of_an_earlier_spec_are_led_to_the_new_one"),
    Remedy("SW8523", "repair --run", "e2e/test_repair.py::test_h6_a1_without_a_run_and_killed_on_the_way"),
    # DDL in the stream:
    Remedy("SW8114", "change the targets, step over, compile, run", "field/test_replaced_tables.py::test_e17_a_renamed_column_is_skipped_as_the_message_says"),
    Remedy("SW8541", "change the targets, step over", "stream_ddl/test_ways_out.py::test_e15_a_renamed_column_and_one_that_no_one_can_read_continue_with_a_newer_plan"),
    Remedy("SW8156", "step over", "stream_ddl/test_definitions.py::test_c5_e15_a_character_set_that_may_change_texts_or_keys_is_not_brought"),
    Remedy("SW8155", "step over", "stream_ddl/test_definitions.py::test_e14_if_exists_does_what_it_did_at_the_source"),
    Remedy("SW8157", "except, or --recopy and --allow", "stream_ddl/test_new_tables.py::test_a1_e17_a_new_table_of_a_pattern_is_taken_or_left_out_and_never_skipped"),
    Remedy("SW8224", "except", "stream_ddl/test_new_tables.py::test_a1_d13_new_tables_of_a_family_are_taken_where_the_log_makes_them"),
    Remedy("SW8485", "correct the row, run again", "stream_ddl/test_definitions.py::test_e14_narrower_types_are_brought_and_a_row_that_does_not_fit_is_named"),
    Remedy("SW8544", "drop it on the targets, step over", "stream_ddl/test_ways_out.py::test_e14_unique_keys_come_at_the_source_and_go"),
    Remedy("SW8542", "step over, verify, repair", "field/test_replaced_tables.py::test_e17_a_swap_of_two_statements_stops_at_the_second_one"),
    Remedy("SW8543", "change the targets, step over, compile, run", "field/test_replaced_tables.py::test_e17_a_swap_with_the_same_rows_passes_and_a_renamed_column_is_skipped"),
    Remedy("SW8547", "the same change in the schema file", "stream_ddl/test_apply.py::test_e14_a_column_is_added_where_it_is_in_the_log_and_the_next_plan_continues"),
    Remedy("SW8548", "the same change in the schema file", "field/test_replaced_tables.py::test_e17_a_renamed_column_is_skipped_as_the_message_says"),
    Remedy("SW8549", "take back the rest", "stream_ddl/test_gate.py::test_a1_e14_a_change_of_columns_is_made_good_after_a_stop_at_every_step"),
    Remedy("SW8554", "step over, verify, repair", "stream_ddl/test_ways_out.py::test_e17_a_table_that_was_replaced_by_another_one_stops_under_apply_and_repair_brings_the_rows"),
    Remedy("SW8555", "--allow SW8555, verify", "stream_ddl/test_definitions.py::test_n20_a_source_that_is_not_strict_has_cut_its_values_and_the_targets_do_the_same"),
    Remedy("SW8551", "step over with the schema as it was", "stream_ddl/test_gate.py::test_e17_the_swap_of_an_online_schema_change_is_not_guessed_when_the_table_was_changed_again"),
    Remedy("SW8552", "step over, verify, repair", "field/test_replaced_tables.py::test_e17_a_swap_with_other_rows_stops_under_apply_and_can_be_repaired"),
    Remedy("SW8553", "change the targets, step over", "field/test_partitions.py::test_e17_a_kill_between_a_partition_and_its_record_is_repaired"),
    Remedy("SW8557", "copy the table again, step over", "stream_ddl/test_while_copying.py::test_b5_e17_a_table_that_is_emptied_is_copied_again_behind_it"),
    # A cutover:
    Remedy("SW8911", "wait for the other command", "cutover/test_cutover.py::test_h8_h9_there_and_back_and_there_for_good"),
    Remedy("SW8903", "end the prepared transaction, run again", "cutover/test_fences_hold.py::test_a_prepared_transaction_is_no_connection_to_kill"),
    Remedy("SW8904", "the fence that was set", "cutover/test_fences_faults.py::test_a_record_of_another_fence_is_refused_until_the_fence_is_named_again"),
    Remedy("SW8905", "fix what the server says, run again", "cutover/test_fences_faults.py::test_what_a_server_refuses_is_named_and_done_once_that_is_fixed"),
    Remedy("SW8928", "a type that holds the number, run again", "cutover/test_next_ids.py::test_d18_no_number_is_given_twice"),
    Remedy("SW8929", "grant what is missing, repeat", "cutover/test_source_triggers.py::test_g5_triggers_of_the_source_are_gone_while_the_shards_take_the_writes"),
    Remedy("SW8931", "correct the record, repeat", "cutover/test_source_triggers.py::test_g5_triggers_of_the_source_are_gone_while_the_shards_take_the_writes"),
    Remedy("SW8932", "name buckets in the rules, compile, run", "cutover/test_by_bucket.py::test_h8_buckets_are_added_to_a_migration_that_runs"),
    Remedy("SW8933", "bring all buckets to one side, repeat", "cutover/test_by_bucket.py::test_h8_buckets_are_added_to_a_migration_that_runs"),
    Remedy("SW8934", "put the expression back, compile", "cutover/test_by_bucket.py::test_h8_buckets_are_added_to_a_migration_that_runs"),
    Remedy("SW8937", "resolve, and cut over again", "both_sides/test_conflicts.py::test_each_policy_decides_its_table"),
    Remedy("SW8935", "retry takes it; discard, and the own side is right", "cutover/test_by_bucket.py::test_h8_one_bucket_there_and_back_and_then_all"),
    Remedy("SW8906", "fix the hook, run again", "unit/cutover/test_hooks.py::test_a_hook_that_fails_and_is_fixed"),
    Remedy("SW8940", "a type that holds the number", "cutover/test_next_ids.py::test_d18_no_number_is_given_twice"),
    Remedy("SW8941", "give the segment a number", "cutover/test_next_ids.py::test_n40_n36_numbers_that_cannot_be_given_are_named_before_the_fence"),
    Remedy("SW8942", "the GRANT of the message", "cutover/test_next_ids.py::test_d18_no_number_is_given_twice"),
    Remedy("SW8943", "end the replication; --allow SW8943", "cutover/test_fences_faults.py::test_n05_a_replica_is_refused_whether_it_applies_or_is_stopped"),
    Remedy("SW8944", "the fence triggers; --allow SW8944", "cutover/test_fences_faults.py::test_n05_an_event_that_no_trigger_stops_is_refused"),
    Remedy("SW8945", "roll the other one back, or finish it", "cutover/test_gates.py::test_n05_another_migrations_way_back_into_the_same_tables_is_refused"),
    Remedy("SW8226", "--yes", "cutover/test_finish.py::test_s10_finish_asks_and_ends_the_live_run_without_an_error"),
    Remedy("SW8225", "finish the other migration", "field/test_two_runs.py::test_s5_rows_of_another_begun_migration_are_not_replaced_or_kept"),
    Remedy("SW8930", "finish the earlier migration", "rescale/test_rescale_run.py::test_the_way_back_of_the_earlier_migration_ends_before_the_next_cutover"),
    Remedy("SW8939", "leave numbers for the shards", "both_sides/test_ending.py::test_the_source_has_to_leave_numbers_for_the_shards"),
    # Messages of queues:
    Remedy("SW8431", "step over the message", "queues/test_several_topics.py::test_f4_two_topics_are_followed_and_one_that_fails_does_not_hold_up_the_other"),
    Remedy("SW8432", "step over the message", "queues/test_kafka_source.py::test_f7_one_message_is_skipped_by_its_exact_place"),
    Remedy("SW8451", "running again resumes", "queues/test_kafka_run.py::test_a16_f3_rows_in_four_partitions_by_key_through_a_network_that_breaks"),
    Remedy("SW8481", "running again resumes", "rocketmq/test_queues.py::test_f9_offsets_and_messages_outlive_the_broker"),
)  # fmt: skip

WITHOUT_A_WALK = {
    "nothing was begun: the same command with what the message asks for is what all other tests call": (
        "SW8001 SW8002 SW8003 SW8005 SW8006 SW8007 SW8008 SW8009 SW8010 SW8011 SW8012 SW8013 SW8014 SW8051 SW8052 SW8053 SW8054 SW8055 SW8056 SW8057 SW8058 SW8059 SW8060 SW8061 SW8065 SW8066 "
        "SW8101 SW8103 SW8105 SW8107 SW8121 SW8171 SW8172 SW8122 SW8126 SW8127 SW8141 SW8142 SW8144 SW8150 SW8205 SW8218 SW8222 SW8409 SW8410 "
        "SW8436 SW8440 SW8441 SW8442 SW8445 SW8446 SW8448 SW8449 SW8452 SW8454 SW8463 SW8480 SW8482 SW8483 SW8497 "
        "SW8516 SW8517 SW8520 SW8521 SW8524 SW8525 SW8530 SW8531 SW8532 SW8536 SW8537 SW8550 SW8560 SW8561 "
        "SW8936 SW8938 SW8601 SW8602 SW8603 SW8604 SW8605 SW8606 SW8607 SW8608 SW8801 SW8802 SW8803 SW8810 SW8811 "
        "SW8901 SW8902 SW8912 "
        "SW8913 SW8914 SW8915 SW8917 SW8918 SW8919 SW8920 SW8921 SW8922 SW8923 SW8924 SW8927"
    ),
    "the run goes on by itself, or when it is started again, which the tests of kills, cuts and full disks do": (
        "SW8102 SW8117 SW8170 SW8311 SW8312 SW8201 SW8202 SW8204 SW8213 SW8301 SW8304 SW8305 SW8307 SW8320 SW8399 SW8403 SW8414 SW8444 SW8466 SW8496"
    ),
    "a verdict on what was compared, rehearsed or tested: to be mended where it points, then asked again": (
        "SW8505 SW8506 SW8509 SW8522 SW8533 SW8701 SW8702 SW8703 SW8704 SW8705 SW8804 SW8851 SW8852 SW8853 SW8854 SW8855 SW8856 SW8857 "
        "SW8858 SW8859 SW8860 SW8861 SW8863 SW8864 SW8865 SW8925 SW8926"
    ),
    "rows, files or messages that only their owner can mend; nothing is skipped and nothing was lost": (
        "SW8129 SW8143 SW8303 SW8401 SW8422 SW8434 SW8435 SW8437 SW8453 SW8456 SW8459 SW8457 SW8458 SW8461 SW8462"
    ),
    "who answers there, or which version it has, is for a person to find out": "SW8211 SW8219 SW8310 SW8916 SW8104 SW8131 SW8152",
}  # fmt: skip
"""Why -> codes that nobody walks from."""


@pytest.mark.parametrize("remedy", REMEDIES, ids=lambda remedy: remedy.code)
def test_a_remedy_is_that_of_a_code_and_walked_by_a_test_that_exists(remedy: Remedy) -> None:
    assert find_code(remedy.code)
    if remedy.walked is not None:
        file, _, name = remedy.walked.partition("::")
        assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), remedy.walked


def test_every_code_of_a_command_that_talks_to_servers_is_on_one_of_the_lists() -> None:
    without = [code for codes in WITHOUT_A_WALK.values() for code in codes.split()]
    listed = [*(remedy.code for remedy in REMEDIES), *without, *STREAM_STOPS]
    found = [code for code in listed if code.startswith("SW8")]
    assert sorted(found) == sorted(code.code for code in read_all_codes() if code.code.startswith("SW8"))


def test_every_code_that_says_to_start_over_is_on_the_list() -> None:
    """Of those that `explain` says it for; a message may say it, too."""
    listed = {remedy.code for remedy in REMEDIES}
    said = {code.code for code in read_all_codes() if START_OVER in code.explanation}
    assert said - listed == STREAM_STOPS


STREAM_STOPS = {"SW8111", "SW8112", "SW8115", "SW8116", "SW8118", "SW8433", "SW8438", "SW8460", "SW8484"}
"""Events and messages that cannot be read: the same way out, which needs no walk of its own for each."""


def test_no_message_says_it_in_words_of_its_own() -> None:
    assert [found for root in ROOTS for found in _own_words(root)] == []
    assert [code for code in read_all_codes() if _OWN_WORDS.search(code.explanation)] == []


def test_the_ways_out_exist() -> None:
    page = (TESTS.parent / "docs" / "how-to" / "copy-again.md").read_text(encoding="utf-8")
    assert "\n## Starting over\n" in page and RECOPY in page.replace(" --env E", "")


def _own_words(root: Path) -> Iterator[str]:
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _OWN_WORDS.search(node.value):
                yield f"{path.name}:{node.lineno}: {node.value}"
