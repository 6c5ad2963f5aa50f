"""Changes of a source table's definition as they stand in the log: what they mean for the plan and for the targets."""
