"""callgrade: questions to an LLM and answers that must prove themselves."""
