"""The command on settings: show, set, reset, check, edit and llm."""

import os
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from math import inf
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Annotated, Any

import typer
from rich.table import Table as Drawn
from rich.text import Text

from tacit.api.configuration import load_configuration, project_path, writable_path
from tacit.cli import options as opt
from tacit.cli.output import console, make_table, notices, print_json
from tacit.cli.settings_llm import LlmOptions, check_llm, plan_llm, print_llm
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import ConfigChanged, ConfigError, InvalidInput
from tacit.runtime.files import decode_text, default_database_path
from tacit.settings.config import Config, SettingSource, SettingsTable, list_settings
from tacit.settings.config_file import Change, ConfigFile, FileVersion, Revert
from tacit.settings.definition import SettingGroup, find_definition, list_definitions
from tacit.settings.environment import EMPTY_LIST, parse_unchecked_setting
from tacit.settings.llm_presets import LLM_PRESETS
from tacit.settings.loader import load_config

# Editing a configuration file in the user's editor


def edit_config(file: ConfigFile) -> bool:
    """Let the user edit a copy until it is valid, then write it; True if it changed.

    A copy that says something and is not used is kept, and the user is told where.
    """
    before = file.read()
    folder = Path(mkdtemp(prefix="tacit-"))
    copy = folder / file.path.name
    copy.write_bytes(before.text.encode())
    after = None
    try:
        while after is None:
            _open_editor(copy)
            after = _write_copy(file, copy, before)
    finally:
        if after is not None or copy.read_bytes() == before.text.encode():
            rmtree(folder)
    return after.version != before.version


def _write_copy(file: ConfigFile, copy: Path, before: FileVersion) -> FileVersion | None:
    """The file after writing, or None where the user wants to go on editing."""
    try:
        return file.write(decode_text(file.path, copy.read_bytes()), expected=before.version)
    except ConfigChanged:
        problem = "was changed by someone else meanwhile; what you wrote is kept in"
        raise ConfigError(f"{file.path}: {problem} {copy}") from None
    except ConfigError as error:
        notices().print(escape_unseen(str(error)), style="red", markup=False, soft_wrap=True)
    if not _wants_to_edit_again():
        told = f"Nothing is changed; what you wrote is kept in {copy}"
        notices().print(told, markup=False, soft_wrap=True)
        raise typer.Exit(1)
    return None


def _wants_to_edit_again() -> bool:
    try:
        return typer.confirm("Edit again?", default=True, err=True)
    except typer.Abort:
        return False


def _open_editor(copy: Path) -> None:
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


_ALL = "all"
_SOURCE_STYLES = {
    SettingSource.BUILT_IN: "bright_black",
    SettingSource.USER_FILE: "blue",
    SettingSource.FILE: "cyan",
    SettingSource.PROJECT: "magenta",
    SettingSource.ENVIRONMENT: "yellow",
    SettingSource.AGENT: "green",
}


class SettingsAction(StrEnum):
    """What can be done with the settings."""

    SHOW = "show"
    SET = "set"
    RESET = "reset"
    CHECK = "check"
    EDIT = "edit"
    LLM = "llm"


@dataclass(frozen=True, slots=True, kw_only=True)
class _SettingsOptions:
    """What the command line says besides the action."""

    words: tuple[str, ...]
    agent: str | None
    table: SettingsTable | None
    in_project: bool
    as_json: bool
    db: str | None
    llm: LlmOptions

    @property
    def file(self) -> ConfigFile:
        """The file to write."""
        return ConfigFile(project_path() if self.in_project else writable_path(self.db))

    def load(self) -> Config:
        """The settings of the database: the named one, or that of programs which name none."""
        usual = os.environ.get("TACIT_DB") or default_database_path()
        return load_configuration(None, database=self.db or usual)


