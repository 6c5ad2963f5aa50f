"""A mail for each message, by SMTP. Certificates are verified.

Runs in the process of the command.
"""

from __future__ import annotations

import json
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate

from shardwright.runtime.notify.channel import Answer, DeliveryFailed, hide
from shardwright.runtime.notify.message import Message
from shardwright.runtime.notify.tls import make_context
from shardwright.specs.environment.notifications import EmailSetting
from shardwright.specs.environment.secret_references import resolve_secret


@dataclass(frozen=True, slots=True, repr=False)
class EmailTransport:
    """Holds a password: it is in no message and no report."""

    setting: EmailSetting
    context: ssl.SSLContext
    login: tuple[str, str] | None
    """User and password."""

    def deliver(self, message: Message, *, seconds: float) -> Answer:
        """Raises DeliveryFailed. `seconds` bounds each answer of the server."""
        try:
            refused = self._send(mail_of(message, self.setting), seconds)
        except smtplib.SMTPRecipientsRefused as error:
            code, said = max(error.recipients.values())
            raise self._failure(code, said) from None
        except smtplib.SMTPResponseException as error:
            raise self._failure(error.smtp_code, error.smtp_error) from None
        except smtplib.SMTPNotSupportedError as error:
            raise DeliveryFailed("lacks what is asked of it", str(error), may_pass=False) from None
        except TimeoutError:
            raise DeliveryFailed(f"did not answer within {seconds:g} s") from None
        except (OSError, smtplib.SMTPException) as error:
            raise DeliveryFailed("cannot be reached", getattr(error, "strerror", None) or str(error)) from None
        return Answer(f"took the mail, but not for {refused} of its addresses" if refused else "took the mail")

    def _send(self, mail: EmailMessage, seconds: float) -> int:
        """Returns how many addresses were refused; at least one was not."""
        server = self._connect(seconds)
        try:
            if self.setting.tls == "starttls":
                server.starttls(context=self.context)
            if self.login is not None:
                server.login(*self.login)
            return len(server.send_message(mail))
        finally:
            with suppress(OSError, smtplib.SMTPException):  # the mail was taken, or not, before that
                server.quit()

    def _connect(self, seconds: float) -> smtplib.SMTP:
        setting = self.setting
        if setting.tls == "tls":
            return smtplib.SMTP_SSL(setting.host, setting.port, timeout=seconds, context=self.context)
        return smtplib.SMTP(setting.host, setting.port, timeout=seconds)

    def _failure(self, code: int, said: bytes | str) -> DeliveryFailed:
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        words = hide(" ".join(text.split())[:500], self.login or ())
        return DeliveryFailed(f"answered with code {code}", words, may_pass=code < 500)


def mail_of(message: Message, setting: EmailSetting) -> EmailMessage:
    """The sentence, then the document. All attempts have one Message-ID."""
    document = message.document
    mail = EmailMessage()
    mail["From"], mail["To"] = setting.sender, ", ".join(setting.recipients)
    mail["Subject"] = " ".join(message.title.split())
    mail["Date"] = formatdate(localtime=False)
    mail["Message-ID"] = f"<{document['id']}@shardwright>"
    mail["Auto-Submitted"] = "auto-generated"
    facts = "\n".join(f"{key}: {_plain(document[key])}" for key in ("migration", "environment", "kind", "at"))
    event = json.dumps(document["event"], indent=2, ensure_ascii=False)
    mail.set_content(f"{document['sentence']}\n\n{facts}\n\n{event}\n")
    return mail


def _plain(value: object) -> str:
    return " ".join(str(value).split())


def open_email(setting: EmailSetting, channel: str, environ: Mapping[str, str]) -> EmailTransport:
    """Raises SecretUnavailable, and InputAtFault (SW8057) for a certificate authority that cannot be read."""
    login = None
    if setting.login is not None and setting.login.password is not None:
        user = setting.login.user
        name = user if isinstance(user, str) else resolve_secret(user, environ)
        login = (name, resolve_secret(setting.login.password, environ))
    return EmailTransport(setting, make_context(setting.ca, channel), login)
