"""The snapshot: primary-key chunks, read at the source, placed by Spark, inserted where nothing stands."""
