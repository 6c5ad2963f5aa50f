"""`route`: where does the row of a key belong? Python, Spark and a server each give an answer."""
