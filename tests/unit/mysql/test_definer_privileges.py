"""Which privilege lets an account create triggers that run as another account?"""

from __future__ import annotations

import pytest

from shardwright.runtime.mysql.grants import definer_privileges


@pytest.mark.parametrize(
    ("version", "first"),
    [
        ("10.6.12-MariaDB", "SET USER"),
        ("11.8.2-MariaDB-log", "SET USER"),
        ("8.0.36", "SET_USER_ID"),
        ("8.1.0", "SET_USER_ID"),
        ("8.2.0", "SET_ANY_DEFINER"),
        ("9.7.4", "SET_ANY_DEFINER"),
    ],
)
def test_by_version(version: str, first: str) -> None:
    assert definer_privileges(version)[0] == first
