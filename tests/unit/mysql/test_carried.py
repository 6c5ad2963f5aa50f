"""What travels to tasks on other machines: packages as an archive, certificates and keys inside functions."""

from __future__ import annotations

import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from shardwright.runtime.failures import Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.secret_files import CarriedFile, carry_files
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.spark.cluster import CARRIED, make_archive
from shardwright.specs.environment.environment import ClientCertificate

_IMPORTED = "shardwright.runtime.mysql.secret_files"


def test_i7_files_travel_inside_and_are_no_one_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "client.pem"
    key.write_text("the key", encoding="utf-8")
    shown = ClientCertificate(CarriedFile(str(key)), CarriedFile(str(key)))
    address = Endpoint("host", 3306, "user", "", Tls("verify_ca", CarriedFile(str(key)), shown))
    assert pickle.loads(pickle.dumps(address)).tls.ca == str(key)
    carry_files(to_other_machines=True)
    try:
        sent = pickle.dumps(address)
        key.unlink()
        arrived = pickle.loads(sent)
        with pytest.raises(Unreachable, match=r"client\.pem cannot be read"):
            pickle.dumps(address)
    finally:
        carry_files(to_other_machines=False)
    copy = Path(arrived.tls.certificate.key)
    assert copy.name == "client.pem" and copy != key and copy.read_text("utf-8") == "the key"
    assert copy.stat().st_mode & 0o077 == 0 and arrived.tls.ca == arrived.tls.certificate.key


def test_archive_is_all_that_a_bare_python_needs(tmp_path: Path) -> None:
    """`-S`: no site-packages at all. The code in the archive is what was compiled here, not compiled again."""
    archive = make_archive(tmp_path / "tasks.zip")
    names = zipfile.ZipFile(archive).namelist()
    assert (
        "shardwright/runtime/mysql/secret_files.pyc" in names
        and "shardwright/specs/shape/schemas/spec.v1.schema.json" in names
    )
    program = (
        f"import sys; sys.path.insert(0, {str(archive)!r}); import {', '.join(CARRIED)}, {_IMPORTED} as ours, shardwright.compiler.plan.plan; "
        "print(ours.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path
    )
    assert done.stdout.strip() == f"{archive}/shardwright/runtime/mysql/secret_files.pyc", done.stderr
