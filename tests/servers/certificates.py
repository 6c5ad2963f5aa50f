"""Certificates for tests, made by the `openssl` program: an authority, and what it vouches for."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "30")


@dataclass(frozen=True, slots=True)
class Certificate:
    """PEM files: the certificate and its key."""

    file: Path
    key: Path


class Authority:
    """An authority of its own; `file` is what clients are given to trust."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.file, self._key = folder / f"{name}.pem", folder / f"{name}.key"
        _openssl("req", "-x509", *_KEY, "-subj", f"/CN={name}", "-keyout", self._key, "-out", self.file)

    def certificate(self, name: str, *, host: str = "IP:127.0.0.1") -> Certificate:
        """For a server at `host`, which is IP:ADDRESS or DNS:NAME."""
        made = Certificate(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        signed = ("-CA", self.file, "-CAkey", self._key, "-addext", f"subjectAltName={host}")
        _openssl("req", "-x509", *_KEY, "-subj", f"/CN={name}", *signed, "-keyout", made.key, "-out", made.file)
        return made


def lock_key(key: Path) -> Path:
    """A copy of a key that asks for a passphrase."""
    made = key.with_suffix(".locked")
    _openssl("pkey", "-aes128", "-in", key, "-passout", "pass:canary-passphrase", "-out", made)
    return made


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=60)
