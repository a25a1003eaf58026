"""Speed and accuracy, beside peers and plain Python, on public and generated data. Not in the wheel."""
