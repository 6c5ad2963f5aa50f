"""What do the records say? Sections of a page, counted from the chain alone, so that a check can count them again.

Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from shardwright.runtime.evidence.chain import Data, Record

Value = str | int | None
_CUTOVER: Final = ("fence ", "cutover ", "hook called", "triggers ", "next ids")
"""How audit lines about a cutover begin."""
_EXCEPTIONS: Final = ("deletes allowed", "message skipped", "dead letter discarded", "source changed", "stream DDL: ")
_HEADER: Final = ("migration", "environment", "plan", "version", "written_at", "written_by")
_AUDIT: Final = ("at", "what", "detail", "who", "account", "command")
_EXPLAINED: Final = {
    "Positions": "Where each direction began and how far it is, by the first ledger of the direction.",
    "Copy": "Rows by logical table: read at the source, and inserted by shards, as each shard's ledger counts them.",
    "Comparisons on record": "Whole comparisons that found both sides equal. `void` says why one proves no more.",
    "Ranges compared for this report": "Sums of 64-bit row hashes over all key ranges of a table, modulo 2^64.",
    "Dead letters": "Rows in quarantine, by table and code. Keys and values are in the ledger only.",
    "Fences and switches": "Who stopped and moved the applications' writes, and when.",
    "Exceptions": "What an operator, or a rule of the spec, allowed that a run would have refused.",
    "Who did what": "Every line of the audit.",
    "Files": "The files that the plan was compiled from, and what was compiled.",
}


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the page."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    @property
    def explanation(self) -> str:
        return _EXPLAINED[self.title]


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole report."""

    header: Mapping[str, Value]
    """Migration, environment, plan, version, when and by whom it was written."""
    verdict: str
    """Of the comparison that was made for this report; empty where none was."""
    records: int
    head: str
    """The digest of the last record: it stands for all of them."""
    sections: tuple[Section, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Counting:
    """Takes records one by one, so that a ledger of many chunks is never in memory."""

    _header: Mapping[str, Value] = field(default_factory=dict)
    _verdict: str = ""
    _records: int = 0
    _files: list[Data] = field(default_factory=list)
    _rows: defaultdict[str, list[tuple[str, Data]]] = field(default_factory=lambda: defaultdict(list))
    """Rows of small tables: by table, with their ledger."""
    _copied: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _dead: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _ranges: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, record: Record) -> None:
        self._records += 1
        data = record.data
        match record.kind:
            case "report":
                self._header = {name: data[name] for name in _HEADER if name in data}
            case "file":
                self._files.append(data)
            case "range":
                self._add_range(data)
            case "verdict":
                self._verdict = str(data["verdict"])
            case "ledger":
                self._add_row(str(data["ledger"]), str(data["table"]), data["row"])

    def finish(self, head: str) -> Summary:
        """`head` is the digest of the last record that was added."""
        sections = (
            self._positions(), self._section("Comparisons on record", "_shardwright_verified", (
                "began_at", "finished_at", "compared_rows", "fingerprint", "first_batch", "last_batch", "void")),
            self._ranges_section(), self._copy_section(),
            Section("Dead letters", ("table", "code", "state", "rows"), tuple(
                (*key, count) for key, count in sorted(self._dead.items()))),
            self._audit("Fences and switches", lambda line: str(line["what"]).startswith(_CUTOVER)),
            self._audit("Exceptions", _is_exception),
            Section("Files", ("path", "bytes", "sha256"), tuple(
                (file["path"], file["bytes"], file["sha256"]) for file in self._files)),
            self._audit("Who did what", lambda line: True),
        )  # fmt: skip
        return Summary(self._header, self._verdict, self._records, head, sections)

    def _add_row(self, ledger: str, table: str, row: Data) -> None:
        match table:
            case "_shardwright_chunk":
                copied = self._copied[row["logical"]]
                copied["chunks"] += 1
                copied["done"] += row["state"] == "done"
                copied["read"] += row["rows_read"] or 0
            case "_shardwright_chunk_done":
                self._copied[row["logical"]]["inserted"] += row["rows_inserted"]
            case "_shardwright_dead":
                self._dead[row["logical"], row["code"], row["state"]] += 1
            case "_shardwright_migration" | "_shardwright_verified" | "_shardwright_audit":
                self._rows[table].append((ledger, row))

    def _add_range(self, data: Data) -> None:
        table = self._ranges[str(data["table"])]
        table["ranges"] += 1
        table["differing"] += bool(data["differed"])
        for side in ("source", "shards"):
            table[f"{side} rows"] += data[f"{side}_rows"]
            table[f"{side} hash"] = (table[f"{side} hash"] + int(data[f"{side}_hash"], 16)) % 2**64

    def _positions(self) -> Section:
        columns = ("fingerprint", "start", "position", "snapshot_end", "batch", "updated_at")
        return self._section("Positions", "_shardwright_migration", columns)

    def _section(self, title: str, table: str, columns: tuple[str, ...]) -> Section:
        rows = tuple((ledger, *(row[column] for column in columns)) for ledger, row in self._rows[table])
        return Section(title, ("ledger", *columns), rows)

    def _ranges_section(self) -> Section:
        columns = ("ranges", "differing", "source rows", "shards rows", "source hash", "shards hash")
        rows = tuple(
            _row(name, *(table[column] for column in columns[:4]), *(f"{table[column]:016x}" for column in columns[4:]))
            for name, table in sorted(self._ranges.items())
        )
        return Section("Ranges compared for this report", ("table", *columns), rows)

    def _copy_section(self) -> Section:
        columns = ("chunks", "done", "read", "inserted")
        rows = tuple(_row(name, *(table[column] for column in columns)) for name, table in sorted(self._copied.items()))
        return Section("Copy", ("table", "chunks", "chunks done", "rows read", "rows inserted"), rows)

    def _audit(self, title: str, belongs: Callable[[Data], bool]) -> Section:
        rows = tuple(
            (ledger, *(line[column] for column in _AUDIT))
            for ledger, line in self._rows["_shardwright_audit"]
            if belongs(line)
        )
        return Section(title, ("ledger", *_AUDIT), rows)


def count(records: Iterable[tuple[Record, str]]) -> Summary:
    """The summary of a whole chain, of records with their digests."""
    counting, head = Counting(), ""
    for record, digest in records:
        counting.add(record)
        head = digest
    return counting.finish(head)


def _row(*values: Value) -> tuple[Value, ...]:
    return values


def _is_exception(line: Data) -> bool:
    return str(line["what"]).startswith(_EXCEPTIONS) or "--allow" in str(line["command"])
