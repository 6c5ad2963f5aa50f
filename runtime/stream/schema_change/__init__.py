"""DDL on followed tables, met in the stream: stopped at, brought to every shard, or passed over, at its very place."""
