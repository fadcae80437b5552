"""What a message refers to: the conversation before it, or what is the speaker's own.

"And the other one?", "why that instead of sessions?" and "did we lose anything?" take their subject
from the conversation: they are follow-ups. A question that names its subject stands by itself, and
so does every command: "make it shorter" is about a reply that is in view.
"""

import tomllib
from importlib.resources import files
from itertools import pairwise

from tacit.language.sentences import is_question
from tacit.language.terms import STOP_WORDS, guess_language

_TABLE = tomllib.loads((files(__package__) / "references.toml").read_text("utf-8"))


def _read_words(name: str) -> frozenset[str]:
    return frozenset(_TABLE[name].split())


_POINTERS = _read_words("pointers")
_CONTINUATIONS = _read_words("continuations")
_INTERJECTIONS = _read_words("interjections")
_INTERROGATIVES = _read_words("interrogatives")
_SPEAKERS = _read_words("speakers")
_ADDRESSEES = _read_words("addressees")
_KNOWING = _read_words("knowing")
_DETERMINERS = _read_words("determiners")
_INDEFINITES = _read_words("indefinites")
_TIMES = _read_words("times")
_OWN = _read_words("own")
_REPLIES = _read_words("replies")
_SELF = _read_words("self")
_RULES = _read_words("rules")
_FILLERS = _read_words("fillers")
_OTHERS = _read_words("others")
_FOOD = _read_words("food")
_SMALL = (
    STOP_WORDS
    | _POINTERS
    | _CONTINUATIONS
    | _INTERJECTIONS
    | _INTERROGATIVES
    | _SPEAKERS
    | _ADDRESSEES
    | _KNOWING
    | _DETERMINERS
    | _INDEFINITES
    | _FILLERS
)
_OPENERS = tuple(
    tuple(phrase.split())
    for line in _TABLE["openers"].strip().splitlines()
    for phrase in line.split("|")
)
_PLURAL = frozenset({"they", "them", "their", "theirs"})
_COUNTED = frozenset({"one", "ones"})
_GERMAN_ARTICLES = frozenset({"der", "die", "das", "den", "dem"})
_IMPERATIVES = frozenset({"do", "have"})

_MAX_WORDS = 14
_MAX_SUBJECTS = 4
"""A question with more words of its own says what it is about."""

_LEAST_OF_REQUEST = 3
_LONGEST_EXCLAMATION = 5
_EXCLAMATIONS = (("what", "a"), ("was", "für"), ("quel",), ("quelle",), ("qué",), ("какой",))
_HOW = frozenset({"how", "wie", "comment", "cómo", "как"})
_MOST_READ = 800
_PUNCTUATION = '.,;:!?¿¡…"()[]“”„«»'


def is_follow_up(text: str) -> bool:
    """Whether a message asks for something that only the exchanges before it name."""
    parts = text[:_MOST_READ].split()
    spoken = [word for each in parts if (word := each.strip(_PUNCTUATION))]
    words = _split_contractions(spoken)
    own = _drop_interjections(words)
    if not own or len(spoken) > _MAX_WORDS or not _asks(text, own):
        return False
    if not _ADDRESSEES.isdisjoint(own) and _KNOWING.isdisjoint(own):
        return False
    subjects = [word for word in own if word not in _SMALL]
    if len(subjects) > _MAX_SUBJECTS or (len(subjects) > 1 and _has_name(spoken)):
        return False
    return _goes_on(own) or _points_back(own) or _names_nothing(own, subjects)


def is_about_reply(text: str) -> bool:
    """Whether a message is about the last reply or the conversation, and names nothing else.

    "Make it shorter", "one more time but in a table", "can you summarise what you just said?"
    """
    words = _split_words(text)
    if len(words) > _MAX_WORDS or not _OWN.isdisjoint(words) or not _KNOWING.isdisjoint(words):
        return False
    if is_question(text) and not _SPEAKERS.isdisjoint(words):  # "what do I have to do next?"
        return False
    about = [word in _REPLIES or word in _POINTERS or word in _ADDRESSEES for word in words]
    return any(about) and all(
        is_about or word in _SMALL or word in _TIMES
        for word, is_about in zip(words, about, strict=True)
    )


def states_rule(text: str) -> bool:
    """Whether a text says what is always or never to be done: "don't autogenerate them"."""
    return not _RULES.isdisjoint(_split_words(text))


def asks_for_something(text: str) -> bool:
    """Whether a message asks a question or wants something done, and says of what.

    "Brb, lunch" and "drop the emoji" want nothing that one has to know much for.
    """
    words = _split_words(text)
    subjects = [word for word in words if word not in _SMALL and word not in _REPLIES | _TIMES]
    if not is_question(text) and (not words or words[0] not in _INTERROGATIVES):
        return len(subjects) >= _LEAST_OF_REQUEST
    is_to_assistant = not _ADDRESSEES.isdisjoint(words) and _KNOWING.isdisjoint(words)
    return len(subjects) > is_to_assistant


