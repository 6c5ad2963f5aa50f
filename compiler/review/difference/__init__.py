"""What a change of the specs means: two compiled versions of a project, laid side by side."""
