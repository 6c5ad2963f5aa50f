"""Why does a row that a comparison found differ, and who wrote it last? As the logs of both sides have it."""
