"""The settings of all, as the server has them."""

from tacit.api.client.server.server import RemoteServer
from tacit.ui.asking import ask
from tacit.ui.form.desk import Changes
from tacit.ui.form.reading import Reading, reading
from tacit.ui.form.version import version_of


class SettingsOfAll:
    """What a desk asks of the settings of all."""

    def __init__(self, server: RemoteServer) -> None:
        self._server = server

    async def version(self) -> str | None:
        """The version of what is there now."""
        return await version_of(self._server)

    async def read(self) -> Reading:
        """The settings as they are now."""
        return reading(await ask(self._server.settings))

    async def write(self, changes: Changes, version: str | None) -> Reading:
        """Change some, if the file is still of that version."""
        named = {str(table): values for table, values in changes.items()}
        return reading(await ask(self._server.change_settings, named, version=version))
