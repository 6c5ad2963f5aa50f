"""The folder of a report: which files it has, how they are written, and whether they are still what was written.

Used in the process of the command; writes a new folder, or reads one. The check needs no server and no project.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shardwright.runtime.evidence.chain import BROKEN, ChainWriter, Record, read_chain
from shardwright.runtime.evidence.summary import Counting, Summary, count
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.runtime.verify.html_report import page_environment
from shardwright.specs.files.private_files import open_private, write_private

CHAIN: Final = "evidence.jsonl"
DATA: Final = "report.json"
PAGE: Final = "report.html"
FILES: Final = "files"
"""The folder of copies of the project's files, with their paths in the project."""


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A file of the project that is copied into the report."""

    path: str
    """From the project's folder, with slashes."""
    content: bytes

    def as_record(self) -> Record:
        digest = hashlib.sha256(self.content).hexdigest()
        return Record("file", {"path": self.path, "bytes": len(self.content), "sha256": digest})


def write_folder(folder: Path, header: Record, files: Iterable[ProjectFile], records: Iterable[Record]) -> Summary:
    """Writes the whole report into a folder that is new or empty. Raises InputAtFault (SW8560) for another one,
    RuntimeFailure (SW8051) where a file cannot be written, and passes on what `records` raises."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputAtFault("SW8560", f"{folder} is not empty: name a new folder, so that a report is of one moment")
        counting = Counting()
        with open_private(folder / CHAIN) as out:
            chain = ChainWriter(out)
            counting.add(chain.add(header))
            for file in files:
                _copy(folder / FILES, file)
                counting.add(chain.add(file.as_record()))
            for record in records:
                counting.add(chain.add(record))
            counting.add(chain.add(Record("end", {"records": chain.records + 1})))
        summary = counting.finish(chain.head)
        write_private(folder / DATA, as_text(summary))
        write_private(folder / PAGE, as_page(summary))
    except OSError as error:
        raise RuntimeFailure("SW8051", f"cannot write the report {folder}: {error.strerror}") from None
    return summary


def check_folder(folder: Path, *, head: str | None = None) -> Summary:
    """Raises InputAtFault (SW8561) for a report that is not what was written: the first thing that was changed, is
    missing or is new. `head`: the last digest, as it was noted elsewhere."""
    try:
        summary = count(_whole(folder / CHAIN))
        if head is not None and summary.head != head.lower():
            raise InputAtFault(BROKEN, f"{folder}: the last digest is {summary.head}, and not {head}")
        _check_copies(folder)
        for name, made in ((DATA, as_text(summary)), (PAGE, as_page(summary))):
            if (folder / name).read_text(encoding="utf-8") != made:
                raise InputAtFault(BROKEN, f"{folder / name} was changed: it does not say what {CHAIN} says")
    except OSError as error:
        raise InputAtFault(BROKEN, f"{error.filename}: {error.strerror}") from None
    return summary


def as_text(summary: Summary) -> str:
    return json.dumps(summary.as_json(), indent=1, ensure_ascii=False) + "\n"


def as_page(summary: Summary) -> str:
    return page_environment("shardwright.runtime.evidence").get_template("page.html.j2").render(summary=summary)


def _whole(chain: Path) -> Iterable[tuple[Record, str]]:
    """The records of a chain that has its last one."""
    last, records = None, 0
    for last, digest in read_chain(chain):
        records += 1
        yield last, digest
    if last != Record("end", {"records": records}):
        raise InputAtFault(BROKEN, f"{chain}: its last records are missing")


def _copy(folder: Path, file: ProjectFile) -> None:
    place = folder / file.path
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.write_bytes(file.content)


def _check_copies(folder: Path) -> None:
    recorded = {str(record.data["path"]): record for record, _ in read_chain(folder / CHAIN) if record.kind == "file"}
    there = {path.relative_to(folder / FILES).as_posix() for path in (folder / FILES).rglob("*") if path.is_file()}
    for path in sorted(recorded.keys() ^ there):
        what = "is missing" if path in recorded else "is not in the report"
        raise InputAtFault(BROKEN, f"{folder / FILES / path} {what}")
    for path, record in recorded.items():
        if ProjectFile(path, (folder / FILES / path).read_bytes()).as_record() != record:
            raise InputAtFault(BROKEN, f"{folder / FILES / path} was changed: its digest is another one")
