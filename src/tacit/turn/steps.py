"""The rules of a turn, in their order: each looks at the course and gives a new one.

A new rule is a function here, or in a module of its own, and a line in STEPS.
"""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from tacit.core.memory.kinds import LEARNED_BY, QUOTE, Actor, MemoryType, Scope, Trust
from tacit.core.memory.record import Memory
from tacit.core.messages.parts import text_of
from tacit.core.messages.speaker import is_human
from tacit.core.receipt.candidate import NOTHING_RELEVANT, SAID, SHOWN_BY_HOST, Fate, Found
from tacit.language.history.transcript import transcript
from tacit.language.summary.sentences import sentences
from tacit.search.selection.duplicates import Known, duplicates
from tacit.search.selection.wording import wording_hash
from tacit.turn.budget import Limits, Offer, fit
from tacit.turn.course import Course, Step, Weighed
from tacit.turn.render.line import Line, Section
from tacit.turn.request_kind import ADMITTED, RequestKind
from tacit.turn.rivalry import admit_rivals, settle_conflicts
from tacit.turn.shown import is_shown, is_stated

FLOOR_SHARE = 0.25
"""Once the best hit is relevant, the others need this share of its score."""

OWN_SHARE = 0.1
"""And this share of the floor by themselves, unless what stands around them speaks for them."""

_AROUND = ("neighbours", "session", "graph")

_MARKS = re.compile(r"[\W_]+")


def admit_trusted(course: Course) -> Course:
    """Words of strangers stay out unless they are asked for."""
    if course.settings.inject_untrusted:
        return course
    return course.each(
        lambda each: each.ended(Fate.UNTRUSTED) if each.memory.trust is Trust.UNTRUSTED else each
    )


def admit_confident(course: Course) -> Course:
    """What is not sure enough stays out; a request of no kind asks for surer facts."""

    def decide(each: Weighed) -> Weighed:
        least = course.settings.memory_confidence_threshold
        if each.found is Found.FACT and course.kind is RequestKind.GENERAL:
            least = max(least, course.settings.general_min_confidence)
        return each.ended(Fate.LOW_CONFIDENCE) if each.memory.confidence < least else each

    return course.each(decide)


def admit_important(course: Course) -> Course:
    """What is not important enough stays out; what is pinned is wanted as it is."""
    least = course.settings.min_importance
    return course.each(
        lambda each: (
            each.ended(Fate.BELOW_IMPORTANCE)
            if each.found is not Found.PINNED and each.memory.importance < least
            else each
        )
    )


def admit_types(course: Course) -> Course:
    """Facts must be of a type that suits the kind of request; hits are judged by relevance."""
    admitted = ADMITTED[course.kind]
    return course.each(
        lambda each: (
            each.ended(Fate.IRRELEVANT_TYPE, note=str(course.kind))
            if each.found is Found.FACT and each.memory.type not in admitted
            else each
        )
    )


def admit_relevant(course: Course) -> Course:
    """The best hit must be relevant at all, and the others must not fall far behind it."""
    hits = [each for each in course.weighed if each.found is Found.CONTEXTUAL]
    best = max((each.relevance for each in hits), default=0.0)
    least = FLOOR_SHARE * max((each.score for each in hits), default=0.0)
    floor = course.settings.contextual_min_score

    def decide(each: Weighed) -> Weighed:
        if each.found is not Found.CONTEXTUAL:
            return each
        if best < floor:
            return each.ended(Fate.BELOW_FLOOR, note=each.note or NOTHING_RELEVANT)
        is_near = each.score >= least and (
            each.relevance >= OWN_SHARE * floor or _is_spoken_for(each)
        )
        return each if is_near or each.relevance >= floor else each.ended(Fate.BELOW_FLOOR)

    return course.each(decide)


def _is_spoken_for(each: Weighed) -> bool:
    """Whether what was said around a memory, or is linked to it, is evidence for it."""
    return any(each.signals.get(name, 0.0) > 0 for name in _AROUND)


def drop_spoken(course: Course) -> Course:
    """What was learned in this very session is not shown to it while its words are in view.

    Where a prompt shows a part of the conversation, nothing is shown that a person states there; a
    fact with a key is, since its value says little without it.
    """
    stated = _stated_in(course.visible or ())

    def decide(each: Weighed) -> Weighed:
        is_learned = _is_learned_here(each.memory, course) and _is_in_view(each.memory, course)
        is_spoken = is_learned or (
            each.memory.key is None and is_stated(each.memory.content, stated)
        )
        return each.ended(Fate.SEEN_IN_WINDOW, note=SAID) if is_spoken else each

    return course.each(decide)


def _is_learned_here(memory: Memory, course: Course) -> bool:
    return memory.origin.session == course.session and LEARNED_BY in memory.metadata


def _is_in_view(memory: Memory, course: Course) -> bool:
    """Whether the words of a memory are still there; a host keeps all until it begins anew."""
    if course.is_host_kept:
        return course.since is None or memory.created_at > course.since
    return _is_said(memory, course.said if course.visible is None else course.visible)


def _stated_in(messages: Sequence[object]) -> list[str]:
    """What people state in messages, sentence by sentence; what they ask is no statement."""
    own = [message for message in messages if is_human(message)]
    return [each.text for each in sentences(transcript(own, {})) if not each.asks]


