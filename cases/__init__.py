"""callgrade: the ground: case, expectation, findings, verdicts, failure modes, ids, errors."""
