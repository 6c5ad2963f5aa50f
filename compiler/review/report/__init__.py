"""What a run found, in the forms that people and machines read: one reporter a file, findings in, text out."""
