"""`shardwright.lock`: what a project's specs compile to, committed, so that CI sees when it is not what was reviewed."""
