"""DDL on shards: `tables` makes and compares physical tables, `routing` brings numbered changes to each, `online` hands
copying changes to pt-online-schema-change or gh-ost.

Runs in the driver; writes DDL to shards and, beside it, the record of DDL. No Spark.
"""
