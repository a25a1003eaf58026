"""Speed and accuracy, beside peers, on public data. Not shipped."""
