"""The text of the settings file, for those who like files."""

from collections.abc import Awaitable, Callable

from tacit.api.client.server.server import RemoteServer
from tacit.api.client.server.settings import SettingsReport
from tacit.core.errors import ConfigChanged, ConfigError
from tacit.settings.config.edition import Edition
from tacit.ui.asking import ask, words_of
from tacit.ui.form.hiding import hide
from tacit.ui.form.unsaved import Unsaved
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box
from tacit.ui.kit.toast import toast

_PART = "raw"
_ROWS = 16


class RawFile:
    """The text with Check and Save; it follows the file until somebody types."""

    def __init__(
        self,
        server: RemoteServer,
        *,
        enabled: bool,
        unsaved: Unsaved,
        on_saved: Callable[[SettingsReport], Awaitable[None]],
    ) -> None:
        self._server = server
        self._unsaved = unsaved
        self._on_saved = on_saved
        self._read = self._before = Edition(text="", version="")
        self._text = Control(
            Kind.AREA,
            "Text of the file",
            "",
            rows=_ROWS,
            enabled=enabled,
            on_change=self._draw,
            on_overtaken=self._overtaken,
        )
        self._said = box("notices")
        with box("row") as self._tools:
            button("Check", self._check)
            button("Save the text", self._save, Look.PRIMARY)
            button("Discard", self._discard)
        self._draw()

    async def follow(self) -> None:
        """Show the text as it is now, unless somebody has typed another."""
        try:
            found = await ask(self._server.raw_settings)
        except ConfigError as error:
            self._say(words_of(error), "bad")
            return
        if not self._is_changed and found.version != self._read.version:
            before = self._read
            self._take(found)
            self._before = before

    @property
    def _is_changed(self) -> bool:
        return bool(self._text.value != self._read.text)

    def _overtaken(self) -> None:
        """What is typed was begun with the text before this one."""
        self._read = self._before

    async def _check(self) -> None:
        problem = await ask(self._server.check_settings, self._text.value)
        if problem is None:
            self._say("This text can be used.", "good")
        else:
            self._say(problem, "bad")

    async def _save(self) -> None:
        text = self._text.value
        try:
            report = await ask(self._server.write_raw_settings, text, version=self._read.version)
        except ConfigChanged:
            await self._contested()
        except ConfigError as error:
            self._say(words_of(error), "bad")
        else:
            self._take(Edition(text=text, version=report.version or ""))
            await self._on_saved(report)
            toast("Saved the settings file. In force from the next turn on.")

    async def _contested(self) -> None:
        """Somebody else was quicker: ask which text counts."""
        theirs = await ask(self._server.raw_settings)

        async def take_theirs() -> None:
            self._take(theirs)

        async def keep_mine() -> None:
            self._read = theirs
            await self._save()

        self._said.clear()
        with self._said, notice(_CONTESTED, title="Changed by someone else"), box("row"):
            button("Take their text", take_theirs)
            button("Save mine on top", keep_mine)

    async def _discard(self) -> None:
        self._take(await ask(self._server.raw_settings))

    def _take(self, edition: Edition) -> None:
        self._read = self._before = edition
        self._text.value = edition.text
        self._said.clear()
        self._draw()

    def _say(self, text: str, tone: str) -> None:
        self._said.clear()
        with self._said:
            notice(text, tone)

    def _draw(self) -> None:
        hide(self._tools, not self._is_changed)
        self._unsaved.mark(_PART, self._is_changed)


_CONTESTED = (
    "The file has another text since you read it; nothing is overwritten yet. Saving yours on top"
    " drops what they wrote."
)
