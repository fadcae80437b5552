"""Pages without a browser, by NiceGUI's own simulation."""

import sys
from contextlib import asynccontextmanager

from nicegui.testing import user_simulation


@asynccontextmanager
async def simulated(*arguments, **named):
    """A visitor of a page; our modules, which the simulation drops afterwards, stay loaded."""
    own = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "tacit"}
    try:
        async with user_simulation(*arguments, **named) as user:
            yield user
    finally:
        sys.modules.update(own)
