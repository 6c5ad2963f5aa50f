"""Forecast: how many rows and bytes will each shard and each physical table get? Reads the source before any copy."""
