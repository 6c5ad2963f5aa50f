"""SW7xxx: environment files and secrets."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

ENVIRONMENT: tuple[Code, ...] = (
    Code(
        "SW7002",
        "a secret written into a file",
        "Environment files are committed and reviewed. Everyone who can read the project knows a password in one of "
        "them, and it stays in the history. Change that password, then say where the new one is found. No message "
        "repeats the value.",
        "password: {env: SHOP_PASSWORD}\npassword: {file: /run/secrets/shop}",
    ),
    Code(
        "SW7003",
        "a secret is not found",
        "The environment variable is not set or empty, or the file cannot be read. The message names the place.",
    ),
    Code("SW7004", "there is no such server", "A value under `shards` is the name of an entry under `servers`."),
    Code(
        "SW7005",
        "a target database has no server",
        "Every target database of the spec is listed under `shards`, by its name or in a range.",
        'shards:\n  "order_db_{00..07}": a\n  "order_db_{08..15}": b',
    ),
    Code(
        "SW7006",
        "a certificate that is not used",
        "With tls 'off' or 'preferred' the server's certificate is not verified, so `ca` would have no effect. An "
        "unverified server would be shown `client_certificate`.",
        "tls: verify_identity\nca: /etc/ssl/shop-ca.pem",
    ),
    Code("SW7007", "a database is placed twice", "Two ranges under `shards` hold the same database."),
    Code(
        "SW7008",
        "there is no such environment",
        "Environments are files of the project, environments/NAME.yaml. The message lists the places that were looked "
        "in.",
    ),
    Code(
        "SW7011",
        "the stream is read from one place",
        "A deployment reads the change stream from one place: the source's binary log (leave `stream` out), a Kafka "
        "cluster, a RocketMQ cluster, or a folder of recorded events.",
        "stream:\n  kafka: {bootstrap: '10.0.0.5:9092', topics: [shop]}",
    ),
    Code(
        "SW7012",
        "which topics",
        "Name the topics, or give one pattern that their whole names match; not both.",
        "topics: [shop]",
    ),
    Code(
        "SW7013",
        "a pattern of topics that cannot be read",
        "`topics_pattern` is a regular expression that the whole name of a topic matches.",
        "topics_pattern: shop_.*",
    ),
    Code(
        "SW7014",
        "the spec's stream and the environment's do not fit",
        "The spec says which form the change events have (`source.stream.format`). The environment says where they "
        "are read. Format binlog is read from the source's log, the JSON formats from a queue or a folder. When a "
        "queue is lost for good, the log replaces it: `stream: {binlog: {instead_of_queue: true}}`.",
        "stream:\n  kafka: {bootstrap: '10.0.0.5:9092', topics: [shop]}",
    ),
    Code(
        "SW7015",
        "which queue holds which server's changes",
        "When source databases are on several servers and the stream is read from queues, each server has topics (or "
        "a folder) of its own. `stream` names those of `source`, `stream.servers` those of the others. A server whose "
        "queue is lost for good may be read from its binary log meanwhile.",
        "stream:\n"
        "  kafka: {bootstrap: '10.0.0.5:9092', topics: [shop_a]}\n"
        "  servers:\n"
        "    b: {kafka: {topics: [shop_b]}}",
    ),
    Code(
        "SW7016",
        "half a client certificate",
        "A server may ask for a client certificate (`REQUIRE X509`), and the key proves that it is ours. Name both, "
        "as PEM files on every machine of Spark's. The key has no passphrase: protect it by file permissions.",
        "tls: verify_identity\n"
        "client_certificate: /etc/ssl/shardwright.pem\n"
        "client_key: /etc/ssl/private/shardwright.key",
    ),
    Code(
        "SW7017",
        "an environment file with another name",
        "`environment:` and the file's name must agree: a copy of another environment's file would work on that one's "
        "servers.",
    ),
    Code(
        "SW7018",
        "verify_ca without an authority",
        "verify_ca checks who signed the server's certificate, not the name in it. Without `ca`, that may be any "
        "public authority, so the owner of any domain would pass. Name the authority's file, or use verify_identity.",
        "tls: verify_identity",
    ),
    Code(
        "SW7019",
        "a password of Kafka in clear text",
        "SASL's PLAIN sends the password as it is. Without `tls`, anyone on the network path can read it, and so can "
        "any server that answers at that address.",
        "kafka: {tls: verify_identity, ca: /etc/ssl/shop-ca.pem, sasl: {mechanism: PLAIN, ...}}",
    ),
    Code(
        "SW7020",
        "a fence's hook over http",
        "The answer of the hook says whether writers are stopped. Over http any machine on the way can give it. Use "
        "https, an address of this machine, or a program.",
        "hook: {url: https://flags.internal/orders}",
    ),
    Code(
        "SW7021",
        "Spark's authentication without a secret",
        "A standalone cluster gives its applications no secret: master, workers and application have the same one. Say "
        "where it is found; the driver reads it, and it is on no command line of ours.",
        'spark:\n  conf: {spark.authenticate: "true", spark.authenticate.secret: {env: SPARK_SECRET}}',
    ),
)
