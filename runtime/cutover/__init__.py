"""The cutover: users' writes move from the source to the shards, or back.

Runs in the driver. `fences` stops users' writes on the servers of one side; `hooks` calls what the environment names.
"""
