"""Checkers of public benchmarks: their rules in our words, for verdicts that can be set beside theirs."""
