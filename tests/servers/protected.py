"""Servers that take no plain text, and the authority that vouches for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from shardwright.specs.environment.environment import ClientCertificate
from tests.servers.certificates import Authority
from tests.servers.testbed import Server


@dataclass(frozen=True, slots=True)
class ProtectedServers:
    authority: Authority
    client: ClientCertificate
    servers: tuple[Server, ...]

    def secure(self, environment: Path) -> None:
        """Change an environment file: the source and the first server are verified by name, the others by authority,
        and all are shown a certificate, which the runtime's accounts now must have."""
        ours = self.client
        text = yaml.safe_load(environment.read_text(encoding="utf-8"))
        entries: list[dict[str, Any]] = [text["source"], *text["servers"].values()]
        for number, entry in enumerate(entries):
            entry |= {"tls": "verify_ca" if number > 1 else "verify_identity", "ca": str(self.authority.file)}
            entry |= {"client_certificate": ours.file, "client_key": ours.key}
        for server in self.servers:
            server.query("ALTER USER %s@%s REQUIRE X509", (RUNTIME_USER, server.sandbox.account_host))
        environment.write_text(yaml.safe_dump(text, sort_keys=False), encoding="utf-8")


@contextmanager
def start_protected_servers(
    folder: Path, names: tuple[str, ...], *, extra: Mapping[str, str]
) -> Iterator[ProtectedServers]:
    """Within, one local server for each name; connections without TLS are refused."""
    authority = Authority(folder / "certificates")
    shown = authority.certificate("server")
    client = authority.certificate("client")
    options = {**extra, "require-secure-transport": "ON", "ssl-ca": str(authority.file)}
    options |= {"ssl-cert": str(shown.file), "ssl-key": str(shown.key)}

    def start(name: str) -> Server:
        started = start_server(folder / name, server_id=80 + names.index(name), extra=options)
        return Server(name, started, extra=options)

    with ThreadPoolExecutor() as pool:
        servers = tuple(pool.map(start, names))
    try:
        yield ProtectedServers(authority, ClientCertificate(str(client.file), str(client.key)), servers)
    finally:
        for server in servers:
            remove_server(server.sandbox)
