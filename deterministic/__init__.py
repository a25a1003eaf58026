"""callgrade: gates and evidence: graders that are code."""
