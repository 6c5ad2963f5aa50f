"""The application's side of a plan: where a row is, as code in the application's own language."""
