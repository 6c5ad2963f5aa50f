"""What copying and writing wait for: replicas that lag, busy servers, caps, and an operator's order.

Runs in the driver. Writes one row per server of shards, and only to measure a commit.
"""
