"""Whether a text tells of the past, by the forms of its verbs in seven languages.

A day in a clause in a past tense has been: "I got engaged on Sunday" means the last Sunday.
"""

import re
from collections.abc import Callable, Sequence

from tacit.language.languages import ENGLISH_WORDS, guess_language
from tacit.language.terms import split_words
from tacit.language.word_lists import load_word_lists

_WORDS = load_word_lists("past_tense.toml")
_CLAUSE_END = re.compile(
    r"(?<!\d)[,;:.!?]\s|[()]"
    r"|\s(?:and|but|so|that|because|und|aber|dass|weil|denn|et|mais|car|que|y|pero|porque|e|ma|che"
    r"|perché|mas|maar|omdat)\s",
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"\b(?:to|for|from|by|before|until|till|starting|auf|für|ab|bis|zum|vor|pour|au|dès"
    r"|partir d[eu]|para|al|hasta|entro|per|fino a|(?:spostat|rinviat|rimandat)[oaie] a|até|naar"
    r"|voor|tot|vanaf)(?: the| next| den| dem| le| la| el| il| ao?| o)?"
    r"(?: (?:end|start|beginning|middle) of| ende| anfang| mitte| fin| début"
    r"| (?:fin|final|finales|principios|mediados) de)? $",
    re.IGNORECASE,
)
"""What stands before a day that a past action aims at: "we moved it to Friday"."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SHORT_CLAUSE = 3
"""A clause of a day and so few words more has no verb of its own: "on Sunday, I …"."""


def tells_past(text: str) -> bool:
    """Whether the last verb of any clause of a text is in a past tense."""
    language = _guess_language(text)
    return any(_has_past(clause, language) for clause in _CLAUSE_END.split(text))


def is_past_day(text: str, start: int, end: int) -> bool:
    """Whether the day that is named at a place of a text has been, by the verb of its clause."""
    if _TARGET.search(text[max(0, start - 30) : start]):
        return False
    language = _guess_language(text)
    clauses = _split_clauses(text)
    place = next((at for at, (_, to) in enumerate(clauses) if start < to), None)
    if place is None:
        return False
    own = text[slice(*clauses[place])]
    has_past = _has_past(own, language)
    if has_past is not None:
        return has_past
    if len(_WORD.findall(own)) - len(_WORD.findall(text[start:end])) > _SHORT_CLAUSE:
        return False
    near = [*clauses[place + 1 : place + 2], *clauses[max(0, place - 1) : place]]
    decided = (_has_past(text[slice(*each)], language) for each in near)
    return next((each for each in decided if each is not None), False)


def _split_clauses(text: str) -> list[tuple[int, int]]:
    """Where each clause of a text begins and ends; "(!)", without words, is none."""
    ends = [found.end() for found in _CLAUSE_END.finditer(text)]
    found = zip([0, *ends], [*ends, len(text)], strict=True)
    return [each for each in found if _WORD.search(text, *each)]


def _guess_language(text: str) -> str | None:
    """The language of a text, or None if no small word tells it."""
    words = [word.text for word in split_words(text.casefold())]
    language = guess_language(words)
    is_told = language != "english" or not ENGLISH_WORDS.isdisjoint(words)
    return language if is_told else None


def _has_past(clause: str, language: str | None) -> bool | None:
    """Whether a clause is in a past tense; None if no form of a verb is known."""
    spelled = [each.replace("’", "'") for each in _WORD.findall(clause)]
    if language == "german":
        spelled = [each for at, each in enumerate(spelled) if at == 0 or each[0].islower()]
    words = [each.lower() for each in spelled]
    if not words:
        return None
    checks = [_CHECKS[each] for each in ([language] if language else _UNTOLD) if each in _CHECKS]
    return next((is_past for check in checks if (is_past := check(words)) is not None), None)


# English


_ENGLISH_PRESENT = _WORDS["english_present"]
_ENGLISH_PAST = _WORDS["english_past"]
_NO_PAST = _WORDS["english_other"]
_BEFORE_PARTICIPLE = _ENGLISH_PRESENT | _WORDS["english_before_participle"]
"""After these a form like "signed" or "built" is a participle: "send the signed contract"."""

_ALWAYS_FINITE = _WORDS["english_finite"]


def _is_english_past(words: Sequence[str]) -> bool | None:
    """By the last verb: "I was told the exam is on Friday" is not about the past."""
    is_past: bool | None = None
    for before, word in zip(["", *words], words, strict=False):
        if word in _ENGLISH_PRESENT:
            is_past = False
        elif word in _ALWAYS_FINITE or (
            _looks_past(word) and before not in _BEFORE_PARTICIPLE and not before.endswith("'s")
        ):
            is_past = True
    return is_past


def _looks_past(word: str) -> bool:
    is_regular = len(word) > 4 and word.endswith("ed") and word not in _NO_PAST
    return word in _ENGLISH_PAST or is_regular


# German


_GERMAN_HAVE = _WORDS["german_have"]
_GERMAN_BE = _WORDS["german_be"]
_GERMAN_PAST = _WORDS["german_past"]
_PARTICIPLE = re.compile(
    r"(?:\w{2,5})?ge\w{2,}(?:t|en)|\w{3,}iert|(?:ver|be|ent|er|zer|unter|über)\w{2,}(?:t|en)"
)
_MOVED = re.compile(
    r"\w*(?:gestorben|gegangen|gekommen|gefahren|geflogen|gezogen|gefallen|geworden|gewesen"
    r"|geblieben|geboren|gestürzt|gereist|gelaufen|passiert|geschehen|verschwunden)|worden"
)
_STATE = _WORDS["german_states"]
"""Participles that say how something is: "wir haben am Freitag geöffnet"."""


def _is_german_past(words: Sequence[str]) -> bool | None:
    if not _GERMAN_PAST.isdisjoint(words):
        return True
    participles = [
        word for word in words[-4:] if _PARTICIPLE.fullmatch(word) and word not in _STATE
    ]
    if not _GERMAN_HAVE.isdisjoint(words):
        return bool(participles)
    if not _GERMAN_BE.isdisjoint(words):
        return any(_MOVED.fullmatch(word) for word in words)
    return None


# French


_FRENCH_HAVE = _WORDS["french_have"]
_FRENCH_BE = _WORDS["french_be"]
_FRENCH_BETWEEN = _WORDS["french_between"]
_FRENCH_PARTICIPLE = re.compile(
    r"\w+ée?s?|\w{3,}i(?:e?s?)?|\w*(?:pris|mis|quis|dit|fait|écrit|duit|truit|crit)e?s?"
    r"|(?:\w*[^e\W]u|eu)e?s?|\w*(?:ouvert|offert|souffert)e?s?|morte?s?"
)
_FRENCH_NOUNS = _WORDS["french_nouns"]
_FRENCH_MOVED = re.compile(
    r"(?:né|mort|décédé|allé|venu|revenu|devenu|parti|reparti|arrivé|entré|rentré|sorti|tombé|monté"
    r"|descendu|resté|retourné|passé)e?s?"
)
_FRENCH_PAST = _WORDS["french_past"]


def _is_french_past(words: Sequence[str]) -> bool | None:
    if not _FRENCH_PAST.isdisjoint(words):
        return True
    for place, word in enumerate(words):
        following = [each for each in words[place + 1 : place + 4] if each not in _FRENCH_BETWEEN]
        participle = following[0] if following else ""
        if word in _FRENCH_HAVE:
            if _FRENCH_PARTICIPLE.fullmatch(participle) and participle not in _FRENCH_NOUNS:
                return True
        elif word in _FRENCH_BE and _is_done_with_be(words[:place], word, participle):
            return True
    return False if {*words} & (_FRENCH_HAVE | _FRENCH_BE) else None


def _is_done_with_be(before: Sequence[str], verb: str, participle: str) -> bool:
    """Whether "est" makes a past tense: of motion, or of what somebody does to themselves."""
    is_reflexive = verb == "s'est" or (before[-1:] and before[-1] in ("me", "te", "se", "nous"))
    if is_reflexive:
        return bool(_FRENCH_PARTICIPLE.fullmatch(participle))
    return bool(_FRENCH_MOVED.fullmatch(participle))


# Spanish


_SPANISH_HAVE = _WORDS["spanish_have"]
_SPANISH_PARTICIPLE = re.compile(
    r"\w{2,}[ai]do|\w*(?:hecho|dicho|visto|puesto|escrito|roto|muerto|vuelto|abierto)"
)
_SPANISH_IRREGULAR = _WORDS["spanish_past"]
_PRETERITE = re.compile(r"\w{2,}(?:é|í|ó|aron|ieron)")
_NO_PRETERITE = re.compile(
    r"café|bebé|josé|qué|porqué|puré|así|aquí|ahí|allí|estará|está|(?:\w*[aei]|\w+[dr])ré|iré"
)


def _is_spanish_past(words: Sequence[str]) -> bool | None:
    if not _SPANISH_IRREGULAR.isdisjoint(words):
        return True
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word in _SPANISH_HAVE and _SPANISH_PARTICIPLE.fullmatch(following):
            return True
        if _PRETERITE.fullmatch(word) and not _NO_PRETERITE.fullmatch(word):
            return True
    return None


# Italian


_ITALIAN_HAVE = _WORDS["italian_have"]
_ITALIAN_BE = _WORDS["italian_be"]
_ITALIAN_PAST = _WORDS["italian_past"]
_ITALIAN_PARTICIPLE = re.compile(
    r"\w{2,}[aiu]t[oaie]|\w*(?:fatt|dett|lett|scritt|rott|vist|pres|mess|pers|chius|apert|venut|nat)"
    r"[oaie]"
)
_ITALIAN_MOVED = re.compile(
    r"(?:nat|mort|andat|venut|arrivat|partit|uscit|entrat|tornat|rimast|cadut|diventat|passat|stat"
    r"|successo|sposat|trasferit|laureat)[oaie]?"
)


def _is_italian_past(words: Sequence[str]) -> bool | None:
    if not _ITALIAN_PAST.isdisjoint(words):
        return True
    for place, word in enumerate(words):
        following = words[place + 1 : place + 4]
        if word in _ITALIAN_HAVE and any(map(_ITALIAN_PARTICIPLE.fullmatch, following)):
            return True
        if word in _ITALIAN_BE and any(map(_ITALIAN_MOVED.fullmatch, following)):
            return True
    return False if {*words} & (_ITALIAN_HAVE | _ITALIAN_BE) else None


# Portuguese


_PORTUGUESE_PAST = _WORDS["portuguese_past"]
_PORTUGUESE_NO_PAST = _WORDS["portuguese_other"]
_PERFEITO = re.compile(r"\w{2,}(?:ei|ou|aram|eram|iram|eu|iu)|\w{3,}ava(?:m|mos)?")
_FUTURE = re.compile(r"\w*[aei]rei")


def _is_portuguese_past(words: Sequence[str]) -> bool | None:
    told = [word for word in words if word not in _PORTUGUESE_NO_PAST]
    is_past = not _PORTUGUESE_PAST.isdisjoint(words) or any(
        _PERFEITO.fullmatch(word) and not _FUTURE.fullmatch(word) for word in told
    )
    return True if is_past else None


# Dutch


_DUTCH_HAVE = _WORDS["dutch_have"]
_DUTCH_BE = _WORDS["dutch_be"]
_DUTCH_PAST = _WORDS["dutch_past"]
_DUTCH_STATE = _WORDS["dutch_states"]
_DUTCH_PARTICIPLE = re.compile(
    r"(?:\w{2,6})?ge\w{2,}(?:[dt]|en|aan|ien)|(?:ver|be|ont|her|er)\w{2,}(?:[dt]|en)"
)


def _is_dutch_past(words: Sequence[str]) -> bool | None:
    if not _DUTCH_PAST.isdisjoint(words):
        return True
    has_participle = any(
        _DUTCH_PARTICIPLE.fullmatch(word) and word not in _DUTCH_STATE for word in words[1:]
    )
    if not (_DUTCH_HAVE | _DUTCH_BE).isdisjoint(words):
        return has_participle
    return None


_CHECKS: dict[str, Callable[[Sequence[str]], bool | None]] = {
    "english": _is_english_past,
    "german": _is_german_past,
    "french": _is_french_past,
    "spanish": _is_spanish_past,
    "italian": _is_italian_past,
    "portuguese": _is_portuguese_past,
    "dutch": _is_dutch_past,
}
_UNTOLD = ("english", "german", "french", "spanish")
"""In which a clause is read that no small word tells the language of."""
