"""Which shard key fits a database that is not sharded yet? Designs from schema, rows and workload, each judged."""
