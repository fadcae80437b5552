"""The console entry point; `tacit hook` has to be fast and is dispatched first."""

import sys


def main() -> None:
    """Run `tacit` with the arguments of the process."""
    if sys.argv[1:2] == ["hook"] and not {"--help", "-h"} & set(sys.argv[2:]):
        from tacit.integrations.hooks.sender import main as send

        send(sys.argv[2:])
    from tacit.cli.commands import run_app

    run_app()