def settings(
    action: Annotated[
        SettingsAction,
        typer.Argument(
            help="show: every value and where it comes from; set NAME VALUE: write it to the file;"
            " reset NAME… or reset all: take it out of the file; check [FILE]: say what is wrong;"
            " edit: open the file in your editor; llm PROVIDER: set up a language model, and ask it"
            f" for a word. PROVIDER is one of {', '.join(LLM_PRESETS)}."
        ),
    ],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="What the action needs.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(help="Those of this agent; to show, set, reset.")
    ] = None,
    in_table: Annotated[
        SettingsTable | None,
        typer.Option(
            "--table", help=f"{', '.join(SettingsTable)}; else by the name; to set, reset."
        ),
    ] = None,
    project: Annotated[
        bool,
        typer.Option(
            "--project", help="Write the tacit.toml of the current folder; to set, reset, edit."
        ),
    ] = False,
    db: Annotated[
        str | None,
        typer.Option(
            "--db", help="The settings of this database alone: a file, or a postgresql:// URL."
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Which model of the provider; to llm.")] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Another OpenAI-compatible address; to llm.")
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option(help="The variable that holds the key, never the key itself; to llm."),
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Show, change or check the settings.

    Programs that run see a change at their next turn. What is written is your own file, with --db
    that of the database, or the one that TACIT_CONFIG names. Check and llm end with exit code 1 if
    something is wrong.
    """
    asked = _SettingsOptions(
        words=tuple(words or ()),
        agent=agent,
        table=in_table,
        in_project=project,
        as_json=as_json,
        db=db,
        llm=LlmOptions(model=model, base_url=base_url, key_env=key_env),
    )
    _refuse_needless(action, asked)
    _ACTIONS[action](asked)


def _refuse_needless(action: SettingsAction, asked: _SettingsOptions) -> None:
    least, most, wanted = _WORDS[action]
    if not least <= len(asked.words) <= most:
        raise InvalidInput("settings", f"write: tacit settings {action}{wanted}")
    if asked.agent is not None and action not in _FOR_AGENTS:
        raise InvalidInput("agent", f"is for show, set and reset; {action} takes the whole file")
    if asked.in_project and action is SettingsAction.LLM:
        raise InvalidInput("project", "a project's file cannot set a model; leave out --project")
    if asked.in_project and action in (SettingsAction.SHOW, SettingsAction.CHECK):
        raise InvalidInput("project", f"is for set, reset and edit; {action} takes all files")
    if asked.llm.are_given and action is not SettingsAction.LLM:
        raise InvalidInput("model", "and --base-url and --key-env are for: tacit settings llm")
    if asked.in_project and asked.db is not None:
        raise InvalidInput("project", "is another file than that of a database; leave out one")
    if asked.table is not None and action not in (SettingsAction.SET, SettingsAction.RESET):
        raise InvalidInput("table", f"is for set and reset; {action} takes all tables")


def _show(asked: _SettingsOptions) -> None:
    config = asked.load()
    if asked.as_json:
        values = {each: _values(config, each, asked.agent) for each in SettingsTable}
        print_json({**_files(config), "agent": asked.agent, "settings": values})
        return
    console().print(_heading(config, asked.agent), soft_wrap=True)
    drawn = make_table("setting", "value", "from", "project")
    for group in SettingGroup:
        _add_group(drawn, config, group, asked.agent)
    console().print(drawn)


def _files(config: Config) -> dict[str, Any]:
    """The files in use, and what is ignored of the project's."""
    project = config.project.path
    return {
        "file": None if config.path is None else str(config.path),
        "user_file": None if config.base_path is None else str(config.base_path),
        "project": None if project is None else str(project),
        "ignored": [each.to_dict() for each in config.ignored],
    }


def _heading(config: Config, agent: str | None) -> Text:
    whose = "Settings" if agent is None else f"Settings of {agent}"
    paths = (config.path, config.base_path, config.project.path)
    files = [str(path) for path in paths if path is not None]
    file = f"with {' and '.join(files)}" if files else "without a file"
    own = "" if agent is None or config.overrides.get(agent) else ", which has none of its own"
    return Text(escape_unseen(whose), style="bold").append(
        escape_unseen(f"{own}, {file}"), "not bold"
    )


def _values(
    config: Config, of_table: SettingsTable, agent: str | None
) -> dict[str, dict[str, Any]]:
    found = list_settings(config, of_table, agent)
    return {
        name: {
            "value": each.value,
            "source": each.source,
            "in_project": each.definition.in_project,
        }
        for name, each in found.items()
    }


def _add_group(drawn: Drawn, config: Config, group: SettingGroup, agent: str | None) -> None:
    """The settings of a group, under its name."""
    drawn.add_row(Text(group, style="bold"))
    for of_table in SettingsTable:
        for name, each in list_settings(config, of_table, agent).items():
            if each.definition.group is group:
                told = Text(each.source.replace("_", "-"), style=_SOURCE_STYLES[each.source])
                may = "may set" if each.definition.in_project else ""
                drawn.add_row(f"  {name}", Text(_to_text(each.value)), told, may)


def _to_text(value: Any) -> str:
    """A value as `set` takes it."""
    if isinstance(value, list | tuple):
        return ",".join(value) or EMPTY_LIST
    if isinstance(value, str):
        return value or '""'
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def _set(asked: _SettingsOptions) -> None:
    name, written = asked.words
    of_table = asked.table or _table_of(name)
    value = parse_unchecked_setting(of_table, name, written)
    change = Change(table=of_table, name=name, value=value, agent=asked.agent)
    if asked.in_project and not find_definition(of_table.settings_class, name).in_project:
        raise InvalidInput(name, "a project's file cannot set it; leave out --project")
    file = asked.file
    file.change([change])
    config = asked.load()
    now = list_settings(config, of_table, asked.agent)[name]
    if asked.as_json:
        told = {"table": of_table, "agent": asked.agent, "name": name}
        stands = {"value": now.value, "source": now.source, "warnings": list(change.warnings)}
        print_json({"file": str(file.path), **told, **stands})
        return
    said = f"{name} is {_to_text(change.value)} in {file.path}"
    console().print(said, markup=False, soft_wrap=True)
    _warn(change.warnings)
    if now.source is SettingSource.ENVIRONMENT:
        variables = [prefix + name.upper() for prefix in of_table.prefixes]
        variable = next(each for each in variables if each in os.environ)
        notices().print(f"{variable} says {_to_text(now.value)}, and the environment wins")
    elif now.source is SettingSource.PROJECT and not asked.in_project:
        wins = f"the project's file says {_to_text(now.value)} here, and wins in this folder"
        notices().print(wins, markup=False, soft_wrap=True)
    elif now.source is SettingSource.FILE and config.path != file.path and not asked.in_project:
        wins = f"the settings of your database say {_to_text(now.value)} and win ({config.path})"
        notices().print(wins, markup=False, soft_wrap=True)


def _set_llm(asked: _SettingsOptions) -> None:
    changes = plan_llm(asked.words[0], asked.llm)
    before, file = asked.load().writing, asked.file
    file.change(changes)
    now = asked.load().writing
    checked = check_llm(now)
    if asked.as_json:
        names = [change.name for change in changes]
        values = {name: {"was": getattr(before, name), "is": getattr(now, name)} for name in names}
        print_json({"file": str(file.path), "settings": values, "check": checked.to_dict()})
    else:
        print_llm(before, now, checked, str(file.path))
        for change in changes:
            if getattr(now, change.name) != (change.value or ""):
                stronger = f"{change.name} is set elsewhere, and wins: tacit settings show"
                notices().print(stronger, style="yellow", markup=False)
    if checked.problem is not None:
        raise typer.Exit(1)


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings:
        notices().print(escape_unseen(warning), markup=False, soft_wrap=True, style="yellow")


def _reset(asked: _SettingsOptions) -> None:
    file = asked.file
    before = file.read()
    after = file.change(_planned_resets(asked))
    is_changed = after.version != before.version
    if asked.as_json:
        print_json({"file": str(file.path), "changed": is_changed})
    elif is_changed:
        console().print(f"Reset in {file.path}", markup=False, soft_wrap=True)
    else:
        console().print(f"{file.path} says nothing of it", markup=False, soft_wrap=True)


def _planned_resets(asked: _SettingsOptions) -> list[Change | Revert]:
    is_whole = asked.words == (_ALL,) and asked.table in (None, SettingsTable.MEMORY_INJECTION)
    if is_whole and asked.agent is not None:
        return [Revert(agent=asked.agent)]
    return [
        Change(table=of, name=name, value=None, agent=asked.agent)
        for of, name in _named_settings(asked)
    ]


def _named_settings(asked: _SettingsOptions) -> Iterator[tuple[SettingsTable, str]]:
    """The settings to reset, each with its table."""
    if asked.words != (_ALL,):
        yield from ((asked.table or _table_of(name), name) for name in asked.words)
        return
    for of_table in SettingsTable if asked.table is None else (asked.table,):
        yield from ((of_table, each.name) for each in list_definitions(of_table.settings_class))


def _table_of(name: str) -> SettingsTable:
    """The table that has a setting of this name, or of the one that is likely meant."""
    homes = {
        each.name: home for home in SettingsTable for each in list_definitions(home.settings_class)
    }
    meant = next(iter(get_close_matches(name, homes, n=1)), None)
    return homes.get(name) or homes.get(meant or "", SettingsTable.MEMORY_INJECTION)


def _check(asked: _SettingsOptions) -> None:
    problem: str | None = None
    warnings: Sequence[str] = ()
    path = Path(asked.words[0]) if asked.words else None
    try:
        config = load_config(path, {}) if path else asked.load()
        path, warnings = config.path, config.warnings
    except ConfigError as error:
        problem = str(error)
    if asked.as_json:
        print_json({"ok": problem is None, "problem": problem, "warnings": list(warnings)})
    elif problem is None:
        what = "The environment, without a file," if path is None else f"{path}"
        console().print(f"{what} is valid.", markup=False, soft_wrap=True, style="green")
        _warn(warnings)
    else:
        console().print(escape_unseen(problem), markup=False, soft_wrap=True, style="red")
    if problem is not None:
        raise typer.Exit(1)


def _edit(asked: _SettingsOptions) -> None:
    file = asked.file
    is_changed = edit_config(file)
    if asked.as_json:
        print_json({"file": str(file.path), "changed": is_changed})
        return
    told = "is written" if is_changed else "is as it was"
    console().print(f"{file.path} {told}", markup=False, soft_wrap=True)


_ACTIONS: Mapping[SettingsAction, Callable[[_SettingsOptions], None]] = {
    SettingsAction.SHOW: _show,
    SettingsAction.SET: _set,
    SettingsAction.RESET: _reset,
    SettingsAction.CHECK: _check,
    SettingsAction.EDIT: _edit,
    SettingsAction.LLM: _set_llm,
}
_FOR_AGENTS = (SettingsAction.SHOW, SettingsAction.SET, SettingsAction.RESET)

_WORDS: Mapping[SettingsAction, tuple[int, float, str]] = {
    SettingsAction.SHOW: (0, 0, ""),
    SettingsAction.SET: (2, 2, " NAME VALUE"),
    SettingsAction.RESET: (1, inf, " NAME…, or: tacit settings reset all"),
    SettingsAction.CHECK: (0, 1, " [FILE]"),
    SettingsAction.EDIT: (0, 0, ""),
    SettingsAction.LLM: (1, 1, f" {'|'.join(LLM_PRESETS)}"),
}
"""How many words each action takes, and which."""

COMMANDS = {"settings": settings}
