"""The version of the settings file, by which forms see that others have written."""

from tacit.api.client.server.server import RemoteServer
from tacit.core.errors import ConfigError
from tacit.ui.asking import ask


async def version_of(server: RemoteServer) -> str | None:
    """The version of the settings file; None where it cannot be read."""
    try:
        return (await ask(server.raw_settings)).version
    except ConfigError:
        return (await ask(server.settings)).version
