"""A file of a policy, read with care: people edit it while it is used."""

from codecs import getincrementaldecoder
from dataclasses import dataclass
from pathlib import Path

from tacit.core.errors import ConfigError
from tacit.runtime.files import list_folder, read_start
from tacit.runtime.trust import NOT_TRUSTED, FileContent, TrustRecord, read_content

MOST_BYTES = 64 * 1024

_CUT = f"only the first {MOST_BYTES // 1024} KB are read; make it shorter"
_DECODER = getincrementaldecoder("utf-8-sig")  # leaves out a character that was cut through


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a file says, or what is wrong with it; a note goes with what it says."""

    text: str = ""
    note: str = ""
    problem: str = ""


def read_page(path: Path, within: Path, *, needs_consent: bool = False) -> Page | None:
    """What is in a file; None where there is none, and nothing where the user has to agree first.

    What was compared with the consent is what is used.
    """
    try:
        path.lstat()  # most are not there, which is quickly seen
        if not needs_consent:
            _refuse_leading_out(path, within)
            return _page(read_start(path, MOST_BYTES + 1))
        content = read_strange_page(path, within)
        if not TrustRecord().is_trusted(content):
            return Page(problem=f"is ignored: {NOT_TRUSTED}; to see what it says: tacit trust")
        return _page(content.data)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RuntimeError, ConfigError) as error:
        return Page(problem=_said(error))


def read_strange_page(path: Path, within: Path) -> FileContent:
    """A file that strangers may have written, whole; ConfigError where it can never count."""
    _refuse_leading_out(path, within)
    content = read_content(path, MOST_BYTES)
    try:
        content.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(_said(error)) from None
    return content


def _refuse_leading_out(path: Path, within: Path) -> None:
    if not path.resolve().is_relative_to(within.resolve()):
        raise ConfigError("leads out of its folder; put a copy here")


def files_in(folder: Path) -> tuple[list[Path], str]:
    """The Markdown files of a folder by name, and what is wrong where it cannot be listed."""
    try:
        found = [path for path in list_folder(folder) if _is_meant(path)]
    except FileNotFoundError:
        return [], ""
    except OSError as error:
        return [], _said(error)
    return sorted(found, key=lambda path: (path.name.casefold(), path.name)), ""


def _is_meant(path: Path) -> bool:
    """Whether people put a file there for us; what begins with a dot is an editor's."""
    return path.suffix.lower() == ".md" and not path.name.startswith(".")


def _page(data: bytes) -> Page:
    if len(data) <= MOST_BYTES:
        return Page(text=data.decode("utf-8-sig"))
    last_line = data.rfind(b"\n", 0, MOST_BYTES)
    whole = data[: MOST_BYTES if last_line < 0 else last_line]
    return Page(text=_DECODER().decode(whole), note=_CUT)


def _said(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 (byte {error.start + 1}); convert it"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read ({error.strerror}); mend that, or take it away"
    return str(error)
