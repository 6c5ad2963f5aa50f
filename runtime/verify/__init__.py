"""Comparison of source and shards, pushed down into the servers."""
