"""Speed, next to plain Python. ``python -m benchmarks`` runs what takes seconds; see each module for the rest."""
