"""Jars that tests run are those whose digests are kept."""

from __future__ import annotations

from pathlib import Path

from tests.servers.jars import ALL, KAFKA, _find_differences


def test_jars_of_another_content_missing_ones_and_more_are_reported(tmp_path: Path) -> None:
    (tmp_path / "kafka-clients-4.1.1.jar").write_text("something else")
    (tmp_path / "more-1.0.jar").write_text("more")
    differing = _find_differences(KAFKA, tmp_path)
    assert {
        f"{KAFKA.name}/{name}" for name in ("kafka-clients-4.1.1.jar", "more-1.0.jar", "kafka_2.13-4.1.1.jar")
    } <= set(differing)


def test_every_set_has_digests() -> None:
    lines = (Path(__file__).parents[1] / "servers" / "jars.sha256").read_text().splitlines()
    assert {line.split("  ")[1].split("/")[0] for line in lines} == {each.name for each in ALL}
