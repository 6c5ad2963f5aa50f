"""How each producer is started, in which modes."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.binlog.log_source import Source
from tests.messages.catalogue import END

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Debezium:
    """`settings` are the connector's; those that start with `converter.` are the JSON converter's."""

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    ready: bytes = b"INFO: Connected to"

    def start(self, source: Source, jars: Path, out: Path, log: Path, folder: Path) -> subprocess.Popen[bytes]:
        kind = "mysql.MySql" if source.is_mysql else "mariadb.MariaDb"
        settings = {
            "name": "recorder",
            "connector.class": f"io.debezium.connector.{kind}Connector",
            "offset.storage": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
            "offset.storage.file.filename": str(folder / "offsets"),
            "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory",
            "schema.history.internal.file.filename": str(folder / "history"),
            "database.hostname": source.settings.host,
            "database.port": str(source.settings.port),
            "database.user": source.settings.account,
            "database.password": source.settings.password,
            "database.server.id": "9171",
            "database.include.list": "shop",
            "topic.prefix": "recorded",
            "snapshot.mode": "no_data",
            "include.schema.changes": "true",
            "skipped.operations": "none",
            "converter.schemas.enable": "false",
            "converter.replace.null.with.default": "false",
            **self.settings,
        }
        command = [
            "java",
            "-Xmx512m",
            "-Duser.timezone=Asia/Tokyo",
            "-cp",
            f"{jars}/*",
            str(_HERE / "RecordDebezium.java"),
        ]
        command += [str(out), END, *(f"{name}={value}" for name, value in settings.items())]
        with log.open("wb") as errors:
            return subprocess.Popen(command, stdout=errors, stderr=errors)


@dataclass(frozen=True)
class Canal:
    name: str
    time_zone: str
    ready: bytes = b"reading"

    def start(self, source: Source, jars: Path, out: Path, log: Path, folder: Path) -> subprocess.Popen[bytes]:
        head = source.head()
        command = [
            "java",
            "-Xmx512m",
            f"-Duser.timezone={self.time_zone}",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
        ]
        command += ["-cp", f"{jars}/*", str(_HERE / "RecordCanal.java"), str(out), END, source.settings.host]
        command += [str(source.settings.port), source.settings.account, head.file, str(head.offset)]
        with log.open("wb") as errors:
            return subprocess.Popen(command, stdout=errors, stderr=errors)


@dataclass(frozen=True)
class Maxwell:
    """Run from its own main class; it keeps its own books in database `maxwell` of the source."""

    name: str
    ready: bytes = b"Binlog connected"

    def start(self, source: Source, jars: Path, out: Path, log: Path, folder: Path) -> subprocess.Popen[bytes]:
        source.run("CREATE USER IF NOT EXISTS maxwell@'%' IDENTIFIED BY 'maxwell'", "GRANT ALL ON *.* TO maxwell@'%'")
        options = {
            "host": source.settings.host, "port": source.settings.port, "user": "maxwell", "password": "maxwell",
            "producer": "file", "output_file": folder / "maxwell.jsonl", "output_binlog_position": "true",
            "output_xoffset": "true", "output_ddl": "true", "filter": "exclude: *.*, include: shop.*",
        }  # fmt: skip
        subprocess.run(["javac", "-d", str(folder), str(_HERE / "maxwell" / "ScriptObjectMirror.java")], check=True)
        command = ["java", "-Xmx512m", "-Duser.timezone=Asia/Tokyo", "-cp", f"{jars}/*:{folder}"]
        command.append("com.zendesk.maxwell.Maxwell")
        with log.open("wb") as errors:
            started = subprocess.Popen(
                [*command, *(f"--{n}={v}" for n, v in options.items())], stdout=errors, stderr=errors
            )
        threading.Thread(target=_end_maxwell, args=(started, folder / "maxwell.jsonl", out), daemon=True).start()
        return started


def _end_maxwell(running: subprocess.Popen[bytes], written: Path, out: Path) -> None:
    """Maxwell goes on for ever: ends it once the last row has come, and puts its lines into our form."""
    mark = f'"table":"{END}","type":"insert"'
    while running.poll() is None and not (written.exists() and mark in written.read_text("utf-8")):
        time.sleep(0.5)
    lines = written.read_text("utf-8").removesuffix("\n").split("\n")
    rows = [json.dumps({"topic": "recorded", "key": None, "value": line}, ensure_ascii=False) for line in lines]
    out.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    running.terminate()


RUNS: Mapping[str, Sequence[Canal | Maxwell | Debezium]] = {
    "canal": [Canal("canal", "Asia/Tokyo")],
    "maxwell": [Maxwell("maxwell")],
    "debezium": [
        Debezium("debezium"),
        Debezium("debezium-schema", {"converter.schemas.enable": "true"}),
        Debezium("debezium-strings", {
            "decimal.handling.mode": "string", "time.precision.mode": "isostring", "binary.handling.mode": "hex",
            "bigint.unsigned.handling.mode": "precise",
        }),
        Debezium("debezium-numeric", {
            "converter.decimal.format": "NUMERIC", "time.precision.mode": "microseconds", "binary.handling.mode": "base64",
            "bigint.unsigned.handling.mode": "precise",
        }),
        Debezium("debezium-connect", {
            "time.precision.mode": "connect", "binary.handling.mode": "base64-url-safe", "decimal.handling.mode": "double",
            "converter.replace.null.with.default": "true", "provide.transaction.metadata": "true", "heartbeat.interval.ms": "500",
        }),
        Debezium("debezium-nanoseconds", {
            "time.precision.mode": "nanoseconds", "converter.schemas.enable": "true", "decimal.handling.mode": "string",
            "binary.handling.mode": "hex",
        }),
    ],
}  # fmt: skip
