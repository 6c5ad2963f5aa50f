"""How a connection to a database server is protected: which options the environment's setting gives PyMySQL, and what
the operator reads when the protection fails (hazard I7).

Used in the driver and in Spark tasks, on every connection; reads certificate files. Nothing falls back to plain text
where a verified server was asked for.
"""

from __future__ import annotations

import os
import re
import ssl
import time
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NoReturn

import pymysql
from pymysql.charset import charset_by_name
from pymysql.connections import Connection

from shardwright.runtime.failures import Refused, Unreachable, note_for_the_driver
from shardwright.runtime.mysql.errors import LOCK_WAIT_TIMEOUT, NO_TLS_THERE, PLAIN_TEXT_REFUSED
from shardwright.runtime.mysql.joining import JoiningConnection, Waiting
from shardwright.runtime.mysql.lock_holders import lock_holders, tables_in
from shardwright.specs.environment.environment import ClientCertificate

_VERIFYING = frozenset({"verify_ca", "verify_identity"})
_NAMED_AFTER = 3.0
"""Seconds: who waits for a shorter time asks by itself, and sees to it how often."""
_SHOW_THE_PASSWORD = {
    b"mysql_clear_password": "the password in clear text",
    b"dialog": "the password in clear text (dialog)",
    b"mysql_old_password": "the password in the form of MySQL before 4.1, which anyone can decode",
}
"""Login methods, chosen by the server, that send the server the password itself."""
_CUT = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""Caused by the network: transient."""
_OURS = re.compile("ALERT.*(UNKNOWN_CA|CERTIFICATE)")
"""A server's alert about the client's certificate."""


@dataclass(frozen=True, slots=True)
class Tls:
    """How connections to one server are protected. It travels to Spark tasks, and has the paths of files only."""

    mode: str = "preferred"
    """`off`, `preferred`, `verify_ca` or `verify_identity`."""
    ca: str | None = None
    """PEM file of the certificate authority; None: what this machine trusts."""
    certificate: ClientCertificate | None = None
    """The client certificate; None where the server asks for none."""

    @property
    def verifies(self) -> bool:
        """Whether the server must prove who it is."""
        return self.mode in _VERIFYING

    def options(self) -> dict[str, Any]:
        """PyMySQL's options. Raises Unreachable (SW8105) when a file cannot be read."""
        if self.mode == "off":
            return {"ssl_disabled": True}
        if not self.verifies:
            return {}
        written = [] if self.ca is None else [_change_time(self.ca, "certificate authority")]
        if self.certificate is not None:
            written += [
                _change_time(self.certificate.file, "client's certificate"),
                _change_time(self.certificate.key, "client's key"),
            ]
        return {"ssl": _strict_context(self, tuple(written))}

    def require(self, connection: Connection[Any], where: str) -> None:
        """Raises Unreachable (SW8105) for a connection in plain text that was to be verified, however PyMySQL
        interprets its options, now or in another version."""
        driver: Any = connection
        if self.verifies and not isinstance(driver._sock, ssl.SSLSocket):
            driver._force_close()
            raise Unreachable(
                "SW8105", f"the connection to {where} is plain text, and the environment says tls: {self.mode}"
            )

    def name_in_message(self, where: object) -> str:
        """The server's name in a message. A server that does not accept our certificate may only close the connection
        (TLS 1.3), so the file is always named."""
        return str(where) if self.certificate is None else f"{where} (shown the certificate in {self.certificate.file})"

    def failure(self, error: pymysql.err.MySQLError, where: str) -> Unreachable | None:
        """The operator's message when connecting failed over its protection; None when it failed over something
        else."""
        cause = getattr(error, "original_exception", None) or error.__cause__ or error.__context__
        number = error.args[0] if error.args else None
        if isinstance(cause, ssl.SSLCertVerificationError):
            vouched = f"the authority in {self.ca}" if self.ca else "an authority that this machine trusts"
            why = f"its certificate is not one that {vouched} vouches for this name ({cause.verify_message})"
            return Unreachable("SW8105", f"{where} is not who it should be: {why}. Nothing was sent to it")
        if number == NO_TLS_THERE and cause is None:
            return Unreachable(
                "SW8105", f"{where} offers no TLS, and the environment says tls: {self.mode}. Nothing was sent to it"
            )
        if isinstance(cause, ssl.SSLError) and _OURS.search(cause.reason or ""):
            return Unreachable("SW8105", f"{where} does not accept our certificate, or wants one: {cause.reason}")
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, _CUT):
            return Unreachable("SW8105", f"no protected connection to {where}: {cause.reason or cause}")
        if number in PLAIN_TEXT_REFUSED or "insecure transport" in str(error):
            return Unreachable("SW8105", f"{where} takes no plain text, and the environment says tls: {self.mode}")
        return None


def _change_time(file: str, what: str) -> int:
    """When a readable file was written, so that a new one is read again."""
    try:
        with Path(file).open("rb") as opened:
            return os.fstat(opened.fileno()).st_mtime_ns
    except OSError as error:
        raise Unreachable("SW8105", f"the {what} in {file} cannot be read: {error.strerror}") from error


