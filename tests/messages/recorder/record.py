"""Records real messages of the catalogue's workload into ../recorded. Run by hand, when a producer's version changes:

    mvn -q -f tests/messages/recorder/debezium dependency:copy-dependencies -DoutputDirectory=/tmp/debezium
    .venv/bin/python -m tests.messages.recorder.record debezium /tmp/debezium

Maxwell's jars are in `~/.cache/shardwright/jars` once `make test-all` has run. Starts a server of its own, the one that
SHARDWRIGHT_SERVER names, else the one that is found. What the server says the changes were goes to
expected.SERVER.json, the same for all producers and modes.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any

from tests.binlog.log_server import log_server
from tests.binlog.log_source import Source
from tests.messages import catalogue
from tests.messages.recorder import producers

RECORDED = Path(__file__).parents[1] / "recorded"


def record(source: Source, start: Callable[[Path], subprocess.Popen[bytes]], out: Path, *, ready: bytes) -> None:
    """Starts a producer, plays the workload once its log says that it reads, and waits for it to end by itself."""
    catalogue.create(source)
    log = out.with_suffix(".log")
    producer = start(log)
    deadline = time.monotonic() + 90
    while ready not in log.read_bytes():
        if producer.poll() is not None or time.monotonic() > deadline:
            producer.kill()
            raise SystemExit(f"the producer did not begin: see {log}")
        time.sleep(0.2)
    time.sleep(1)
    changes = catalogue.play(source)
    server = "mysql" if source.is_mysql else "mariadb"
    expected = {
        "columns": {
            table: [asdict(column) for column in source.columns(table)] for table in sorted({c.table for c in changes})
        },
        "changes": [astuple(change) for change in changes],
    }
    (RECORDED / f"expected.{server}.json").write_text(_by_line(expected), encoding="utf-8")
    producer.wait(timeout=180)
    packed = out.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(out.read_bytes(), mtime=0))
    out.unlink()
    log.unlink()
    print(packed.name, len(changes), "changes,", packed.stat().st_size, "bytes")


def _by_line(expected: Mapping[str, Any]) -> str:
    changes = ",\n".join(json.dumps(change, ensure_ascii=False) for change in expected["changes"])
    return f'{{"columns": {json.dumps(expected["columns"], indent=1)},\n"changes": [\n{changes}\n]}}\n'


def main(producer: str, jars: str, only: str = "") -> None:
    with tempfile.TemporaryDirectory() as temporary, log_server(Path(temporary) / "server") as source:
        for run in producers.RUNS[producer]:
            if only in run.name:
                folder = Path(temporary) / run.name
                folder.mkdir()
                out = RECORDED / f"{run.name}.{'mysql' if source.is_mysql else 'mariadb'}.jsonl"
                record(source, lambda log: run.start(source, Path(jars), out, log, folder), out, ready=run.ready)  # noqa: B023


if __name__ == "__main__":
    main(*sys.argv[1:])
