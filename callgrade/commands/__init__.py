"""callgrade: one module a command."""
