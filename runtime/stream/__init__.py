"""The change stream: Spark reads and decides, stages keep the decisions, sub-steps apply them."""
