"""Physical tables as they should be: made at the start, compared with the plan, their indexes built after the copy.

Runs in the driver; writes DDL to shards.
"""
