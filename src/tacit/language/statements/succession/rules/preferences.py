"""Of what competes, something else is preferred."""

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.domains import CHOICES, DOMAINS
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.parts import LINKS
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import Stems, content, tools, topic
from tacit.language.statements.succession.wording import Token, Tokens
from tacit.language.statements.vocabulary import ANTONYMS

_PREFERRING = word_set("prefer want like love enjoy")
_MODIFIED = 2
_NONE: Stems = frozenset()


def has_another_preference(was: Told, now: Told) -> bool:
    """Whether both prefer one of the same kind of thing, and not the same one."""
    old, new = was.parts, now.parts
    if old is None or new is None or was.has(Mark.DENIED) or now.has(Mark.DENIED):
        return False
    is_rule = old.verb == new.verb == "use" and not new.subject
    if not is_rule and (new.verb not in ("prefer", "want") or old.verb not in _PREFERRING):
        return False
    if topic(old.subject).words != topic(new.subject).words:
        return False
    lost, added = _without(old.rest, new.rest), _without(new.rest, old.rest)
    if not lost or not added:
        return False
    return _compete(lost, added) or (old.verb == "prefer" and _have_one_head(old.rest, new.rest))


def _without(tokens: Tokens, others: Tokens) -> Tokens:
    known = content(others)
    return tuple(token for token in tokens if token.stem in content((token,)) - known)


def _compete(lost: Tokens, added: Tokens) -> bool:
    """Whether what was left out and what came are two of a kind."""
    choices = {_choice(token) for token in (*lost, *added)}
    if len(choices) == 1 and choices != {""}:
        return True
    if len(lost) != 1 or len(added) != 1:
        return False
    return not tools(lost).isdisjoint(tools(added)) or other_end(lost[0], added[0])


def _choice(token: Token) -> str:
    return CHOICES.get(token.stem, "")


def other_end(one: Token, other: Token) -> bool:
    """Whether two words are opposites."""
    return other.key in ANTONYMS.get(one.key, _NONE)


def _have_one_head(old: Tokens, new: Tokens) -> bool:
    """`window seats` and `aisle seats`: the same noun, told apart by the words before it."""
    (one, more), (other, rest) = _phrase(old), _phrase(new)
    if content(more) != content(rest) or not one or not other or one[-1].stem != other[-1].stem:
        return False
    is_short = len(one) == len(other) == _MODIFIED
    return is_short or _are_of_one_domain(_without(one, other), _without(other, one))


def _are_of_one_domain(lost: Tokens, added: Tokens) -> bool:
    return any(
        one.key in DOMAINS and DOMAINS[one.key][0] == DOMAINS.get(other.key, ("",))[0]
        for one in lost
        for other in added
    )


def _phrase(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """The words up to the first preposition, and those after it."""
    cut = next((place for place, token in enumerate(tokens) if token.key in LINKS), len(tokens))
    said = tuple(token for token in tokens[:cut] if content((token,)))
    return said, tokens[cut:]
