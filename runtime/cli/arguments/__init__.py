"""What does each verb take on the command line? Parsers only; nothing is executed."""
