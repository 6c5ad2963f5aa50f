"""What users write: strict YAML with positions, diagnostics, the JSON Schema, the typed model, environment files."""
