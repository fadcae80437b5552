"""What a newer clause says something was changed to."""

from tacit.language.statements.succession.holdings import Holding, Slot, holdings
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.news import Became, news
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import Topic, is_apart, is_same

_MOVING = frozenset(("move", "relocate", "transfer"))
_LOOSE = frozenset((Slot.THING, Slot.KIND))
_ROLES = frozenset(("owner", "lead", "manag", "maintain"))
_HANDING = frozenset(("handover", "hand", "pass", "transfer", "reassign"))
_NAMING = frozenset(("rename", "rebrand", "retitle"))
_RISING = frozenset(("promote", "become", "demote"))


def is_changed(was: Told, now: Told) -> bool:
    """Whether what the older clause gives a value to has been given another.

    News that says what has ended is about that alone.
    """
    if was.has(Mark.DENIED) or now.has(Mark.DENIED):
        return False
    ended, became = news(now)
    if ended or not became:
        return False
    return any(_is_given(old, new) for old in holdings(was) for new in became)


def _is_given(old: Holding, new: Became) -> bool:
    if not new.value or old.value <= new.value or new.value <= old.value:
        return False
    if old.is_figure or new.is_figure or not _fits(old, new):
        return False
    if new.verb in _RISING and old.slot in (Slot.KIND, Slot.JOB, Slot.IS):
        return _is_another_job(old, new)
    if old.about.words and new.about.words:
        if old.tools & new.tools and old.about.words & new.about.words:
            return not is_apart(old.about, new.about.without(old.value))
        is_alike = bool(old.names) == bool(new.names) and old.slot not in _LOOSE
        return is_alike and is_same(*_compared(old.about, new), True, old.value)
    if old.tools & new.tools:
        return not (old.about.plain | new.about.plain)
    return not (old.about.words or new.about.words) and _is_of_a_person(old, new)


def _fits(old: Holding, new: Became) -> bool:
    """Whether such a change can give such a value."""
    if old.slot is Slot.USE and old.tools:
        return not old.tools.isdisjoint(new.tools)
    if old.slot is Slot.CHARGE:
        return new.verb in _HANDING or not new.about.words.isdisjoint(_ROLES)
    if old.slot is Slot.NAME:
        return new.verb in _NAMING or "name" in new.about.words
    return not (old.tools and new.tools and old.tools.isdisjoint(new.tools))


def _compared(about: Topic, new: Became) -> tuple[Topic, Topic]:
    """Both topics; who hands something over need not say as what."""
    if new.verb not in _HANDING:
        return about, new.about
    return about.without(_ROLES), new.about.without(_ROLES)


def _is_another_job(old: Holding, new: Became) -> bool:
    """`I was promoted to lead`."""
    return old.is_job and new.is_job and old.about.words == new.about.words


def _is_of_a_person(old: Holding, new: Became) -> bool:
    """`I moved to Bonn`, `I joined Acme`: of who speaks, by the verb alone."""
    if old.tools or new.tools or not old.names or not new.names:
        return False
    if new.verb in _MOVING:
        return old.slot is Slot.AT
    return new.verb == "join" and old.slot is Slot.WORK
