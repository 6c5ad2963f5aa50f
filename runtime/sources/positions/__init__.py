"""Where the stream is: the types of positions in logs and queues, what they answer, and the JSON that ledgers and tasks
get.

Pure: no server, no broker, no clock. Used in the driver and in Spark tasks. Sources of all kinds are above.
"""
