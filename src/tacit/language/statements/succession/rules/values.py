"""The same thing with another value: where it is, what it uses, who has it, what it is called."""

from collections.abc import Callable, Mapping

from tacit.language.statements.succession.domains import SENIORITY
from tacit.language.statements.succession.holdings import Holding, Slot, holdings
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import is_same


def has_another_value(was: Told, now: Told) -> bool:
    """Whether both say what one thing has of one kind, and not the same."""
    if was.has(Mark.DENIED) or now.has(Mark.DENIED):
        return False
    before, after = list(holdings(was)), list(holdings(now))
    is_change = now.is_change or _is_same_employer(before, after)
    return any(
        _is_another(old, new, is_change) for old in before for new in after if old.slot is new.slot
    )


def _is_same_employer(before: list[Holding], after: list[Holding]) -> bool:
    ours, theirs = (
        {(each.about.words, each.value) for each in held if each.slot is Slot.WORK}
        for held in (before, after)
    )
    return not ours.isdisjoint(theirs)


def _is_another(old: Holding, new: Holding, is_change: bool) -> bool:
    if old.value <= new.value or new.value <= old.value or old.slot not in _COMPETING:
        return False
    return is_same(old.about, new.about, is_change) and _COMPETING[old.slot](old, new, is_change)


def _is_another_place(old: Holding, new: Holding, is_change: bool) -> bool:
    if is_change and not (old.names or new.names):
        return True
    return _are_names(old, new) and (is_change or old.is_broad == new.is_broad)


def _is_another_thing(old: Holding, new: Holding, _: bool) -> bool:
    return bool(old.about.words) and (_are_names(old, new) or _are_plain(old, new))


def _is_another_possession(old: Holding, new: Holding, _: bool) -> bool:
    return _are_names(old, new)


def _is_another_person(old: Holding, new: Holding, _: bool) -> bool:
    return bool(old.about.words) and old.names.isdisjoint(new.names)


def _is_another_stage(_old: Holding, _new: Holding, _: bool) -> bool:
    return True


def _is_another_job(old: Holding, new: Holding, is_change: bool) -> bool:
    """One may be a cook and a father; of two jobs the newer counts if it grew out of the older."""
    shared = old.value & new.value - SENIORITY
    is_following = is_change or old.is_beginner or bool(shared)
    return old.is_job and new.is_job and is_following


def _is_another_tool(old: Holding, new: Holding, is_change: bool) -> bool:
    """Products for other purposes are used side by side."""
    if old.tools and new.tools and old.tools.isdisjoint(new.tools):
        return False
    if bool(old.names) != bool(new.names):
        return False
    if old.about.words and new.about.words:
        are_unknown = bool(old.names) and not (old.tools or new.tools)
        return not old.tools.isdisjoint(new.tools) or are_unknown or is_change
    return is_change and not old.tools.isdisjoint(new.tools)


_COMPETING: Mapping[Slot, Callable[[Holding, Holding, bool], bool]] = {
    Slot.USE: _is_another_tool,
    Slot.AT: _is_another_place,
    Slot.WORK: _is_another_place,
    Slot.IS: _is_another_thing,
    Slot.KIND: _is_another_job,
    Slot.VEHICLE: _is_another_possession,
    Slot.CHARGE: _is_another_person,
    Slot.NAME: _is_another_person,
    Slot.COAT: _is_another_person,
    Slot.JOB: _is_another_stage,
    Slot.STAGE: _is_another_stage,
}
"""When two values of one kind cannot both be had; of what is not listed they can."""


def _are_plain(old: Holding, new: Holding) -> bool:
    """Whether both are nouns of an attribute that is told by two words: `target audience`."""
    return old.is_noun and new.is_noun and len(old.about.words) > 1


def _are_names(old: Holding, new: Holding) -> bool:
    return bool(old.names and new.names) and old.names.isdisjoint(new.names)
