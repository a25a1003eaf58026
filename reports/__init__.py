"""callgrade: rows, tallies and writers."""
