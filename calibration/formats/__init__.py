"""callgrade: readers of labels and recorded answers: a file's bytes in, records out."""
