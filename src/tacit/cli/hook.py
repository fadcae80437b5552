"""The command that coding CLIs call: hook. It is run by `entry`, before anything is loaded."""

from typing import Annotated

import typer

from tacit.integrations.hooks.sender import CLIENTS, main


def hook(
    client: Annotated[str, typer.Argument(help=f"Who calls: {', '.join(CLIENTS)}.")],
) -> None:
    """Serve an event of a coding CLI; the CLI calls it, not you.

    The event comes on standard input, as JSON. What the CLI should show its model goes to standard
    output, and nothing else does. The exit code is 0 whatever happens.
    """
    main([client])


COMMANDS = {"hook": hook}
