"""Which database and table a row belongs to: rules and algorithms, built from `compiler.expressions`."""
