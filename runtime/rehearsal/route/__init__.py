"""`route`: where the row of a key belongs, asked of Python, Spark and a server."""
