"""What a broker knows us by: two keys, which go to the Java client and stand nowhere else (hazard I3)."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.sources.queue.rocketmq.java_client import JavaClient
from shardwright.specs.environment.secret_reference import SecretReference
from shardwright.specs.environment.secret_references import SecretUnavailable, resolve_secret
from shardwright.specs.environment.stream_place import RocketMqStream


@dataclass(frozen=True, slots=True)
class Login:
    """`named` says in words where the access key is found."""

    named: str
    access_key: str = field(repr=False)
    secret_key: str = field(repr=False)

    def hook(self, client: JavaClient) -> Any:
        """What a client of Java's takes as its first word to a broker."""
        acl = client.jvm.org.apache.rocketmq.acl.common
        return acl.AclClientRPCHook(acl.SessionCredentials(self.access_key, self.secret_key))

    def hidden(self, text: str) -> str:
        """`text` without the keys: brokers name the account that they refuse."""
        return text.replace(self.secret_key, "***").replace(self.access_key, self.named)


def login_of(stream: RocketMqStream) -> Login | None:
    """None where the environment names no keys. Raises Unreachable when one is not where it should be."""
    if stream.access_key is None or stream.secret_key is None:
        return None
    return Login(str(stream.access_key), _resolved(stream.access_key), _resolved(stream.secret_key))


def _resolved(reference: SecretReference) -> str:
    try:
        return resolve_secret(reference, os.environ)
    except SecretUnavailable as error:
        raise InputAtFault(error.code, str(error)) from error
