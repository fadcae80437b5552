"""The action `tacit settings llm`: set up a language model in one step, and check it."""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from rich.text import Text

from tacit.cli.output import console, make_table, notices
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput, TacitError
from tacit.embedding.llm import ChatModel
from tacit.settings.config import SettingsTable
from tacit.settings.config_file import Change
from tacit.settings.llm_presets import LLM_PRESETS
from tacit.settings.writing import WritingSettings

_QUESTION = 'Answer with this JSON and nothing else: {"ready": true}'
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmOptions:
    """What the command line says of the model besides the name of its provider."""

    model: str | None = None
    base_url: str | None = None
    key_env: str | None = None

    @property
    def are_given(self) -> bool:
        """Whether it says anything."""
        return any(each is not None for each in (self.model, self.base_url, self.key_env))


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmCheck:
    """The outcome of one tiny request: what is wrong or doubtful, if anything."""

    problem: str | None = None
    doubt: str | None = None
    seconds: float = 0.0
    tokens: int = 0

    def to_dict(self) -> dict[str, Any]:
        """It as JSON."""
        return {"ok": self.problem is None, **asdict(self)}


def plan_llm(name: str, options: LlmOptions) -> list[Change]:
    """The settings that a provider needs, in the table writing."""
    preset = LLM_PRESETS.get(name)
    if preset is None:
        known = ", ".join(LLM_PRESETS)
        raise InvalidInput("llm", f"{name!r} is not a known provider; use one of {known}")
    model = options.model or preset.model
    if not model:
        problem = f"name the model of your own: tacit settings llm {name} --model NAME"
        raise InvalidInput("model", problem)
    values = {
        "llm_model": model,
        "llm_base_url": preset.base_url if options.base_url is None else options.base_url,
        "llm_key_env": preset.key_env if options.key_env is None else options.key_env,
    }
    return [
        Change(table=SettingsTable.WRITING, name=name, value=value)
        for name, value in values.items()
    ]


def check_llm(settings: WritingSettings) -> LlmCheck:
    """Ask the model for a word, with structured output as learning asks it."""
    key_env, began = settings.llm_key_env, time.monotonic()
    if key_env and not os.environ.get(key_env, "").strip() and not _is_local(settings):
        return LlmCheck(
            problem=f"the key is missing: set {key_env} in the environment of every program that"
            " uses Tacit, then run this again"
        )
    model = ChatModel(settings.llm_model, settings.llm_base_url or None, key_env=key_env)
    try:
        reply = model.ask([{"role": "user", "content": _QUESTION}], _SCHEMA)
    except TacitError as error:
        return LlmCheck(problem=str(error), seconds=round(time.monotonic() - began, 2))
    return LlmCheck(
        doubt=None
        if _is_as_asked(reply.text)
        else "it answers, but not with the JSON asked for;"
        " learning asks twice, and fails if that is no JSON either",
        seconds=round(time.monotonic() - began, 2),
        tokens=reply.tokens,
    )


def _is_local(settings: WritingSettings) -> bool:
    """Whether the model is on this machine, where servers mostly want no key."""
    return urlsplit(settings.llm_base_url).hostname in ("127.0.0.1", "localhost", "::1")


def _is_as_asked(text: str) -> bool:
    try:
        return bool(json.loads(text) == {"ready": True})
    except (ValueError, RecursionError):
        return False


def print_llm(before: WritingSettings, now: WritingSettings, checked: LlmCheck, path: str) -> None:
    """Show what changed and what the check found."""
    drawn = make_table("setting", "was", "is", title=escape_unseen(f"Written to {path}"))
    for name in ("llm_model", "llm_base_url", "llm_key_env"):
        old, new = getattr(before, name), getattr(now, name)
        style = "bright_black" if old == new else "green"
        drawn.add_row(name, _to_shown(old, "bright_black"), _to_shown(new, style))
    console().print(drawn)
    if checked.problem is not None:
        notices().print(escape_unseen(checked.problem), style="red", markup=False, soft_wrap=True)
        waits = "Until it works, the model reads nothing; the rules go on as before."
        notices().print(waits, style="bright_black")
        return
    took = f"It answers: {checked.tokens:,} tokens, {checked.seconds:.1f} seconds."
    console().print(took, style="green")
    if checked.doubt is not None:
        notices().print(checked.doubt[:1].upper() + checked.doubt[1:], style="yellow")
    host = urlsplit(now.llm_base_url).hostname or "the provider"
    told = f"From now on it reads what people say; that is sent to {host}."
    console().print(told, style="bright_black", markup=False, soft_wrap=True)


def _to_shown(value: str, style: str) -> Text:
    return Text(escape_unseen(value) or '""', style=style)
