"""What each verb takes on the command line."""
