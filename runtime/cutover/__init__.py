"""How a migration is finished: applications' writes go from the source to the shards, and back."""
