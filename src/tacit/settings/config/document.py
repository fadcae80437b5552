"""A configuration file that was read: its tables, and where in it something is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import repr as shown
from typing import Any

from tacit.core.errors import ConfigError, InvalidInput
from tacit.runtime.files import decode_text, parse_toml, read_file
from tacit.settings.config.lines import line_of
from tacit.settings.config.statements import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The text of a file and what it says; without a file, nothing."""

    path: Path | None = None
    text: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | None) -> "Document":
        """Read a file, if one is named, or say why it cannot be read."""
        return cls() if path is None else cls.of(path, _text(path))

    @classmethod
    def of(cls, path: Path, text: str) -> "Document":
        """What a text says as the content of a file."""
        return cls(path=path, text=text, content=parse_toml(path, text))

    def table(self, place: Place) -> Mapping[str, Any]:
        """The table at a place, empty where there is none."""
        found: Any = self.content
        for step in place:
            found = found[step] if isinstance(step, int) else found.get(step, {})
        if not isinstance(found, Mapping):
            raise self.error(place, f"expected a table, not {shown(found)}")
        return found

    def allow(self, place: Place, names: Sequence[str]) -> None:
        """Refuse every name but these in the table at a place."""
        for name in self.table(place):
            if name not in names:
                known = ", ".join(names)
                raise self.error((*place, name), f"nothing has this name here; known: {known}")

    def tables(self, name: str) -> Sequence[Any]:
        """The entries of an array of tables, empty where there is none."""
        found = self.content.get(name, [])
        if not isinstance(found, list):
            raise self.error((name,), f"expected a list of tables; write [[{name}]] above each")
        return found

    def error(self, place: Place, problem: str) -> ConfigError:
        """An error that names the file, the line and the key."""
        return ConfigError(self.located(place, problem))

    def located(self, place: Place, text: str) -> str:
        """A text about something in the file, with the file, the line and the key before it."""
        return f"{self.path}, line {line_of(self.text, place)}: {_spelled(place)}: {text}"

    @contextmanager
    def locating(self, place: Place) -> Iterator[None]:
        """Say of input that is refused where it stands."""
        try:
            yield
        except InvalidInput as error:
            raise self.error(place, error.problem) from None


def _text(path: Path) -> str:
    try:
        return decode_text(path, read_file(path))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; create it or name another") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); name a file") from error


def _spelled(place: Place) -> str:
    """A place as people write it; entries of arrays count from 1."""
    steps = (f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(steps).removeprefix(".")
