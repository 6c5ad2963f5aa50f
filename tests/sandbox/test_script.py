"""Scripts are split as the servers' command line client splits them."""

from __future__ import annotations

import pytest

from shardwright.runtime.rehearsal.sandbox.script import statements


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;;\n SELECT 2;", ["SELECT 1", "SELECT 2"]),
        (
            "SELECT ';', \"a;''\", `b;`, 'it''s; \\';';SELECT 2",
            ["SELECT ';', \"a;''\", `b;`, 'it''s; \\';'", "SELECT 2"],
        ),
        ("-- a; b\nSELECT 1 # c;\n;", ["-- a; b\nSELECT 1 # c;"]),
        ("/* a; */ /* b */;SELECT 1-1;", ["SELECT 1-1"]),
        ("/*!50003 SET @a = 1 */;", ["/*!50003 SET @a = 1 */"]),
        ("SELECT 1;\nDELIMITER ;;\nBEGIN; END;;\nDELIMITER ;\nSELECT 2;", ["SELECT 1", "BEGIN; END", "SELECT 2"]),
        ("delimiter //\nBEGIN; END//\n", ["BEGIN; END"]),
        ("SELECT 1;\n-- a\n\nDELIMITER $$\nBEGIN; END$$", ["SELECT 1", "BEGIN; END"]),
        ("SELECT 'unclosed; text", ["SELECT 'unclosed; text"]),
    ],
)
def test_statements(script: str, expected: list[str]) -> None:
    assert list(statements(script)) == expected
