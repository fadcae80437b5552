"""New settings out of old ones and some values."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from tacit.settings.checking import check
from tacit.settings.injection import InjectionSettings
from tacit.settings.search import SearchSettings

Settings = TypeVar("Settings", InjectionSettings, SearchSettings)


def changed(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """A copy with some values replaced; an unknown name is an error."""
    accepted = {name: check(type(settings), name, value) for name, value in values.items()}
    return replace(settings, **accepted)


def injection_settings(values: Mapping[str, Any]) -> InjectionSettings:
    """The defaults with some values replaced; an unknown name is an error."""
    return changed(InjectionSettings(), values)


def search_settings(values: Mapping[str, Any]) -> SearchSettings:
    """The defaults with some values replaced; an unknown name is an error."""
    return changed(SearchSettings(), values)
