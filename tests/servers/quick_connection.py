"""Connections of tests. They look at servers ten times a second, so what a connection costs counts."""

from __future__ import annotations

import ssl
from typing import Any

from pymysql.connections import Connection

_WITHOUT_VERIFICATION = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_WITHOUT_VERIFICATION.check_hostname = False
_WITHOUT_VERIFICATION.verify_mode = ssl.CERT_NONE


class QuickConnection(Connection):  # type: ignore[type-arg]
    """PyMySQL reads all certificates that this system trusts for each connection, which takes 20 ms, although it
    verifies no server by them. Here all connections share one context."""

    def _create_ssl_ctx(self, sslp: Any) -> ssl.SSLContext:
        return sslp if isinstance(sslp, ssl.SSLContext) else _WITHOUT_VERIFICATION
