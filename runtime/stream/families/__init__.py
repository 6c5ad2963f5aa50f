"""Tables that are placed through their parent: where parents are when a batch begins and ends, and which rows follow
them.

Runs in the driver and, for look-ups, in Spark tasks; reads the lookup tables on the first shard.
"""
