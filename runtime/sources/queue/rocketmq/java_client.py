"""How RocketMQ's Java client runs: in a JVM of its own, behind Py4J (which PySpark brings).

Runs in the driver; starts the JVM as a process of its own.
"""

from __future__ import annotations

import logging
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.spark.failures import java_error, reason

_JVM = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Drocketmq.client.logUseSlf4j=true")
_SECONDS = 30
_DENIED = re.compile(r"CODE: 16\b")
"""NO_PERMISSION in RocketMQ's protocol."""
_PY4J = logging.getLogger("py4j.java_gateway")
"""At DEBUG it logs all that goes to Java and comes back: an account's keys, and the rows in messages (hazard I3)."""
_SHARED: dict[str, JavaClient] = {}


@dataclass(frozen=True, slots=True)
class JavaClient:
    """The JVM with the client. `jvm` has the classes, by their full names. The JVM ends with the process that started
    it, however that ends. `topics_met` are the topics that name servers have known at least once since its start."""

    gateway: Any
    process: subprocess.Popen[bytes]
    topics_met: set[str] = field(default_factory=set)

    @property
    def jvm(self) -> Any:
        return self.gateway.jvm

    def close(self) -> None:
        self.gateway.shutdown()
        self.process.kill()
        self.process.wait(timeout=_SECONDS)


def start_java_client(class_path: str) -> JavaClient:
    """`class_path`: the jars of rocketmq-client, separated as Java requires. Raises Unreachable when no Java starts,
    Refused when the jars do not exist."""
    import pyspark
    from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
    from py4j.protocol import Py4JError

    _PY4J.setLevel(max(logging.INFO, _PY4J.level))
    (py4j_jar,) = Path(pyspark.__path__[0], "jars").glob("py4j*.jar")
    try:
        port, token, process = launch_gateway(
            classpath=class_path,
            jarpath=str(py4j_jar),
            javaopts=list(_JVM),
            redirect_stderr=subprocess.DEVNULL,
            die_on_exit=True,
            return_proc=True,
            enable_auth=True,
        )
    except (OSError, Py4JError) as error:
        raise Unreachable("SW8481", f"no Java program starts RocketMQ's client: {error}") from error
    parameters = GatewayParameters(port=port, auth_token=token, auto_convert=True)
    client = JavaClient(JavaGateway(gateway_parameters=parameters), process)
    try:
        client.jvm.java.lang.Class.forName("org.apache.rocketmq.client.consumer.DefaultMQPullConsumer")
    except Exception as error:
        client.close()
        if java_error(error) is None:
            raise
        raise Refused(
            "SW8482",
            "RocketMQ's Java client is not on the class path: org.apache.rocketmq:rocketmq-client, with what it needs",
        ) from None
    return client


def get_java_client(class_path: str) -> JavaClient:
    """The one Java client of this process, for all queues and attempts."""
    client = _SHARED.get(class_path)
    if client is None or client.process.poll() is not None:
        client = _SHARED[class_path] = start_java_client(class_path)
    return client


@contextmanager
def ask(whom: str, hidden: Callable[[str], str] = str) -> Iterator[None]:
    """A context that turns Java's error into a failure: Unreachable when a broker does not answer, Refused when it
    denies access. `hidden` removes secrets from the error's text."""
    try:
        yield
    except Exception as error:
        said = java_error(error)
        if said is None:
            raise
        why = hidden(reason(said))
        if _DENIED.search(why):
            raise Refused("SW8102", f"RocketMQ at {whom} denies access: {why}") from None
        raise Unreachable("SW8481", f"RocketMQ at {whom} does not answer: {why}") from said
