"""The files of a folder that act only after consent: settings, workflows, directives and cues.

Each is read exactly as by the code that lets it act later: with the same limits, and the same rules
about links.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path

from tacit.api.workspace_files import needs_consent
from tacit.core.errors import ConfigError, InvalidInput
from tacit.grounding.file_layout import CUES_FILE_NAME as CUES_FILE
from tacit.grounding.file_layout import FILES_ENDING, FORMER_FILES_FOLDER
from tacit.grounding.policy_files import (
    find_containing_folder,
    find_policy_files,
    read_untrusted_file,
)
from tacit.integrations.hooks.project import find_root
from tacit.integrations.workflows.library import lifecycle_files, project_lifecycle_folder
from tacit.integrations.workflows.lifecycle_file import read_lifecycle
from tacit.runtime.files import config_folder, list_folder
from tacit.runtime.trust import (
    FileContent,
    TrustRecord,
    read_content,
    resolve_folder,
    to_printable_path,
)
from tacit.settings.config import CONFIG_FILE_NAME, find_config

_MOST_DIRECTIVES = 200


class FileKind(StrEnum):
    """The kind of a project's file."""

    SETTINGS = "settings"
    WORKFLOW = "workflow"
    DIRECTIVES = "directives"
    CUES = "cues"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """A file of a project as it was read once, or why it could not be read."""

    path: Path
    kind: FileKind
    content: FileContent | None = None
    problem: str | None = None

    def is_trusted(self, record: TrustRecord) -> bool:
        """Whether the user has agreed to this content."""
        return self.content is not None and record.is_trusted(self.content)


def find_project_files(folder: Path) -> list[ProjectFile]:
    """The files of a project that programs find when they run in a folder."""
    settings = folder / CONFIG_FILE_NAME
    is_there = find_config({}, folder, config_folder()).project is not None
    found = [settings] if is_there else []
    found += lifecycle_files(project_lifecycle_folder(find_root(folder)))
    if needs_consent(folder):
        found += _find_directives(folder)
    return [read_project_file(path) for path in found]


def read_project_file(path: Path) -> ProjectFile:
    """Read a project's file; InvalidInput if nothing would read it as such."""
    path = Path(os.path.normpath(path.absolute()))  # by its name: links are not followed
    kind = _file_kind(path)
    try:
        return ProjectFile(path=path, kind=kind, content=_READERS[kind](path))
    except (ConfigError, OSError, RuntimeError) as error:
        file = to_printable_path(path)
        reason = str(error).removeprefix(file).lstrip(":, ")
        return ProjectFile(path=path, kind=kind, problem=f"{file}: {reason}")


def _file_kind(path: Path) -> FileKind:
    """The kind of a file, by its name and its folders; links are not followed."""
    if _is_users_own(path):
        raise InvalidInput(
            "path", f"{to_printable_path(path)} is your own file; it needs no consent"
        )
    if path.name == CONFIG_FILE_NAME:
        return FileKind.SETTINGS
    is_in_place = path.parent.parts[-3:] == project_lifecycle_folder(Path()).parts
    if is_in_place and path.suffix in (".yaml", ".yml"):
        return FileKind.WORKFLOW
    if _policy_folder(path) is not None:
        return FileKind.DIRECTIVES
    is_in_workspace = _holds_workspaces(path.parent.parent.name)
    if is_in_workspace and path.name == CUES_FILE:
        return FileKind.CUES
    problem = f"{to_printable_path(path)} is not a file of a project; those are {CONFIG_FILE_NAME},"
    raise InvalidInput(
        "path", f"{problem} {project_lifecycle_folder(Path())}/*.yaml and directives"
    )


def _policy_folder(path: Path) -> Path | None:
    """The folder that links of a policy file must not leave; None for other files."""
    roots = (each for each in path.parents if _holds_workspaces(each.name))
    folders = (find_containing_folder(root, path) for root in roots)
    return next((each for each in folders if each is not None), None)


def _read_directives(path: Path) -> FileContent:
    return read_untrusted_file(path, _policy_folder(path) or path.parent)


_READERS: Mapping[FileKind, Callable[[Path], FileContent]] = {
    FileKind.SETTINGS: read_content,
    FileKind.WORKFLOW: read_lifecycle,
    FileKind.DIRECTIVES: _read_directives,
    FileKind.CUES: read_content,
}


def _holds_workspaces(name: str) -> bool:
    return name == FORMER_FILES_FOLDER or name.endswith(FILES_ENDING)


def _find_directives(folder: Path) -> list[Path]:
    """The directives and cues of all workspaces beside databases in this folder."""
    try:
        roots = [each for each in list_folder(folder) if _holds_workspaces(each.name)]
        return list(islice(_policy_and_cue_files(roots), _MOST_DIRECTIVES))
    except OSError:
        return []


def _policy_and_cue_files(roots: list[Path]) -> Iterator[Path]:
    for root in roots:
        yield from (each for each in find_policy_files(root) if each.is_file())
    for root in roots:
        yield from (each for each in sorted(root.glob(f"*/{CUES_FILE}")) if each.is_file())


def _is_users_own(path: Path) -> bool:
    own = config_folder()
    return resolve_folder(path).is_relative_to(resolve_folder(own / CONFIG_FILE_NAME).parent)
