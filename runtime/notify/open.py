"""Which transport has a channel? Secrets and templates are read before the work begins, so that what is missing is said
then. Runs in the process of the command; only the module of the chosen transport is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.notify.channel import Transport
from shardwright.specs.environment.notifications import ChannelSetting, EmailSetting, HttpSetting, ProgramSetting
from shardwright.specs.environment.secret_references import SecretUnavailable


def open_transport(setting: ChannelSetting, environ: Mapping[str, str], *, folder: str) -> Transport:
    """`folder` is the project's. Raises InputAtFault: for a secret that is not there (SW7003) or would be sent in
    clear text (SW7022), for a template (SW8056), or for an address that cannot be used (SW8057)."""
    try:
        match setting.transport:
            case ProgramSetting(command=command):
                from shardwright.runtime.notify.program import ProgramTransport

                return ProgramTransport(command, folder)
            case HttpSetting() as http:
                from shardwright.runtime.notify.http import open_http

                return open_http(http, setting.name, environ, folder=folder)
            case EmailSetting() as email:
                from shardwright.runtime.notify.email import open_email

                return open_email(email, setting.name, environ)
    except SecretUnavailable as error:
        raise InputAtFault(error.code, f"channel {setting.name}: {error}") from error
