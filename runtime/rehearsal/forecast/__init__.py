"""Before anything is copied: how many rows and bytes each shard and each physical table will get."""
