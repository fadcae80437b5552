"""Where the clauses of a sentence begin, and which of them are statements of their own."""

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.lexicon import DENIALS
from tacit.language.statements.succession.parts import PRONOUNS, is_verb
from tacit.language.statements.succession.wording import Token, Tokens

_COORDINATING = word_set("and but so then yet")
_SUBORDINATING = word_set("because although though since as which who while whereas")
_LEADING = word_set("in on at for with during after before from under within per")
_FAR = 6


def pieces(sentence: Tokens) -> list[tuple[Tokens, bool]]:
    """The pieces of a sentence, and whether each is a statement of its own."""
    found: list[tuple[Tokens, bool]] = []
    start, is_own = 0, True
    for place in range(1, len(sentence)):
        opening = _opening(sentence, start, place)
        if opening is not None:
            found.append((sentence[start:place], is_own))
            start, is_own = place + (sentence[place].key in _COORDINATING), opening
    found.append((sentence[start:], is_own))
    return _with_leads(found)


def _opening(sentence: Tokens, start: int, place: int) -> bool | None:
    """Whether the clause that begins here stands alone; None where none begins."""
    if place <= start or place + 1 >= len(sentence):
        return None
    token, before, after = sentence[place], sentence[place - 1], sentence[place + 1 :]
    if token.key in _COORDINATING:
        if before.pauses or _begins(after, sentence[start:place]):
            return True
        return None
    if token.key in _SUBORDINATING:
        if token.key in ("which", "who") and not before.pauses:
            return None
        if token.key in ("since", "as") and not _has_own_subject(after):
            return None
        return False
    return False if before.pauses and _begins_after_a_comma(sentence, start, place) else None


def _begins_after_a_comma(sentence: Tokens, start: int, place: int) -> bool:
    """A name may have commas too: `Acme, Inc. is in Bonn`."""
    if sentence[place].key in PRONOUNS or _is_lead(sentence[start]):
        return True
    rest = sentence[place:]
    end = next((spot for spot, token in enumerate(rest) if token.pauses), len(rest))
    has_verb = any(is_verb(token) or token.key.endswith("ed") for token in sentence[start:place])
    return has_verb and (any(map(is_verb, rest[: end + 1])) or rest[0].key in DENIALS)


def _is_lead(token: Token) -> bool:
    return token.key in _LEADING


def _begins(after: Tokens, before: Tokens) -> bool:
    """Whether a clause begins after `and`."""
    if after[0].key in PRONOUNS:
        return True
    has_verb = any(is_verb(token) or token.key.endswith("ed") for token in before)
    return has_verb and (is_verb(after[0]) or _has_own_subject(after))


def _has_own_subject(tokens: Tokens) -> bool:
    for place, token in enumerate(tokens[:_FAR]):
        if is_verb(token) and place > 0:
            return True
        if token.pauses:
            return False
    return False


def _with_leads(found: list[tuple[Tokens, bool]]) -> list[tuple[Tokens, bool]]:
    """A leading `In staging,` belongs to what follows it."""
    first = found[0][0]
    if len(found) > 1 and first and _is_lead(first[0]) and not any(map(is_verb, first)):
        return [((*found[1][0], *first), True), *found[2:]]
    return [piece for piece in found if piece[0]]
