"""callgrade: argument schemas: dialects, screening, explanation."""
