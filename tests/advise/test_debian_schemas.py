"""Schema files of programs that people run, as Debian's packages have them: `init` makes projects of them that compile
without an edit. The packages are downloaded with apt (55 MB), and nothing is installed.
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.support.commands import shardwright

pytestmark = [pytest.mark.slow, pytest.mark.long]


def _plain(folder: Path, file: str) -> str:
    return (folder / file).read_text(encoding="utf-8")


def _zabbix(folder: Path) -> str:
    return gzip.decompress((folder / "usr/share/zabbix-server-mysql/schema.sql.gz").read_bytes()).decode()


def _mediawiki(folder: Path) -> str:
    return "".join(
        _plain(folder, f"usr/share/mediawiki/maintenance/{name}.sql") for name in ("tables", "tables-generated")
    )


def _wordpress(folder: Path) -> str:
    """Its statements are strings of a PHP file."""
    program = _plain(folder, "usr/share/wordpress/wp-admin/includes/schema.php")
    statements = re.findall(r"CREATE TABLE .*?\) \$charset_collate;", program, re.DOTALL)
    return (
        "\n".join(statements)
        .replace("$wpdb->", "wp_")
        .replace("$max_index_length", "191")
        .replace("$charset_collate", "")
    )


SCHEMAS: Final[dict[str, tuple[int, Callable[[Path], str]]]] = {
    "zabbix-server-mysql": (170, _zabbix),
    "mediawiki": (50, _mediawiki),
    "wordpress": (12, _wordpress),
    "pdns-backend-mysql": (7, lambda folder: _plain(folder, "usr/share/pdns-backend-mysql/schema/schema.mysql.sql")),
    "roundcube-core": (15, lambda folder: _plain(folder, "usr/share/dbconfig-common/data/roundcube/install/mysql")),
    "bacula-director-mysql": (
        24,
        lambda folder: _plain(folder, "usr/share/dbconfig-common/data/bacula-director-mysql/install/mysql"),
    ),
}
"""Package -> the least number of tables, and where its schema is."""


@pytest.mark.parametrize("package", SCHEMAS)
def test_a_programs_own_schema_compiles_by_init(package: str, tmp_path: Path) -> None:
    least, read = SCHEMAS[package]
    unpacked = _unpack(package, tmp_path)
    (tmp_path / "schema.sql").write_text(read(unpacked), encoding="utf-8")
    project = tmp_path / "project"
    words = ("--schema", str(tmp_path / "schema.sql"), "--dialect", "mariadb", "--database", "app")
    shardwright(tmp_path, "init", str(project), *words).require(0)
    done = shardwright(project, "compile").require(0)
    [tables] = re.findall(r"plan \w+ of app-split written to \S+: (\d+) tables", done.err + done.out)
    assert int(tables) >= least


def _unpack(package: str, folder: Path) -> Path:
    if shutil.which("apt-get") is None:
        pytest.skip("Debian only: apt-get downloads the packages")
    got = subprocess.run(
        ["apt-get", "download", "-q", package], cwd=folder, capture_output=True, timeout=300, check=False
    )
    if got.returncode != 0:
        pytest.skip(f"{package} cannot be downloaded here: {got.stderr.decode(errors='replace')[-200:]}")
    [file] = folder.glob(f"{package}_*.deb")
    subprocess.run(["dpkg-deb", "-x", str(file), str(folder / "unpacked")], check=True, timeout=300)
    return folder / "unpacked"
