"""Values and ranges of settings in words."""

from typing import Any

from tacit.settings.definition import Definition, Kind

_LISTS = (Kind.TYPES, Kind.SCOPES)


def told(value: Any) -> str:
    """A value as people say it."""
    match value:
        case bool():
            return "on" if value else "off"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,g}"
        case list() | tuple():
            return ", ".join(map(str, value)) or "none"
        case None | "":
            return "empty"
    return str(value)


def hint(setting: Definition) -> str:
    """What a setting steers, and which numbers it takes where no slider shows it."""
    if setting.low is None or setting.high is None or is_share(setting):
        return setting.help
    return f"{setting.help} From {told(setting.low)} to {told(setting.high)}."


def is_share(setting: Definition) -> bool:
    """Whether a setting is a number somewhere from 0 to 1."""
    low, high = setting.low, setting.high
    is_within = low is not None and high is not None and low >= 0 and high <= 1
    return setting.kind is Kind.FLOAT and is_within


def names(setting: Definition) -> dict[str, str]:
    """What the values to choose from are called."""
    is_list = setting.kind in _LISTS
    return {each: each.capitalize() if is_list else each for each in setting.choices}
