"""Dry run: Spark analyses and executes every Spark SQL statement of a plan on made-up rows. It needs no server."""
