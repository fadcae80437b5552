"""The files of a folder that act only after consent: settings, workflows and directives."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tacit.config import FILE_NAME, find_config
from tacit.engine.folders import needs_consent
from tacit.errors import ConfigError, InvalidInput
from tacit.files.locations import config_folder
from tacit.files.trust import FileContent, TrustRecord, located, read_content, spelled
from tacit.grounding.cue_file import FILE_NAME as CUES_FILE
from tacit.grounding.places import FILES_ENDING, FORMER_FILES
from tacit.hooks.project import root_of
from tacit.workflows.library import lifecycle_files, project_folder

_MOST_DIRECTIVES = 200


class FileKind(StrEnum):
    """What a file decides."""

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
    """The files that programs find when they run in a folder."""
    settings = folder / FILE_NAME
    is_there = find_config({}, folder, config_folder()).project is not None
    found = [settings] if is_there else []
    found += lifecycle_files(project_folder(root_of(folder)))
    if needs_consent(folder):
        found += _directives(folder)
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
    is_in_workspaces = any(_holds_workspaces(part) for part in place.parts)
    if is_in_workspaces and place.suffix.lower() == ".md":
        return FileKind.DIRECTIVES
    if is_in_workspaces and place.name == CUES_FILE:
        return FileKind.CUES
    problem = f"{spelled(path)} is not a file of a project; those are {FILE_NAME},"
    raise InvalidInput("path", f"{problem} {project_folder(Path())}/*.yaml and directives")


def _holds_workspaces(name: str) -> bool:
    return name == FORMER_FILES or name.endswith(FILES_ENDING)


def _directives(folder: Path) -> list[Path]:
    """The directives and cues of all workspaces beside databases in this folder."""
    try:
        roots = sorted(each for each in folder.iterdir() if _holds_workspaces(each.name))
        folders = [part for each in roots for part in (each / "_policy", *each.glob("*/policy"))]
        found = [path for each in folders for path in sorted(each.rglob("*.md"))]
        found += [path for each in roots for path in sorted(each.glob(f"*/{CUES_FILE}"))]
        return [path for path in found if path.is_file()][:_MOST_DIRECTIVES]
    except OSError:
        return []


def _is_of_user(path: Path) -> bool:
    own = config_folder()
    return located(path).is_relative_to(located(own / FILE_NAME).parent)
