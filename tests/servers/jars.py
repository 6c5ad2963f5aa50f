"""Class paths from Maven Central, resolved once into a cache folder: `python -m tests.servers.jars` fetches all of
them.

Maven reads the user's own settings (mirrors, proxies). Its repository is one of our own inside the cache: a user's
repository that holds POMs without jars would make Spark's `spark.jars.packages` fail.

What was fetched has to be what `jars.sha256` says, in the form of sha256sum. After a change of versions, `python -m
tests.servers.jars digests > tests/servers/jars.sha256` writes it anew: look at what differs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from shardwright.runtime.spark.archive import cache_folder, lock

_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_MINUTES = 15
_DIGESTS = Path(__file__).with_name("jars.sha256")


@dataclass(frozen=True, slots=True)
class JarSet:
    """`coordinates` are group:artifact:version; `alone`: without what they depend on."""

    name: str
    coordinates: tuple[str, ...]
    alone: bool = False


KAFKA = JarSet("kafka-4.1.1", ("org.apache.kafka:kafka_2.13:4.1.1",))
SPARK_KAFKA = JarSet(
    "spark-kafka-4.2.0",
    (
        "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
        "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.0.0",
        "org.apache.kafka:kafka-clients:3.9.2",
        "org.apache.commons:commons-pool2:2.13.1",
    ),
    alone=True,
)
"""Spark's Kafka source with just what Spark itself does not bring."""

ROCKETMQ = JarSet(
    "rocketmq-5.5.0",
    ("org.apache.rocketmq:rocketmq-namesrv:5.5.0", "org.apache.rocketmq:rocketmq-broker:5.5.0"),
)
"""Name server and broker; the Java client and the administrator's tools come with the broker."""

ROCKETMQ_CLIENT = JarSet("rocketmq-client-5.5.0", ("org.apache.rocketmq:rocketmq-client:5.5.0",))

MAXWELL = JarSet("maxwell-1.22.6", ("com.zendesk:maxwell:1.22.6",))
"""The newest that Maven Central has; not among ALL, since only `make test-all` and the recorder run it; its digests are
not kept."""

SHARDINGSPHERE = JarSet(
    "shardingsphere-5.5.2",
    (
        "org.apache.shardingsphere:shardingsphere-jdbc:5.5.2",
        "com.zaxxer:HikariCP:4.0.3",
        "org.mariadb.jdbc:mariadb-java-client:3.5.1",
    ),
)
"""Not among ALL, since only `make test-all` runs it; its digests are not kept."""

MERMAID = JarSet("mermaid-11.6.0", ("org.webjars.npm:mermaid:11.6.0",), alone=True)
"""What draws the pictures of the documentation, for its site."""

ALL = (KAFKA, SPARK_KAFKA, ROCKETMQ, ROCKETMQ_CLIENT, MERMAID)


def jars(wanted: JarSet) -> tuple[Path, ...]:
    """The jar files of a set, fetched when the cache does not hold them."""
    place = cache_folder("jars") / wanted.name
    if not place.exists():
        with lock(place.parent):
            if not place.exists():
                _fetch(wanted, place)
    return tuple(sorted(place.glob("*.jar")))


def class_path(*sets: JarSet) -> str:
    return os.pathsep.join(str(jar) for wanted in sets for jar in jars(wanted))


def _fetch(wanted: JarSet, place: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise RuntimeError("fetching jars needs Maven (on Debian or Ubuntu: apt-get install maven)")
    with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
        (Path(scratch) / "pom.xml").write_text(_pom(wanted), encoding="utf-8")
        command = [maven, "-q", "-B", "-ntp", f"-Dmaven.repo.local={place.parent / 'repository'}", _COPY]
        command += [f"-DoutputDirectory={scratch}/jars", "-DincludeScope=runtime"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False, timeout=_MINUTES * 60)
        if done.returncode:
            raise RuntimeError(f"Maven could not fetch {', '.join(wanted.coordinates)}:\n{done.stdout}{done.stderr}")
        if wanted in ALL and (differing := _find_differences(wanted, Path(scratch) / "jars")):
            raise RuntimeError(f"{wanted.name}: other jars than {_DIGESTS.name} says: {', '.join(differing)}")
        (Path(scratch) / "jars").rename(place)


def _find_differences(wanted: JarSet, folder: Path) -> list[str]:
    """Jars that are missing, more than expected, or of another content."""
    lines = [line.split("  ") for line in _DIGESTS.read_text(encoding="utf-8").splitlines()]
    expected = {(digest, name) for digest, name in lines if name.startswith(f"{wanted.name}/")}
    return sorted({name for _, name in expected ^ set(_digests(wanted, folder))})


def _digests(wanted: JarSet, folder: Path) -> list[tuple[str, str]]:
    return [(sha256(jar.read_bytes()).hexdigest(), f"{wanted.name}/{jar.name}") for jar in sorted(folder.glob("*.jar"))]


def _pom(wanted: JarSet) -> str:
    nothing_else = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
    entries = ""
    for coordinate in wanted.coordinates:
        group, artifact, version = coordinate.split(":")
        names = f"<groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
        entries += f"<dependency>{names}{nothing_else if wanted.alone else ''}</dependency>\n"
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>local</groupId><artifactId>class-path</artifactId><version>1</version><packaging>pom</packaging>"
        f"<dependencies>\n{entries}</dependencies></project>\n"
    )


if __name__ == "__main__":
    for each in ALL:
        found = jars(each)
        print(f"{each.name}: {len(found)} jars", file=sys.stderr)
        if sys.argv[1:] == ["digests"]:
            print("".join(f"{digest}  {name}\n" for digest, name in _digests(each, found[0].parent)), end="")
