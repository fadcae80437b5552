"""The console entry point; hooks, which have to be quick, take a way of their own."""

import sys


def main() -> None:
    """Run `tacit` with the arguments of the process."""
    if sys.argv[1:2] == ["hook"] and not {"--help", "-h"} & set(sys.argv[2:]):
        from tacit.integrations.hooks.sender import main as send

        send(sys.argv[2:])
    from tacit.cli.command import run

    run()
