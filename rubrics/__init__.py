"""callgrade: the texts that judges follow."""
