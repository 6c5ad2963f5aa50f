"""docs/how-to/cluster.md on two worker hosts: a secret that the environment file refers to, a host that is lost, and an
application that the master ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from shardwright.runtime.mysql.check import Verdict
from shardwright.runtime.run.preflight.cluster import cluster_checks
from shardwright.specs.environment.environment import SparkSettings
from shardwright.specs.environment.secret_references import SecretReference
from tests.cluster.networks import Networks, two_places
from tests.cluster.standalone import Cluster, standalone_cluster

SECRET = "canary-of-the-cluster"
_DRIVER = """
import sys, time
from pathlib import Path
from shardwright.runtime.spark.failures import as_failure
from shardwright.runtime.spark.log import LossWatch
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings
from shardwright.specs.environment.secret_references import SecretReference

master, here, interpreter = sys.argv[1:]
conf = {
    "spark.pyspark.python": interpreter,
    "spark.driver.host": here,
    "spark.driver.bindAddress": here,
    "spark.executor.memory": "512m",
    "spark.authenticate": "true",
    "spark.authenticate.secret": SecretReference("env", "CLUSTER_SECRET"),
}
spark = start_spark(SparkSettings(master=master, conf=conf), name="two hosts")
context = spark.sparkContext
watch = LossWatch(lambda lost: print("said", lost.sentence, flush=True))
watch.begin()

def told(seconds):
    def tell(_):
        import socket, time
        time.sleep(seconds)
        return socket.gethostbyname(socket.gethostname())
    return context.parallelize(range(4), 4).map(tell).count()

print("tasks", told(0.1), flush=True)
java = context._jvm.java.lang.ProcessHandle.current().pid()
print("command", Path(f"/proc/{java}/cmdline").read_bytes().replace(bytes(1), b" ").decode(), flush=True)
print("redacted", context._jsc.sc().conf().get("spark.redaction.regex"), flush=True)
for line in sys.stdin:
    if line.strip() == "job":
        print("tasks", told(0.5), flush=True)
    else:
        break
try:
    for _ in range(60):
        told(1.0)
    print("no failure", flush=True)
except BaseException as error:
    print("failure", repr(as_failure(error)), as_failure(error), flush=True)
"""


@dataclass
class Driver:
    process: subprocess.Popen[str]

    def line(self, begins: str) -> str:
        """The next line that begins so."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(begins):
                return line.strip()
        raise AssertionError(f"it ended before a line '{begins}'")

    def give(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()


@pytest.fixture
def networks() -> Iterator[Networks]:
    with two_places() as found:
        yield found


@pytest.fixture
def cluster(tmp_path: Path, networks: Networks) -> Iterator[Cluster]:
    with standalone_cluster(tmp_path / "cluster", networks=networks, secret=SECRET) as started:
        yield started


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.long
def test_s17b_two_hosts_with_a_secret_of_the_environment_file(cluster: Cluster, networks: Networks) -> None:
    words = [sys.executable, "-c", _DRIVER, cluster.master, networks.here, str(cluster.interpreter)]
    environ = {**os.environ, "CLUSTER_SECRET": SECRET}
    with subprocess.Popen(
        words, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            driver = Driver(process)
            assert driver.line("tasks") == "tasks 4"
            assert SECRET not in driver.line("command"), "every account of the machine can read it there"
            assert "spark\\.authenticate\\.secret" in driver.line("redacted")
            cluster.kill_a_worker()
            driver.give("job")
            assert "Spark has lost executor" in driver.line("said")
            assert driver.line("tasks") == "tasks 4"
            driver.give("end")
            cluster.kill_executors()
            said = driver.line("failure")
            assert "SW8311" in said and "Master removed our application: FAILED" in said, said
        finally:
            process.kill()


def test_s17b_preflight_asks_for_what_a_run_needs(networks: Networks) -> None:
    """Without a cluster: the secret, what a reference leads to, and a master that answers."""
    master = f"spark://{networks.here}:1"
    conf = {"spark.authenticate": "true"}
    assert list(cluster_checks(SparkSettings(), {})) == []
    without, silent = cluster_checks(SparkSettings(master, conf), {})
    assert (without.verdict, without.code) == (Verdict.REFUSED, "SW7021")
    assert (silent.verdict, silent.code) == (Verdict.UNKNOWN, "SW8107") and f"{networks.here}:1" in silent.message
    secret = {**conf, "spark.authenticate.secret": SecretReference("env", "CLUSTER_SECRET")}
    (missing,) = cluster_checks(SparkSettings(master, secret), {})
    assert (missing.verdict, missing.code) == (Verdict.REFUSED, "SW7003")
    found = list(cluster_checks(SparkSettings(master, secret), {"CLUSTER_SECRET": SECRET}))
    assert [check.verdict for check in found] == [Verdict.OK, Verdict.UNKNOWN]
    assert SECRET not in repr(found)
