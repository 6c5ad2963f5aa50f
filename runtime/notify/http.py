"""An address that gets each message in a POST request: by a template, with headers, signed. No redirect is followed,
and certificates are verified.

Runs in the process of the command. The proxies of our environment are used, as an answer decides nothing here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import ssl
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from shardwright.runtime.cutover.post import NoAnswer, NoRedirect, TooLate, post
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.notify.channel import Answer, DeliveryFailed, hide
from shardwright.runtime.notify.message import Message
from shardwright.runtime.notify.tls import UNUSABLE, make_context
from shardwright.specs.environment.addresses import host_in_clear_text, is_loopback
from shardwright.specs.environment.build_notifications import CLEAR_TEXT
from shardwright.specs.environment.notifications import HttpSetting
from shardwright.specs.environment.secret_references import SecretReference, resolve_secret

_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9._\[\]-]+(:[0-9]{1,5})?(/[!-~]*)?")
_HEADER_VALUE: Final = re.compile(r"[ -~]*")
_WORTH_ANOTHER: Final = frozenset({408, 425, 429})
"""Of the statuses that say that the request is wrong, those that may pass by themselves."""
Body = Callable[[Mapping[str, Any]], str]


def as_json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False)


@dataclass(frozen=True, slots=True, repr=False)
class HttpTransport:
    """Holds secrets: it is in no message and no report."""

    address: str
    """The address itself."""
    headers: Mapping[str, str]
    """All headers but that of the signature."""
    body: Body
    """Makes the body of a document."""
    signing_key: bytes | None
    """The key of the signature; None: without one."""
    secrets: tuple[str, ...]
    """What an answer may repeat, and no one may see."""
    opener: urllib.request.OpenerDirector
    """Verifies certificates, and follows no redirect."""

    def deliver(self, message: Message, *, seconds: float) -> Answer:
        """Raises DeliveryFailed."""
        body = self._body_of(message).encode()
        request = urllib.request.Request(self.address, data=body, method="POST", headers=dict(self.headers))
        request.add_header("Shardwright-Delivery", str(message.document["id"]))
        if self.signing_key is not None:
            request.add_header("Shardwright-Signature", sign(body, self.signing_key, at=int(time.time())))
        try:
            answer = post(request, self.opener, seconds=seconds)
        except TooLate:
            raise DeliveryFailed(f"did not answer within {seconds:g} s") from None
        except NoAnswer as why:
            raise DeliveryFailed("cannot be reached", hide(str(why), self.secrets)) from None
        return _judge(answer.status, hide(answer.last_line, self.secrets))

    def _body_of(self, message: Message) -> str:
        try:
            return self.body(message.document)
        except Exception as error:  # noqa: BLE001 a template may raise anything
            raise DeliveryFailed(f"the template failed: {type(error).__name__}", str(error), may_pass=False) from None


def sign(body: bytes, key: bytes, *, at: int) -> str:
    """The header of a request at that time: a receiver computes it again, and refuses times that are long past."""
    digest = hmac.new(key, f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def _judge(status: int, said: str) -> Answer:
    how = f"answered with status {status}"
    if 200 <= status < 300:
        return Answer(how, said)
    if 300 <= status < 400:
        raise DeliveryFailed(f"{how}, a redirect, which is not followed", said)
    raise DeliveryFailed(how, said, may_pass=not 400 <= status < 500 or status in _WORTH_ANOTHER)


def open_http(setting: HttpSetting, channel: str, environ: Mapping[str, str], *, folder: str) -> HttpTransport:
    """Raises SecretUnavailable, and InputAtFault for what cannot be sent, without its text."""
    address = _resolve(setting.url, environ)
    given = {name.capitalize(): _resolve(value, environ) for name, value in setting.headers.items()}
    if not _ADDRESS.fullmatch(address):
        raise InputAtFault(UNUSABLE, f"channel {channel}: {_place(setting.url)} is no address of http or https")
    for name, value in given.items():
        if not _HEADER_VALUE.fullmatch(value):
            raise InputAtFault(UNUSABLE, f"channel {channel}: header {name} has other characters than printable ASCII")
    _require_protection(setting, channel, address)
    body: Body = as_json
    if setting.template is not None:
        from shardwright.runtime.notify.template import read_template

        body = read_template(setting.template, channel, folder=folder)
    key = None if setting.signing_key is None else resolve_secret(setting.signing_key, environ).encode()
    return HttpTransport(
        address,
        {"Content-type": "application/json", "User-agent": "shardwright", **given},
        body,
        key,
        _secrets(setting, address, given),
        _opener(address, make_context(setting.ca, channel)),
    )


def _opener(address: str, context: ssl.SSLContext) -> urllib.request.OpenerDirector:
    """A proxy does not reach this machine."""
    here = is_loopback(urllib.parse.urlsplit(address).hostname or "")
    proxies = urllib.request.ProxyHandler({} if here else None)
    return urllib.request.build_opener(proxies, urllib.request.HTTPSHandler(context=context), NoRedirect)


def _secrets(setting: HttpSetting, address: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    secret = [headers[name.capitalize()] for name, value in setting.headers.items() if not isinstance(value, str)]
    return (*secret, *(() if isinstance(setting.url, str) else (address,)))


def _require_protection(setting: HttpSetting, channel: str, address: str) -> None:
    """An address that is a secret, and secrets in headers, are not sent in clear text."""
    values = (setting.url, *setting.headers.values())
    host = host_in_clear_text(address)
    if host is not None and any(isinstance(value, SecretReference) for value in values):
        raise InputAtFault(CLEAR_TEXT, f"channel {channel}: a secret would go over http in clear text: use https")


def _resolve(value: str | SecretReference, environ: Mapping[str, str]) -> str:
    return value if isinstance(value, str) else resolve_secret(value, environ)


def _place(value: str | SecretReference) -> str:
    return "'url'" if isinstance(value, str) else str(value)
