"""callgrade: how far a grader can be believed, measured against people."""