def drop_shown(course: Course) -> Course:
    """What the host shows by itself is not shown again, but for what has to hold.

    What a host shows may be a file of the folder that one works in, which anybody can have written:
    what is said twice costs little, and what was left out binds nobody.
    """
    return course.each(
        lambda each: (
            each.ended(Fate.SEEN_IN_WINDOW, note=SHOWN_BY_HOST)
            if not _has_to_hold(each) and is_shown(each.memory.content, course.shown)
            else each
        )
    )


def _has_to_hold(weighed: Weighed) -> bool:
    """Whether somebody wants a memory to be kept to: a constraint, a pin, a person's preference."""
    memory = weighed.memory
    if memory.pinned or weighed.found is Found.PINNED or memory.type is MemoryType.CONSTRAINT:
        return True
    is_own = memory.explicit and memory.source is Actor.USER
    return is_own and memory.type is MemoryType.PREFERENCE


def _is_said(memory: Memory, history: Iterable[object]) -> bool:
    """Whether somebody's message in a history has the words that a memory was learned from."""
    words = _plain(str(memory.metadata.get(QUOTE) or memory.content))
    return any(words in _plain(text_of(message)) for message in history if is_human(message))


def _plain(text: str) -> str:
    return _MARKS.sub(" ", text.casefold()).strip()


def drop_duplicates(course: Course) -> Course:
    """What the model has in view, in these words or in others, is not shown again."""
    known = [
        Known(entry.memory, entry.content_hash, course.seen.get(entry.memory))
        for entry in course.in_view
    ]
    standing = course.open
    fates = duplicates(
        [each.memory for each in standing],
        known,
        course.vectors,
        course.settings.semantic_threshold,
    )
    shown = {(each.id, each.wording) for each in known}
    shown_ids = {each.id for each in known} - {
        each.memory.id for each, fate in zip(standing, fates, strict=True) if fate is None
    }
    decided = {
        id(each): each if fate is None else _repeating(each, *fate, shown, shown_ids)
        for each, fate in zip(standing, fates, strict=True)
    }
    return replace(course, weighed=tuple(decided.get(id(each), each) for each in course.weighed))


def _repeating(
    each: Weighed, fate: Fate, by: str, shown: Set[tuple[str, bytes]], shown_ids: Set[str]
) -> Weighed:
    """A duplicate with its fate, and whether it repeats an earlier turn or only this batch.

    The words that an earlier turn showed of a memory may not be those that this batch shows of it.
    """
    is_repeat = by in shown_ids or (by, wording_hash(each.memory.content)) in shown
    other = None if by == each.memory.id else by
    return replace(each.ended(fate, other), is_repeat=is_repeat)


def limit_each_source(course: Course) -> Course:
    """At most so many facts, by scope, and so many hits, by score; what people said first."""
    left = {
        Found.PINNED: course.settings.max_total,
        Found.FACT: course.settings.fact_limit,
        Found.CONTEXTUAL: course.settings.search_limit,
    }

    kept = set()
    for each in _trusted_first(course.open):
        left[each.found] -= 1
        if left[each.found] >= 0:
            kept.add(id(each))
    return course.each(lambda each: each if id(each) in kept else each.ended(Fate.OVER_SLOTS))


def fit_budget(course: Course) -> Course:
    """What the block has room for: pinned first, then facts, then hits.

    All that people said comes before what others did, so that these take no room while a person's
    words wait.
    """
    settings = course.settings
    limits = Limits(
        slots=settings.max_total,
        tokens=settings.max_tokens,
        characters=settings.memory_context_max_chars,
    )
    offers = [
        Offer(Line(each.memory, each.conflict), _section(each))
        for each in _trusted_first(_by_priority(course))
    ]
    fitted = fit(offers, limits, read_only_marker=settings.memory_read_only_marker)

    def decide(each: Weighed) -> Weighed:
        refusal = fitted.refused.get(each.memory.id)
        return each if refusal is None else each.ended(Fate(refusal))

    return replace(
        course.each(decide),
        sections=fitted.sections,
        tokens=fitted.tokens,
        characters=fitted.characters,
    )


def _trusted_first(weighed: Iterable[Weighed]) -> list[Weighed]:
    """What people stand behind, then the rest, each in its order."""
    return sorted(weighed, key=lambda each: each.memory.trust is not Trust.TRUSTED)


def _by_priority(course: Course) -> list[Weighed]:
    standing = course.open
    facts = [each for each in standing if each.found is Found.FACT]
    others = [each for each in standing if each.found is not Found.FACT]
    pinned = [each for each in others if each.found is Found.PINNED]
    hits = [each for each in others if each.found is Found.CONTEXTUAL]
    places = {scope: place for place, scope in enumerate(course.settings.memory_scope_priority)}

    def place(each: Weighed) -> tuple[int, str, str]:
        scope = places.get(Scope(each.memory.scope), len(places))
        return scope, each.memory.key or "", each.memory.id

    return [*pinned, *sorted(facts, key=place), *hits]


def _section(each: Weighed) -> Section:
    """The frame is for current facts that can be trusted; others stand among the hits."""
    if each.found is Found.PINNED:
        return Section.PINNED
    if each.found is Found.FACT and each.memory.trust is Trust.TRUSTED:
        return Section.FACTS
    return Section.RELEVANT


STEPS: tuple[Step, ...] = (
    admit_trusted,
    admit_confident,
    admit_important,
    admit_types,
    admit_relevant,
    admit_rivals,
    settle_conflicts,
    drop_spoken,
    drop_shown,
    drop_duplicates,
    limit_each_source,
    fit_budget,
)


def decide(course: Course) -> Course:
    """The course after every step."""
    for step in STEPS:
        course = step(course)
    return course
