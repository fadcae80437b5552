"""What a newer clause says is over, or has been replaced by something else."""

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.news import Ended, news
from tacit.language.statements.succession.parts import Parts
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import (
    GENERIC_STEMS,
    PERSON_STEMS,
    Stems,
    content,
    names,
    topic,
)
from tacit.language.statements.succession.verbs import HOLDING, VERBS
from tacit.language.statements.succession.wording import Tokens, canonical

_HELD = HOLDING - word_set("know hate dislike visit review need require name call plan book") | {
    "be"
}
"""Verbs of what can be over."""

_ENDS = (
    ("sell trade ditch donate throw", "have own drive be use keep live reside"),
    (
        "leave quit resign",
        "work be employ live reside use host deploy run have study play base locate store rent"
        " drive teach write do cook",
    ),
    ("like love enjoy drink eat smoke prefer take", "like love enjoy drink eat smoke prefer take"),
    ("separate divorce", "be date have live"),
    (
        "move relocate",
        "live reside base locate be have rent work study use host deploy store keep run write build"
        " track manage send do make read",
    ),
    ("dismiss", "work be employ teach drive"),
    ("live", "live reside base locate be have rent"),
    ("work", "work employ be"),
)
_FITTING = {end: frozenset(held.split()) for ends, held in _ENDS for end in ends.split()}
_LEAVING = word_set("leave quit resign")
_SERVING = word_set("be work drive write play teach do cook coach")
_MOVING = frozenset(("move", "relocate"))
_LIKING = word_set("like love enjoy prefer support cover visit include")
_ANY = word_set("stop switch use drop cancel be")
_USUAL = word_set("""
    be have use run write build host deploy store keep base serve power develop code rely drive own
    learn study play subscribe pay track document log monitor edit send support test accept
    """)
_DOING = word_set("go do love like enjoy keep")
_TIMES = frozenset(("morn", "even", "night", "afternoon", "weekend", "regular", "often", "week"))
_CARRIERS = GENERIC_STEMS | frozenset(
    ("diet", "account", "subscript", "membership", "class", "lesson", "club", "plan", "contract")
)
"""Nouns that may be left out where what they are of is named."""

_CANCELLING = word_set("cancel scrap shelve kill axe drop die")
_ENDS_A_VALUE = word_set("for because with to of about during at in on by every")


def is_ended(was: Told, now: Told) -> bool:
    """Whether what the older clause says is there has ended by the newer one."""
    if was.has(Mark.DENIED) or was.parts is None:
        return False
    mentioned = content(now.tokens)
    return any(_ends(ended, was, was.parts, mentioned) for ended in news(now)[0])


def _ends(ended: Ended, was: Told, parts: Parts, mentioned: Stems) -> bool:
    subject = topic(parts.subject)
    if not ended.what:
        return False
    if ended.verb in _CANCELLING and ended.what == content(parts.subject):
        return True
    if ended.is_act:
        return subject.words == ended.who and _is_done(parts, ended.what)
    is_name = not ended.what.isdisjoint(names(was.tokens))
    if parts.verb not in _HELD and (parts.verb in VERBS or not is_name):
        return False
    if not _fits(ended.verb, parts.verb, is_name) or not _is_held(
        parts, ended.what, ended.verb in _LEAVING and parts.verb in _SERVING
    ):
        return False
    if ended.verb in _LEAVING and not (subject.words <= ended.who):
        return False
    return _is_of_the_same(ended, was, parts, mentioned) and _is_within(ended, was)


def _is_done(parts: Parts, what: Stems) -> bool:
    """Whether this is what is done; `running` is not `running a shop`."""
    if parts.verb in _DOING and what <= content(parts.rest):
        return True
    verb = canonical(parts.verb)
    if verb not in what or not what <= content(parts.rest) | {verb}:
        return False
    if parts.verb in ("smoke", "vape"):
        return True
    return content(token for token in parts.rest if token.figure is None) <= what | _TIMES


def _fits(end: str, held: str, is_name: bool) -> bool:
    """Whether what ends so was held so; what has a name may have been held in any way."""
    if held not in VERBS or (is_name and end in _LEAVING | _MOVING and held not in _LIKING):
        return True
    return held in _FITTING.get(end, _HELD if is_name or end in _ANY else _USUAL)


def _is_held(parts: Parts, what: Stems, is_left: bool) -> bool:
    """Whether this is what the clause says is there: one of its values, or the name in it."""
    if parts.verb == "use" and parts.is_passive:
        return what <= content(parts.subject)
    return any(_is_value(value, what) for value in _values(parts.rest, is_left))


def _values(rest: Tokens, is_left: bool) -> list[Tokens]:
    """The rest of a clause, cut at its prepositions; what is used for it only if one leaves it."""
    gone = next((place for place, token in enumerate(rest) if token.key == "insteadof"), len(rest))
    rest = rest[:gone]
    cuts = [place for place, token in enumerate(rest) if token.key in _ENDS_A_VALUE]
    starts, ends = [0, *(place + 1 for place in cuts)], [*cuts, len(rest)]
    pieces = [
        rest[start:end]
        for start, end in zip(starts, ends, strict=True)
        if is_left or not start or rest[start - 1].key != "for"
    ]
    whole = () if any(token.key == "for" for token in rest) else rest
    return [piece for piece in (*pieces, whole) if piece]


def _is_value(value: Tokens, what: Stems) -> bool:
    held = content(value)
    if not what <= held:
        return False
    if held - what <= _CARRIERS or not what.isdisjoint(names(value)):
        return True
    return any(token.figure is not None and token.figure.value in what for token in value)


def _is_of_the_same(ended: Ended, was: Told, parts: Parts, mentioned: Stems) -> bool:
    """Whether nobody else is meant."""
    subject = topic(parts.subject)
    if not ended.who <= content(was.tokens):
        return False
    others = subject.words & PERSON_STEMS
    if not parts.is_passive:
        others |= subject.names
    return others <= ended.who | ended.scope.words | mentioned


def _is_within(ended: Ended, was: Told) -> bool:
    """Whether it ended for all, or for what the older clause speaks of."""
    scope = ended.scope.plain - GENERIC_STEMS
    return not scope or not scope.isdisjoint(content(was.tokens))
