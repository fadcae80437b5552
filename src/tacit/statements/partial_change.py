"""Changes that leave a part of an earlier statement standing, whatever a model makes of them.

"We stopped doing Genesis" leaves Trek of "we stock Trek and Genesis"; "half an hour later" says
nothing without the time that it moves; what begins in May does not hold before; and "I'm drinking
coffee right now" is not what somebody likes.
"""

import re
from functools import lru_cache

from tacit.language.calendar import MONTHS, NUMBERS, UNITS, any_of
from tacit.language.languages import FUNCTION_WORDS
from tacit.language.terms import stem_in_all_languages

_LONGEST = 1_000
"""So many characters of a text are read."""

_KEPT = 4_096


def leaves_part_standing(old: str, new: str) -> bool:
    """Whether a later text, if it changes an earlier one, changes only a part of it."""
    read = new[:_LONGEST]
    return (
        names_another_of_several(old, read)
        or changes_by_amount(read)
        or begins_later(read)
        or is_of_moment(read)
        or names_some(old[:_LONGEST], read)
    )


# Things of which one has several: "I use a Mac now" says nothing of "I use Vim"


_SEVERAL = re.compile(
    r"(?:also |and |btw |so |now )?(?:i|we|ich|wir|je |j'|nous|yo)? ?"
    r"(?:also |now |auch |jetzt |aussi )?"
    r"(?:use|own|have|like|love|know|play|speak|read|watch|utilise|(?<=j')ai|aime|parle|joue"
    r"|nutze|benutze|verwende|habe|mag|liebe|kenne|spiele|spreche|uso|tengo|juego|hablo|conozco)"
    r" (?P<object>.{1,60})",
    re.IGNORECASE,
)


def names_another_of_several(old: str, new: str) -> bool:
    """Whether both only say what somebody uses, has or likes, and it is not the same kind of thing.

    What is used for the same purpose is named with it ("Vim for Python"), or by the same word.
    """
    both = [_SEVERAL.fullmatch(text[:_LONGEST].strip(" .!")) for text in (old, new)]
    if not all(both):
        return False
    ours, theirs = (_stems(found["object"]) for found in both if found)
    return bool(ours and theirs) and ours.isdisjoint(theirs)


# Amounts: a change that is told by its size


_COUNT = rf"(?:half|halbe|media|demi|eine?n?|\d+|{any_of(NUMBERS)})"
_TIME = rf"(?:hours?|minutes?|mins?|stunden?|minuten?|heures?|horas?|minutos?|{any_of(UNITS)})"
_SIZE = rf"(?:{_COUNT}[ -]){{1,3}}{_TIME}"
_AMOUNTS = re.compile(
    r"(?<!\w)(?:"
    rf"{_SIZE} (?:later|earlier|sooner|longer|shorter|back|forward|später|früher|länger|kürzer)"
    rf"|{_SIZE} (?:plus (?:tard|tôt)|más (?:tarde|temprano|pronto)|antes|después)"
    rf"|(?:back|forward) {_SIZE}"
    rf"|(?:went|goes?|gone|is|are|'s) (?:up|down) by "
    rf"|um {_SIZE} (?:verschoben|vorgezogen|verlängert|verkürzt)"
    r"|um \d+(?:[.,]\d+)? ?\S* (?:gestiegen|gesunken|erhöht|gesenkt|teurer|billiger)"
    r"|(?:augmenté|baissé|reculé|avancé|repoussée?s?|décalée?s?) (?:de |d')"
    r"|(?:subido|bajado|aumentado|retrasado|aplazado|adelantado) (?:en )?(?:\d|una? )"
    r")",
    re.IGNORECASE,
)


def changes_by_amount(text: str) -> bool:
    """Whether a text tells how much something changes, and not what it is now."""
    return _AMOUNTS.search(text) is not None


# Beginnings: a change that is still to come


_MONTH = any_of(MONTHS)
_PERIOD = r"(?:month|year|term|semester|season|monat|jahr|quartal|mois|année|mes|año|curso)"
_BEGINNINGS = re.compile(
    r"(?<!\w)(?:from|starting(?: from)?|as of|effective|ab|à partir d[eu]|dès|a partir del?)"
    r" (?:the |le |el |dem )?(?:"
    rf"(?:next|nächste[rnms]?|kommende[rnms]?) {_PERIOD}|(?:{_PERIOD} (?:prochaine?|que viene))"
    rf"|(?:\d{{1,2}}(?:st|nd|rd|th|er|\.)? (?:of |de )?)?(?:{_MONTH})"
    r")(?!\w)(?! (?:to|till|until|through|bis|à|a)(?!\w))",
    re.IGNORECASE,
)
"""What begins tomorrow or on Monday is told as good as done; what begins in a month is not."""


def begins_later(text: str) -> bool:
    """Whether what a text states holds from a day on that is still to come."""
    return _BEGINNINGS.search(text) is not None


# Moments: what will soon be as it was


_MOMENTS = re.compile(
    r"(?<!\w)(?:right now|just now|at the moment|for (?:now|today|once)|just (?:today|this once)"
    r"|im moment|gerade eben|vorerst|ausnahmsweise|nur heute|en ce moment|pour l'instant"
    r"|exceptionnellement|juste aujourd'hui|ahora mismo|de momento|por ahora|s[oó]lo hoy)(?!\w)",
    re.IGNORECASE,
)


def is_of_moment(text: str) -> bool:
    """Whether what a text states holds for the moment, and nothing more is said of it."""
    return _MOMENTS.search(text) is not None


# Lists: one of several things that are named together


_AND = r"(?:and|und|et|y|&|\+)"
_WORD = r"[^\W_][\w'’.-]*"
_LISTS = re.compile(
    rf"(?P<items>{_WORD}(?:, (?:\w{{1,3}} )?{_WORD})*),? {_AND} (?P<last>(?:{_WORD} ?){{1,4}})",
    re.IGNORECASE,
)
_WORDS = re.compile(_WORD)


def names_some(old: str, new: str) -> bool:
    """Whether a later text names some of the things that an earlier one lists, and not all."""
    told = _stems(new)
    restated = [each for items in _find_lists(new) for each in items]
    for items in _find_lists(old):
        named = [item for item in items if not told.isdisjoint(item)]
        # named in a list again, that is the list as it is now
        is_restated = any(not item.isdisjoint(each) for each in restated for item in named)
        if named and len(named) < len(items) and not is_restated:
            return True
    return False


@lru_cache(maxsize=_KEPT)
def _find_lists(text: str) -> tuple[tuple[frozenset[str], ...], ...]:
    """The stems of the things of each list in a text: of the word before "and", and after it."""
    found = []
    for match in _LISTS.finditer(text):
        items = [_stems(word[0]) for word in _WORDS.finditer(match["items"])]
        last = next(
            (stems for word in _WORDS.finditer(match["last"]) if (stems := _stems(word[0]))),
            frozenset(),
        )
        whole = [item for item in (*items, last) if item]
        if len(whole) > 1:
            found.append(tuple(whole))
    return tuple(found)


@lru_cache(maxsize=_KEPT)
def _stems(text: str) -> frozenset[str]:
    """The stems of the words of a text that say something."""
    words = {word[0].casefold().strip(".'’-") for word in _WORDS.finditer(text)}
    words |= {word.removesuffix("'s").removesuffix("’s") for word in words}
    told = words - FUNCTION_WORDS
    return frozenset(stem for word in told if word for stem in stem_in_all_languages(word))