@lru_cache(maxsize=16)
def _strict_context(tls: Tls, _written: tuple[int, ...]) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=tls.ca)
    except (OSError, ssl.SSLError) as error:
        raise Unreachable("SW8105", f"the certificate authority in {tls.ca} cannot be read: {error}") from error
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # servers that make their own certificates leave extensions out
    context.check_hostname = tls.mode == "verify_identity"
    if (shown := tls.certificate) is not None:
        try:
            context.load_cert_chain(shown.file, shown.key, password=_no_passphrase)
        except (OSError, ssl.SSLError) as error:
            message = f"the client's certificate in {shown.file} cannot be shown with the key in {shown.key}: {error}"
            raise Unreachable("SW8105", message) from error
    return context


def _no_passphrase() -> str:
    """Instead of a question at the terminal."""
    raise OSError("the key has a passphrase")


@cache
def _lax_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class TlsConnection(JoiningConnection):
    """PyMySQL's connection with these changes.

    * It keeps the certificates that this system trusts. PyMySQL reads them again for every connection, which takes 20
      ms, also where it verifies no server (`preferred`); the stream makes several connections for each batch.
    * Every error of the connection names the server. One about a lock that was waited for names the tables of the
      statement, and who holds them.
    * PyMySQL sends the password in clear text to any server that asks for it. Here only a server whose certificate was
      verified gets it or, by MySQL's own login methods (caching_sha2_password), one that is reached over TLS.
    """

    where: str = "a server"
    own_database: str = ""
    """The one that it was opened in."""
    rows_in: str = ""
    """Of a shard: the database that has the rows (`rows_database`)."""
    _key_of_the_server: bytes | None = None
    _asked: Any = b""
    _asked_at: float = 0.0

    @property
    def server_public_key(self) -> bytes | None:
        """The key with which PyMySQL encrypts the password on a connection in plain text."""
        return self._key_of_the_server

    @server_public_key.setter
    def server_public_key(self, key: bytes | None) -> None:
        """Refuses a key: a false server could send its own and read the password. MySQL's client accepts none
        either."""
        if key is not None:
            self._refuse_password("a password that is encrypted with a key of its own")
        self._key_of_the_server = key

    def _process_auth(self, plugin_name: bytes, *more: Any) -> Any:
        if plugin_name in _SHOW_THE_PASSWORD and not self._is_verified():
            self._refuse_password(_SHOW_THE_PASSWORD[plugin_name])
        driver: Any = super()
        return driver._process_auth(plugin_name, *more)

    def _is_verified(self) -> bool:
        """Whether the server's certificate was checked before anything was sent."""
        driver: Any = self
        return isinstance(driver._sock, ssl.SSLSocket) and driver._sock.context.verify_mode == ssl.CERT_REQUIRED

    def _refuse_password(self, wanted: str) -> NoReturn:
        """Raises Refused (SW8105)."""
        driver: Any = self
        raise Refused(
            "SW8105",
            f"{driver.host}:{driver.port} asks for {wanted}, and its certificate was not verified: it was not sent. "
            "Set `tls: verify_identity` (or verify_ca) in the environment, with the server's authority in `ca`, or "
            "give the account another way to log in",
        )

    def set_character_set(self, charset: str, collation: str | None = None) -> None:
        """With the next statement: PyMySQL asks for it once for each connection."""
        driver: Any = self
        self.send_later(Waiting(f"SET NAMES {charset}{f' COLLATE {collation}' if collation else ''}".encode()))
        driver.charset, driver.collation = charset, collation
        driver.encoding = charset_by_name(charset).encoding

    def _create_ssl_ctx(self, sslp: Any) -> ssl.SSLContext:
        return sslp if isinstance(sslp, ssl.SSLContext) else _lax_context()

    def _read_packet(self, *arguments: Any, **options: Any) -> Any:
        driver: Any = super()
        self.long_bytes = 0
        try:
            return driver._read_packet(*arguments, **options)
        except pymysql.err.MySQLError as error:
            if error.args[:1] == (LOCK_WAIT_TIMEOUT,) and time.monotonic() - self._asked_at >= _NAMED_AFTER:
                self._name_holders(error)
            _note_where(error, self.where)
            raise

    def _execute_command(self, command: int, sql: Any) -> None:
        driver: Any = super()
        self._asked, self._asked_at = sql, time.monotonic()
        driver._execute_command(command, sql)

    def _name_holders(self, error: pymysql.err.MySQLError) -> None:
        """The server answers other statements now: the one that has waited is over."""
        raw, statement = self.raw, self._asked
        self.raw = False  # of RawConnection: these answers are read as usual
        try:
            tables = tables_in(statement, (self.rows_in or self.own_database, self.own_database))
            if who := lock_holders(self, tables):
                error.args = (error.args[0], f"{error.args[-1]}: {who}")
        finally:
            self.raw = raw

    def _write_bytes(self, data: bytes) -> None:
        driver: Any = super()
        try:
            driver._write_bytes(data)
        except pymysql.err.MySQLError as error:
            _note_where(error, self.where)
            raise


def _note_where(error: pymysql.err.MySQLError, where: str) -> None:
    """Note the server in the error, for the code that reports it: in this process and, from a task, in the driver."""
    if getattr(error, "where", None) is not None:
        return
    located: Any = error
    located.where = where
    number, text = (*error.args, "")[:2] if error.args else (0, "")
    if isinstance(number, int):
        note_for_the_driver(error, number=number, text=str(text), where=where)
