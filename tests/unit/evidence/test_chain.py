"""A report is a chain of digests: whatever is changed, lost, added or moved in it is named, and nothing else is."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.evidence.chain import ChainWriter, Record, read_chain
from shardwright.runtime.evidence.folder import CHAIN, DATA, PAGE, ProjectFile, check_folder, write_folder
from shardwright.runtime.evidence.ledger_rows import EVIDENCE, NO_EVIDENCE
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.ledger import tables

HEADER = Record("report", {"migration": "shop", "environment": "test", "plan": "0" * 16, "written_at": "2026-11-30"})
FILES = (ProjectFile("specs/shop.yaml", b"migration: shop\n"), ProjectFile("build/shop/plan.sql", b"SELECT 1\n"))


def _ledger(table: str, **row: Any) -> Record:
    return Record("ledger", {"ledger": "shop_0", "table": table, "row": row})


RECORDS = (
    _ledger("_shardwright_chunk", logical="orders", source_table="shop.orders", chunk=1, state="done", rows_read=7),
    _ledger("_shardwright_chunk_done", logical="orders", source_table="shop.orders", chunk=1, rows_inserted=7),
    _ledger("_shardwright_audit", id=1, at="2026-11-30T00:00:00", what="fence set", detail="<b>", who="ann@host",
            account="sw@%", command="cutover --allow SW8943"),
    *(Record("range", {"table": "orders", "source_rows": rows, "shards_rows": rows, "source_hash": "f" * 16,
                       "shards_hash": "f" * 16, "differed": False}) for rows in (3, 4)),
    Record("verdict", {"verdict": "equal", "tables": {}, "positions": {}}),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "report", HEADER, FILES, RECORDS)
    return tmp_path / "report"


def test_a_report_that_is_as_written_is_right(folder: Path) -> None:
    summary = check_folder(folder)
    assert summary.records == len(RECORDS) + len(FILES) + 2
    assert check_folder(folder, head=summary.head) == summary
    sections = {section.title: section.rows for section in summary.sections}
    assert sections["Copy"] == (("orders", 1, 1, 7, 7),)
    assert sections["Ranges compared for this report"] == (("orders", 2, 0, 7, 7, "f" * 15 + "e", "f" * 15 + "e"),)
    assert [row[2] for row in sections["Fences and switches"]] == ["fence set"]
    assert [row[2] for row in sections["Exceptions"]] == ["fence set"]
    assert "&lt;b&gt;" in (folder / PAGE).read_text(encoding="utf-8")
    assert (folder / CHAIN).stat().st_mode & 0o777 == 0o600


def test_a_folder_with_something_in_it_is_left_alone(folder: Path) -> None:
    before = (folder / CHAIN).read_bytes()
    with pytest.raises(InputAtFault, match="is not empty"):
        write_folder(folder, HEADER, FILES, RECORDS)
    assert (folder / CHAIN).read_bytes() == before


@pytest.mark.parametrize("change", ["file", "data", "page", "lost file", "new file", "head", "lost chain"])
def test_what_was_changed_beside_the_chain_is_named(folder: Path, change: str) -> None:
    head, named = None, str(folder)
    match change:
        case "file" | "lost file" | "new file":
            named = str(folder / "files" / ("specs/shop.yaml" if change != "new file" else "specs/more.yaml"))
            Path(named).unlink() if change == "lost file" else Path(named).write_bytes(b"migration: shoq\n")
        case "data":
            (folder / DATA).write_text((folder / DATA).read_text("utf-8").replace('"equal"', '"different"'), "utf-8")
        case "page":
            (folder / PAGE).write_text((folder / PAGE).read_text("utf-8").replace("ann@", "bob@"), "utf-8")
        case "head":
            head = "0" * 64
        case _:
            (folder / CHAIN).unlink()
    with pytest.raises(InputAtFault, match=re.escape(named)):
        check_folder(folder, head=head)


def test_any_change_of_any_line_is_named(folder: Path, seed: int) -> None:
    """A byte that is another one, a line that is lost, repeated, moved, or new with a digest of its own."""
    chance = random.Random(seed)
    lines = (folder / CHAIN).read_bytes().splitlines(keepends=True)
    for number in range(len(lines)):
        for changed in _changes(lines, number, chance):
            (folder / CHAIN).write_bytes(b"".join(changed))
            with pytest.raises(InputAtFault, match=r"evidence\.jsonl") as refused:
                check_folder(folder)
            assert refused.value.code == "SW8561"
    (folder / CHAIN).write_bytes(b"".join(lines))
    check_folder(folder)


def _changes(lines: list[bytes], number: int, chance: random.Random) -> list[list[bytes]]:
    line = lines[number]
    place = chance.randrange(len(line) - 1)
    other = bytes([chance.choice([code for code in range(32, 127) if code != line[place]])])
    before, after = lines[:number], lines[number + 1 :]
    changes = [
        [*before, line[:place] + other + line[place + 1 :], *after],
        [*before, *after],
        [*before, line, *lines[number:]],
    ]
    if after:
        changes.append([*before, after[0], line, *after[1:]])
    record = json.loads(line)
    record["data"]["more"] = 1
    return [*changes, [*before, json.dumps(record, sort_keys=True, separators=(",", ":")).encode() + b"\n", *after]]


@given(st.lists(st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text(max_size=9)), max_size=6))
def test_records_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    path = tmp_path_factory.mktemp("chain") / CHAIN
    written = [Record(str(number), row) for number, row in enumerate(rows)]
    with path.open("w", encoding="utf-8") as out:
        chain = ChainWriter(out)
        for record in written:
            chain.add(record)
    found = list(read_chain(path))
    assert [record for record, _ in found] == written
    assert not found or found[-1][1] == chain.head


def test_every_table_of_a_ledger_is_evidence_or_said_not_to_be() -> None:
    created = {
        name
        for statement in (*tables.EVERY_SHARD, *tables.FIRST_SHARD)
        for name in re.findall(r"_shardwright_\w+", statement)[:1]
    }
    assert {table.name for table in EVIDENCE} | NO_EVIDENCE.keys() == created
    by_name = {
        re.findall(r"_shardwright_\w+", statement)[0]: statement
        for statement in (*tables.EVERY_SHARD, *tables.FIRST_SHARD)
    }
    for table in EVIDENCE:
        for column in (*table.columns, *table.order):
            assert re.search(rf"^\s*{column} ", by_name[table.name], re.MULTILINE), (table.name, column)
    rows_of_users = {"row_key", "image", "places", "changed", "packed", "low", "high", "detail of a cutover", "summary"}
    assert not rows_of_users & {column for table in EVIDENCE for column in table.columns}
