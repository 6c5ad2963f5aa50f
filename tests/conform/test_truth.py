"""The classifier against the truth: a statement on one database, and on shards with the same rows.

`SHARDWRIGHT_CONFORM_STATEMENTS=2000` makes it longer. The printed seed repeats a run.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from shardwright.compiler.conform.classify import classify
from shardwright.compiler.conform.verdict import Verdict
from tests.conform.random_statements import Writer
from tests.conform.truth import ERRORS, SHARDS, Truth, compile_project, fill, layout_of
from tests.servers.testbed import Arena

STATEMENTS = int(os.environ.get("SHARDWRIGHT_CONFORM_STATEMENTS", "300"))
pytestmark = pytest.mark.server


@pytest.fixture
def truth(arena: Arena, dice: random.Random) -> Truth:
    return fill(arena.source, compile_project(), dice)


def test_a_verdict_about_a_query_is_true(truth: Truth, dice: random.Random) -> None:
    layout = layout_of(truth.compiled)
    writer = Writer(dice)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for _ in range(STATEMENTS):
        statement = writer.statement()
        judged = classify(statement, layout)
        try:
            whole = truth.whole(statement)
        except ERRORS as error:
            counts[f"refused by the server: {error.args[0]}"] += 1
            continue
        counts[judged.verdict] += 1
        try:
            if judged.verdict is Verdict.ONE_SHARD:
                got = truth.shard(truth.shard_of(judged), statement)
            elif judged.verdict is Verdict.SAME_ANSWER:
                got = truth.together(statement)
            elif judged.verdict is Verdict.BROADCAST_READ:
                got = truth.shard(0, statement)
            else:
                if _together(truth, statement) == whole:
                    counts[f"{judged.verdict}, and equal here"] += 1
                continue
        except ERRORS as error:
            wrong.append(f"{judged.verdict} ({judged.reason}): {error}\n  {statement}")
            continue
        if got != whole:
            wrong.append(
                f"{judged.verdict} ({judged.reason}): {whole - got} missing, {got - whole} too many\n  {statement}"
            )
    print(*(f"{count:6} {verdict}" for verdict, count in sorted(counts.items())), sep="\n")
    assert not wrong, "\n".join(wrong[:10])
    assert counts[Verdict.ONE_SHARD] > STATEMENTS // 20 and counts[Verdict.SAME_ANSWER] > STATEMENTS // 10, counts


def _together(truth: Truth, statement: str) -> Counter[object] | None:
    try:
        return truth.together(statement)
    except ERRORS:
        return None


def test_a_verdict_about_a_change_is_true(truth: Truth, dice: random.Random) -> None:
    layout = layout_of(truth.compiled)
    writer = Writer(dice)
    counts: Counter[str] = Counter()
    for _ in range(max(STATEMENTS // 6, 20)):
        statement = writer.change()
        judged = classify(statement, layout)
        if judged.verdict not in (Verdict.ONE_SHARD, Verdict.SAME_ANSWER):
            counts[judged.verdict] += 1
            continue
        with truth.undo_afterwards():
            try:
                truth.ask("whole", statement)
            except ERRORS as error:
                counts[f"refused by the server: {error.args[0]}"] += 1
                continue
            counts[judged.verdict] += 1
            shards = range(len(SHARDS)) if judged.verdict is Verdict.SAME_ANSWER else [truth.shard_of(judged)]
            for number in shards:
                truth.ask(SHARDS[number], statement)
            whole = truth.contents("whole")
            parts = [truth.contents(database) for database in SHARDS]
            for table, rows in whole.items():
                if table != "region":
                    together = sum((part[table] for part in parts), Counter())
                    assert together == rows, f"{judged.verdict} ({judged.reason}): {table} after {statement}"
    print(*(f"{count:6} {verdict}" for verdict, count in sorted(counts.items())), sep="\n")
    assert counts[Verdict.ONE_SHARD] and counts[Verdict.SAME_ANSWER], counts
