"""The checks before the first write: all that would fail later, or would pass unnoticed and be wrong.

Runs in the driver; reads source servers and shards, writes nothing.
"""
