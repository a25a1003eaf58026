"""callgrade: readers, one module a format: bytes in, cases out."""
