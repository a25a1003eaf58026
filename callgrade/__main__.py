"""``python -m callgrade``: the same as the console script."""

from callgrade.entry import main

if __name__ == "__main__":
    main()
