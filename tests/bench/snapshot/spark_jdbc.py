"""Copies the table from one server to another by Spark's own JDBC source and sink; prints the seconds without Spark's
start.

Passwords of source and target come by standard input.
"""

from __future__ import annotations

import sys
import time

from pyspark.sql import SparkSession


def main(jar: str, source: str, target: str, low: str, high: str) -> None:
    passwords = [sys.stdin.readline().strip() for _ in range(2)]
    spark = SparkSession.builder.master("local[2]").config("spark.jars", jar).config("spark.ui.enabled", "false").getOrCreate()  # fmt: skip
    common = {"user": "root", "driver": "org.mariadb.jdbc.Driver"}
    began = time.monotonic()
    rows = spark.read.jdbc(
        source, "orders", column="id", lowerBound=int(low), upperBound=int(high) + 1, numPartitions=8,
        properties={**common, "password": passwords[0], "fetchsize": "5000"},
    )  # fmt: skip
    rows.write.mode("append").jdbc(target, "orders", properties={**common, "password": passwords[1]})
    print(time.monotonic() - began)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
