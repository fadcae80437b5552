"""A configuration file in the user's editor."""

import os
import shlex
import subprocess
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import typer

from tacit.cli.output import notices
from tacit.cli.visible import visible
from tacit.core.errors import ConfigChanged, ConfigError, InvalidInput
from tacit.runtime.files import decode_text
from tacit.settings.config.edition import Edition
from tacit.settings.config.file import ConfigFile


def edit(file: ConfigFile) -> bool:
    """Let the user edit a copy until it is valid, then write it; tells whether it is different.

    A copy that says something and is not used is kept, and the user is told where.
    """
    before = file.read()
    folder = Path(mkdtemp(prefix="tacit-"))
    copy = folder / file.path.name
    copy.write_bytes(before.text.encode())
    after = None
    try:
        while after is None:
            _open(copy)
            after = _written(file, copy, before)
    finally:
        if after is not None or copy.read_bytes() == before.text.encode():
            rmtree(folder)
    return after.version != before.version


def _written(file: ConfigFile, copy: Path, before: Edition) -> Edition | None:
    """The file after writing, or None where the user wants to go on editing."""
    try:
        return file.write(decode_text(file.path, copy.read_bytes()), expected=before.version)
    except ConfigChanged:
        problem = "was changed by someone else meanwhile; what you wrote is kept in"
        raise ConfigError(f"{file.path}: {problem} {copy}") from None
    except ConfigError as error:
        notices().print(visible(str(error)), style="red", markup=False, soft_wrap=True)
    if not _goes_on():
        told = f"Nothing is changed; what you wrote is kept in {copy}"
        notices().print(told, markup=False, soft_wrap=True)
        raise typer.Exit(1)
    return None


def _goes_on() -> bool:
    try:
        return typer.confirm("Edit again?", default=True, err=True)
    except typer.Abort:
        return False


def _open(copy: Path) -> None:
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    try:
        ended = subprocess.run([*words, str(copy)], check=False)
    except OSError as error:
        problem = f"{words[0]} cannot be run ({error.strerror}); name your editor in EDITOR"
        raise InvalidInput("EDITOR", problem) from None
    if ended.returncode:
        told = f"The editor ended with {ended.returncode}; nothing is changed, {copy} is yours"
        notices().print(told, markup=False, soft_wrap=True)
        raise typer.Exit(1)
