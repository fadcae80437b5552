"""The files of a folder that act only after consent: its settings, and its project's workflows."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tacit.config import FILE_NAME, find_config
from tacit.errors import ConfigError, InvalidInput
from tacit.files.locations import config_folder
from tacit.files.trust import FileContent, TrustRecord, located, read_content, spelled
from tacit.hooks.project import root_of
from tacit.workflows.library import lifecycle_files, project_folder


class FileKind(StrEnum):
    """What a file decides."""

    SETTINGS = "settings"
    WORKFLOW = "workflow"


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
    """The files that programs find when they run in a folder."""
    settings = folder / FILE_NAME
    is_there = find_config({}, folder, config_folder()).project is not None
    found = [settings] if is_there else []
    found += lifecycle_files(project_folder(root_of(folder)))
    return [read_project_file(path) for path in found]


def read_project_file(path: Path) -> ProjectFile:
    """A file by its path; InvalidInput where nothing would ever read it as a project's."""
    kind = _kind(path)
    try:
        return ProjectFile(path=path, kind=kind, content=read_content(path))
    except ConfigError as error:
        return ProjectFile(path=path, kind=kind, problem=str(error))


def _kind(path: Path) -> FileKind:
    place = located(path)
    if _is_of_user(path):
        raise InvalidInput("path", f"{spelled(path)} is your own file; it needs no consent")
    if place.name == FILE_NAME:
        return FileKind.SETTINGS
    is_in_place = place.parent.parts[-3:] == project_folder(Path()).parts
    if is_in_place and place.suffix in (".yaml", ".yml"):
        return FileKind.WORKFLOW
    problem = f"{spelled(path)} is not a file of a project; those are {FILE_NAME} and"
    raise InvalidInput("path", f"{problem} {project_folder(Path())}/*.yaml")


def _is_of_user(path: Path) -> bool:
    own = config_folder()
    return located(path).is_relative_to(located(own / FILE_NAME).parent)
