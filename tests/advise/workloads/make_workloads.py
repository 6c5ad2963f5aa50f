"""Makes the workloads of the three applications from their `requests.sql`, always the same ones.

python -m tests.advise.workloads.make_workloads      writes shop/general.log, forum/slow.log and billing/digests.json
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.advise.workloads.formats import CountedStatement, digest_export, general_log, slow_log
from tests.advise.workloads.requests import Page, Request, Source, read_columns, read_pages
from tests.advise.workloads.rules import LAST_IDS, RULES

FOLDER: Final = Path(__file__).parent
FILES: Final = {"shop": "general.log", "forum": "slow.log", "billing": "digests.json"}
DIGESTS: Final = FOLDER / "billing" / "digest_texts.json"
"""By statement of `requests.sql`: STATEMENT_DIGEST and STATEMENT_DIGEST_TEXT, as MySQL 9.7 gave them."""
_CALLS: Final = {"shop": 640, "forum": 700, "billing": 0}
"""Calls of pages in a log, beside one of each page."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a page, with its statements as they were executed."""

    page: Page
    statements: tuple[str, ...]


def calls_of(name: str) -> Iterator[Call]:
    """The calls of an application's pages, in order: each page at least once, and the others by their weights."""
    dice = random.Random(f"advise {name}")
    schema = (FOLDER / name / "schema.sql").read_text(encoding="utf-8")
    source = Source(read_columns(schema), RULES[name], dict(LAST_IDS[name]), dice)
    pages = read_pages((FOLDER / name / "requests.sql").read_text(encoding="utf-8"))
    chosen = [*pages, *dice.choices(pages, weights=[page.weight for page in pages], k=_CALLS[name])]
    if _CALLS[name]:
        dice.shuffle(chosen)
    for number, page in enumerate(chosen):
        second = number * 3600 // len(chosen)
        now = f"2026-03-14 10:{second // 60:02d}:{second % 60:02d}.{dice.randint(0, 999_999):06d}"
        request = Request(source, now)
        yield Call(page, tuple(map(request.fill, page.statements)))


def make_workload(name: str) -> str:
    """The text of the application's file."""
    dice = random.Random(f"format {name}")
    calls = tuple(calls_of(name))
    if name == "shop":
        return general_log([call.statements for call in calls], dice)
    if name == "forum":
        return slow_log([call.statements for call in calls], dice)
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    return digest_export(
        [
            CountedStatement(statement, call.page.weight, *known[template])
            for call in calls
            for template, statement in zip(call.page.statements, call.statements, strict=True)
        ],
        dice,
    )


if __name__ == "__main__":
    for name, file in FILES.items():
        (FOLDER / name / file).write_text(make_workload(name), encoding="utf-8")
