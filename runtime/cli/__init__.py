"""The command line: one file a verb, composition in main."""
