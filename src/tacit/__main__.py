"""`python -m tacit` is the `tacit` command."""

from tacit.cli.entry import main

if __name__ == "__main__":
    main()
