"""Two directions at once where both sides write all rows: rounds, and what becomes of conflicts. Runs in the driver;
writes the record of rounds and conflicts on the first shard, and through batches what they write.
"""
