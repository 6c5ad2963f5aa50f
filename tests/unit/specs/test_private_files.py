"""Reports and state files that hold keys and values (finding 27 of the security review)."""

from __future__ import annotations

import os
from pathlib import Path

from shardwright.specs.files.private_files import open_private, write_private


def test_reports_are_for_the_account_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "result.json", "{}")
        with open_private(tmp_path / "events.json", append=True) as opened:
            opened.write("1\n")
    finally:
        os.umask(before)
    with open_private(tmp_path / "events.json", append=True) as opened:
        opened.write("2\n")
    assert (tmp_path / "events.json").read_text() == "1\n2\n"
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}


def test_a_mode_that_somebody_chose_stays(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text("something longer")
    file.chmod(0o640)
    write_private(file, "{}")
    assert file.read_text() == "{}" and file.stat().st_mode & 0o777 == 0o640