def is_exclamation(text: str) -> bool:
    """Whether a message only exclaims something: "what a week", "was für ein Tag"."""
    words = _split_words(text)
    begins = any(tuple(words[: len(each)]) == each for each in _EXCLAMATIONS)
    return begins and len(words) <= _LONGEST_EXCLAMATION and not is_question(text)


def speaks_of_food(text: str) -> bool:
    """Whether a text is about what is eaten or drunk."""
    return not _FOOD.isdisjoint(_split_words(text))


def speaks_of_own(text: str) -> bool:
    """Whether a message speaks of what is the speaker's: "our database", "do we", "my sister"."""
    return not _OWN.isdisjoint(_split_words(text))


def speaks_of_self(text: str) -> bool:
    """Whether a text speaks of one person, the speaker: "no nuts for me", "my living room"."""
    words = _split_words(text)
    return any(
        word in _SELF and (_is_own_at(words, place) or _is_speaker_at(words, place))
        for place, word in enumerate(words)
    )


def speaks_for_self(text: str) -> bool:
    """Whether the speaker is concerned: "can I", "write me"; "how do I" asks what anybody would."""
    words = _split_words(text)
    return any(
        _is_own_at(words, place) or _is_speaker_at(words, place) for place in range(len(words))
    )


def _is_own_at(words: list[str], place: int) -> bool:
    """Whether the word at a place says that something is the speaker's; "my sister" is somebody."""
    following = words[place + 1] if place + 1 < len(words) else ""
    return words[place] in _OWN and following not in _OTHERS


def _is_speaker_at(words: list[str], place: int) -> bool:
    return words[place] in _SPEAKERS and (place < 2 or words[place - 2] not in _HOW)


def _split_words(text: str) -> list[str]:
    words = [each.strip(_PUNCTUATION) for each in text[:_MOST_READ].split()]
    return _split_contractions([word for word in words if word])


def _split_contractions(words: list[str]) -> list[str]:
    """Words in lower case; "what's" and "l'été" are two."""
    folded = [word.casefold().replace("’", "'") for word in words]
    parts = [part for word in folded for part in word.replace("'", "' ").split()]
    return [part if len(part) <= 2 else part.rstrip("'") for part in parts if part != "s"]


def _drop_interjections(words: list[str]) -> list[str]:
    start = 0
    while start < len(words) and words[start] in _INTERJECTIONS:
        start += 1
    return words[start:]


def _asks(text: str, words: list[str]) -> bool:
    """Whether it is a question, with its mark or without; or a fragment such as "and the other"."""
    following = words[1] if len(words) > 1 else ""
    is_command = words[0] in _IMPERATIVES and following in _POINTERS
    if is_question(text) or (words[0] in _INTERROGATIVES and not is_command):
        return True
    opener = _find_opener(words)
    rest = words[opener:]
    return bool(opener and rest) and (rest[0] in _DETERMINERS or rest[0] in _INTERROGATIVES)


def _find_opener(words: list[str]) -> int:
    """How many words the message begins with that continue what was said."""
    return max((len(each) for each in _OPENERS if tuple(words[: len(each)]) == each), default=0)


def _goes_on(words: list[str]) -> bool:
    return _find_opener(words) > 0


def _points_back(words: list[str]) -> bool:
    """Whether a word stands for something that is not named before it in the message."""
    for place, word in enumerate(words):
        if _is_pointer(words, place):
            before = words[: place - 1] if word in _COUNTED else words[:place]
            has_plural = word in _PLURAL and any(map(_is_plural, before))
            return not has_plural and not _names_something(before)
    return False


def _is_pointer(words: list[str], place: int) -> bool:
    """Whether the word at a place points at something: "die" does alone, not in "die Katze"."""
    word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
    if word in _GERMAN_ARTICLES:
        return following in _SMALL or not following
    return word in _POINTERS and following not in _TIMES


def _is_plural(word: str) -> bool:
    return word not in _SMALL and word.endswith("s")


def _names_something(words: list[str]) -> bool:
    """Whether a word that says something comes after a determiner."""
    return any(
        one in _DETERMINERS and other not in _SMALL and other not in _TIMES
        for one, other in pairwise(words)
    )


def _names_nothing(words: list[str], subjects: list[str]) -> bool:
    """Whether a question says next to nothing: no more than a verb, and who does it."""
    if not subjects:
        return True
    reasons = [not _SPEAKERS.isdisjoint(words), not _CONTINUATIONS.isdisjoint(words)]
    return len(subjects) <= sum(reasons) and not _names_something(words)


def _has_name(words: list[str]) -> bool:
    """Whether a word is capitalised like a name; in German every noun is."""
    if guess_language(word.casefold() for word in words) == "german":
        return False
    return any(word[:1].isupper() and len(word) > 1 and word != "I" for word in words[1:])
