"""How one server is reached: its address, the account with its password, the protection and how long it is waited for.

Made in the driver, which resolves the secrets; shipped to Spark tasks in closures. Connects to nothing, writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.mysql.secret_files import CarriedFile, carry
from shardwright.runtime.mysql.tls import Tls
from shardwright.specs.environment.environment import ClientCertificate, NetworkPatience, Server
from shardwright.specs.environment.read import SecretUnavailable, resolve_secret

_LONG_STATEMENT_SECONDS = 24 * 3600.0
_TLS = Tls()
_PATIENCE = NetworkPatience()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server with its secrets resolved. The password is in no repr, so no message and no log has it."""

    host: str
    """Name or IP address."""
    port: int
    """TCP port."""
    account: str
    """The user name."""
    password: str = field(repr=False)
    """In plain text; empty where the environment names none."""
    tls: Tls = _TLS
    """How connections are protected."""
    patience: NetworkPatience = _PATIENCE
    """How long to wait for a connection and for an answer."""
    migration: str = ""
    """The migration that its connections work for, by which the ledger distinguishes runs. They set it in
    `@sw_migration`. Empty for a source."""
    checks_foreign_keys: bool = True
    """Whether foreign keys are checked of what its connections write. Rows that go back to the source come in the order
    of weights, and what a cascade would change comes as rows of its own."""
    rows_in: str = field(default="", compare=False)
    """Of a shard: the database that has its rows. Several shards of one server are one endpoint."""

    dialect: str = field(default="", compare=False)
    """Of a source, in the driver alone: the kind that the spec says, of which a connection warns where it is another.
    Tasks get none."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def __getstate__(self) -> list[object]:
        """What a task gets."""
        return ["" if each.name == "dialect" else getattr(self, each.name) for each in fields(self)]

    def patient(self) -> Endpoint:
        """The same server for statements that may take hours."""
        return self.wait_for(_LONG_STATEMENT_SECONDS)

    def wait_for(self, answer_seconds: float) -> Endpoint:
        """The same server, waited for so long after each statement."""
        return replace(self, patience=replace(self.patience, answer_seconds=answer_seconds))


def endpoint_of(
    server: Server, environ: Mapping[str, str], patience: NetworkPatience = _PATIENCE, *, dialect: str = ""
) -> Endpoint:
    """Resolve the server's secrets. `dialect`: what the spec says that a source is. Raises InputAtFault (SW7003) when a
    secret is not where its reference says."""
    try:
        account = server.user if isinstance(server.user, str) else resolve_secret(server.user, environ)
        password = resolve_secret(server.password, environ) if server.password is not None else ""
    except SecretUnavailable as error:
        raise InputAtFault(error.code, str(error)) from error
    tls = Tls(server.tls, carry(server.ca), _carry(server.shown))
    return Endpoint(server.host, server.port, account, password, tls, patience, dialect=dialect)


def _carry(certificate: ClientCertificate | None) -> ClientCertificate | None:
    return certificate and ClientCertificate(CarriedFile(certificate.file), CarriedFile(certificate.key))
