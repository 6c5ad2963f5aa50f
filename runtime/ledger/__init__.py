"""The books: on every shard what it has applied, on the first shard what the whole migration stands at."""
