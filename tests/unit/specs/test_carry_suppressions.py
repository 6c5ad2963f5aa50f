"""A schema file written anew keeps its reasons."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shardwright.specs.suppressions.carry import carry_over

ONE = "-- shardwright: ignore[SW4302] because ids come from one service"
TWO = "-- shardwright: ignore[SW4001] because nobody searches there"
OLD = f"""\
-- Written by hand.
{ONE}
CREATE TABLE `a` (
  {TWO}
  `id` bigint NOT NULL,
  `note` text, {ONE}
  `gone` int {TWO}
);
CREATE TABLE `b` (
  `id` bigint NOT NULL, {TWO}
  `said` varchar(99) DEFAULT '{ONE}'
);
"""
NEW = """\
-- Written by import.
CREATE TABLE `a` (
  `new` int,
  `id` bigint NOT NULL,
  `note` text
);
CREATE TABLE `b` (
  `id` bigint NOT NULL,
  `more` int
);
"""


def test_each_stays_beside_its_line() -> None:
    text, lost = carry_over(OLD, NEW)
    assert (
        text
        == f"""\
-- Written by import.
{ONE}
CREATE TABLE `a` (
  `new` int,
  {TWO}
  `id` bigint NOT NULL,
  `note` text {ONE}
);
CREATE TABLE `b` (
  `id` bigint NOT NULL, {TWO}
  `more` int
);
"""
    )
    assert lost == (TWO,)


def test_again_changes_nothing() -> None:
    once, _ = carry_over(OLD, NEW)
    assert carry_over(once, NEW) == (once, ())


@given(st.text(alphabet="a`'\"\n,-# ();CREATE TABLEshardwright"))
def test_without_suppressions_the_new_text_stays(new: str) -> None:
    assert carry_over("CREATE TABLE `a` (\n  `id` int -- a comment\n);\n", new) == (new, ())
