"""Tables for people: whole and plain in a pipe, wrapped between words on a terminal, never cut."""

from __future__ import annotations

import sys

import pytest

from shardwright.compiler.plan.steps import Steps
from shardwright.compiler.review.difference.compare import Difference
from shardwright.compiler.review.difference.render_text import render_text
from shardwright.runtime.cli.verb_dead_letters import as_table
from shardwright.runtime.ledger.dead_letters import DeadLetter, QuarantinedKey
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.run.preflight.table import as_text
from shardwright.specs.findings import text_table as module
from shardwright.specs.findings.text_table import output_width, text_table

LONG = "binlog_row_image is MINIMAL, and rows whose columns are not all logged cannot be placed by their shard key"
ROWS = [("users", "1,234,567", "equal"), ("日本語", "7", "DIFFERENT"), ("a" * 30, "", LONG)]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "output_width", lambda: 80)


def test_in_a_pipe_nothing_wraps_and_nothing_is_cut() -> None:
    assert text_table(ROWS, header=("table", "rows", "verdict"), right=(1,)).splitlines() == [
        f"{'table':30}       rows  verdict",
        f"{'users':30}  1,234,567  equal",
        f"日本語{'':24}          7  DIFFERENT",  # each takes two columns
        f"{'a' * 30}             {LONG}",
    ]


def test_on_a_terminal_words_wrap_below_each_other(terminal: None) -> None:
    lines = text_table(ROWS, header=("table", "rows", "verdict"), right=(1,)).splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) > 5
    assert " ".join(line[43:] for line in lines[3:]) == LONG
    assert all(line[:43] in (" " * 43, f"{'a' * 30}{'':13}") for line in lines[3:])


def test_on_a_terminal_no_word_is_broken(terminal: None) -> None:
    key = "k" * 100
    assert key in text_table([("missing", key, "one two " * 20)]).split()


def test_cells_may_have_lines_and_tables_an_indent() -> None:
    assert text_table([("a", "one\n  two"), ("bb", "")], indent=2) == "  a   one\n        two\n  bb"
    assert text_table([]) == "" and text_table([], header=("a", "b")) == "a  b"


def test_a_cell_is_text_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a command of a terminal, nor markup, nor a colour because the environment asks for one."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = text_table([("\x1b[31mred", "[bold]x[/bold]", ":smile: 'y' 12")])
    assert shown == "\\u001b[31mred  [bold]x[/bold]  :smile: 'y' 12"


def test_preflight_fits_eighty_columns(terminal: None) -> None:
    checks = [
        Check("format of the log", "source.example.net:3306", Verdict.REFUSED, LONG, code="SW8101", way_out=LONG),
        Check("privileges", "shop_0", Verdict.OK, "all there"),
    ]
    lines = as_text(checks).splitlines()
    assert max(map(len, lines)) <= 80
    assert f"SW8101: {LONG} do: {LONG}" in " ".join(line[lines[0].index("SW8101") :].strip() for line in lines)


def test_a_table_that_is_kept_is_the_same_on_a_terminal(terminal: None) -> None:
    assert text_table([("a", LONG)], wraps=False) == f"a  {LONG}"


def test_differences_fit_eighty_columns(terminal: None) -> None:
    found = Difference("shop", "0" * 16, "1" * 16, changes=(), steps=Steps(added=("one", "two")))
    lines = render_text([found], base="main", with_sql=False).splitlines()
    assert max(map(len, lines)) <= 80 and lines[1].startswith("  note")


def test_dead_letters_fit_eighty_columns(terminal: None) -> None:
    letter = DeadLetter(
        QuarantinedKey("order_info", "shop.order_info", ("1", "a b")),
        state="retry",
        code="SW8511",
        reason="Data too long for column 'note' at row 1",
        batch=1,
        events=3,
        last_position=None,
        last_op="U",
        image='{"id": "1", "note": "a longer text than a line has room for", "amount": "3.00"}',
        places=frozenset(),
        until=None,
        first_seen="2025-01-01 03:04:05.000123",
        last_seen=None,
    )
    lines = as_table([letter]).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("order_info  '1,a b'  to be retried       3  SW8511 Data too long")


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "97")
    assert output_width() is None
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert output_width() == 97
