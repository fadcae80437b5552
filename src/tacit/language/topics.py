"""What a text speaks of: the speaker, what is theirs, food, a rule, or all projects."""

import re
from collections.abc import Sequence

from tacit.language.languages import SPEAKERS, choose_lists, guess_languages
from tacit.language.word_lists import load_word_lists, split_words

_LISTS = load_word_lists("topics.toml")
_OWN = _LISTS["own"]
_SELF = _LISTS["self"]
_OTHERS = _LISTS["others"]
_FOOD = _LISTS["food"]
_RULES = _LISTS["rules"]
_PARTS = _LISTS["parts"]
_FIRST_PERSON = _LISTS["first_person"]
_HABITS = _LISTS["habits"] | _RULES
_HOW = frozenset({"how", "wie", "comment", "cómo", "как"})


def states_rule(text: str) -> bool:
    """Whether a text says what is always or never to be done: "don't autogenerate them"."""
    return not _RULES.isdisjoint(split_words(text))


def speaks_of_food(text: str) -> bool:
    """Whether a text is about what is eaten or drunk."""
    return not _FOOD.isdisjoint(split_words(text))


def speaks_of_own(text: str) -> bool:
    """Whether a message speaks of what is the speaker's: "our database", "do we", "my sister"."""
    words = split_words(text)
    return not (_OWN.isdisjoint(words) and _own_in_language(words, text).isdisjoint(words))


def _own_in_language(words: Sequence[str], text: str) -> frozenset[str]:
    """Words for what is the speaker's that are others elsewhere: "mia" is a name, "onze" eleven."""
    return choose_lists(guess_languages(words, text)).own


def speaks_of_self(text: str) -> bool:
    """Whether a text speaks of one person, the speaker: "no nuts for me", "my living room"."""
    words = split_words(text)
    return any(word in _SELF and _concerns_speaker(words, at) for at, word in enumerate(words))


def states_of_self(text: str) -> bool:
    """Whether one person says something of themselves: "I'm allergic", "soy vegano"."""
    words = [part for word in split_words(text) for part in re.split("['’]", word)]
    is_verb = not _FIRST_PERSON.isdisjoint(words[:_NEAR_START])
    return is_verb or any(
        word in _SELF and _concerns_speaker(words, at) for at, word in enumerate(words)
    )


_NEAR_START = 3


def states_habit(text: str) -> bool:
    """Whether a text says how something is done or wanted: "I prefer tabs", "I use Vim"."""
    return not _HABITS.isdisjoint(split_words(text))


def speaks_for_self(text: str) -> bool:
    """Whether the speaker is concerned: "can I", "write me"; "how do I" asks what anybody would."""
    words = split_words(text)
    return any(_concerns_speaker(words, at) for at in range(len(words)))


def _concerns_speaker(words: list[str], place: int) -> bool:
    """Whether the word at a place is the speaker, or says what is theirs; "my sister" is not."""
    following = words[place + 1] if place + 1 < len(words) else ""
    is_own = words[place] in _OWN and following not in _OTHERS
    is_speaker = words[place] in SPEAKERS and (place < 2 or words[place - 2] not in _HOW)
    return is_own or is_speaker


_PROJECT = r"(?:projects?|repos?|repositor(?:y|ies)|code ?bases?|workspaces?)"
_PROJEKT = r"(?:projekte?n?|repos?|repositor(?:y|ys|ies))"
_PROJET = r"(?:projets?|dépôts?|repos?)"
_PROYECTO = r"(?:proyectos?|repos?|repositorios?)"
_ALL_PROJECTS = re.compile(
    rf"""\b(?:
    (?:in|across|for|throughout)\ (?:all|any|every|each)(?:\ of)?
        (?:\ (?:my|our|the|your|other)){{0,2}}\ {_PROJECT}
    |(?:regardless|irrespective)\ of\ (?:(?:the|which)\ )?{_PROJECT}
    |(?:in|for)\ (?:none|no\ one)\ of\ (?:my|our|the)\ {_PROJECT}
    |(?:company|organi[sz]ation|team)[ -]wide
    |(?:no\ matter|whatever|whichever)(?:\ (?:the|which|what|in|for)){{0,2}}\ {_PROJECT}
    |not\ (?:just|only)\ (?:here|(?:in|for)\ this\ {_PROJECT})
    |(?:in|bei|für)\ (?:keinem\ (?:meiner|unserer)|allen?|jede[mns]?|sämtlichen?)
        (?:\ (?:meine[nr]?|unsere[nr]?|anderen))?\ {_PROJEKT}
    |(?:projekt|repo)übergreifend
    |(?:firmen|unternehmens|team)weit
    |(?:egal|gleich),?\ (?:in|für|um)?\ ?welche[mnrs]?\ {_PROJEKT}
    |nicht\ nur\ (?:hier|in\ diesem\ {_PROJEKT})
    |(?:dans|pour|sur)\ (?:tous\ (?:les|mes|nos)|aucun\ de\ (?:mes|nos)|chaque)\ {_PROJET}
    |(?:dans|pour|sur)\ n['’]importe\ quel\ {_PROJET}
    |(?:peu\ importe|quel\ que\ soit)(?:\ (?:le|quel))?\ {_PROJET}
    |pas\ (?:seulement|juste|qu)\W?\ ?(?:ici|dans\ ce\ {_PROJET})
    |(?:en|para)\ (?:todos\ (?:los|mis|nuestros)|cada|cualquier)\ {_PROYECTO}
    |en\ ninguno\ de\ (?:mis|nuestros)\ {_PROYECTO}
    |(?:sea\ cual\ sea|da\ igual|no\ importa)(?:\ (?:el|en|qué|cuál)){{0,2}}\ {_PROYECTO}
    |no\ s[oó]lo\ (?:aquí|en\ este\ {_PROYECTO})
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ANYWHERE = re.compile(
    r"\b(?:anywhere|globally|wherever (?:i|you|we) (?:work|code)|egal wo|überall|n['’]importe où"
    r"|partout|en (?:cualquier|todas?) (?:las )?(?:partes?|sitios?|lugar(?:es)?))\b"
    r"(?! (?:in|im|in der|dans|en) \w)",
    re.IGNORECASE,
)
_HERE = re.compile(
    rf"\b(?:here|this {_PROJECT}|hier|diese[mnrs]? {_PROJEKT}"
    rf"|ici|ce {_PROJET}|aquí|este {_PROYECTO})\b",
    re.IGNORECASE,
)


_PATH = re.compile(r"(?<![\w/~.:@])(?:\.{1,2}/)?[\w-]+(?:/[\w.-]+)+(?![\w/]*://)")
"""A path inside of a project; not one of the home folder, of the machine or of the web."""

_OWN_PARTS = 3
"""So many words after "my" may name a part of a project: "my nightly migration scripts"."""


def speaks_of_project_parts(text: str) -> bool:
    """Whether a text speaks of parts of a project: "my service", "my fixtures", a path in it."""
    words = split_words(text)
    return bool(_PATH.search(text)) or any(
        word in _OWN and not _PARTS.isdisjoint(words[place + 1 : place + 1 + _OWN_PARTS])
        for place, word in enumerate(words)
    )


def speaks_of_all_projects(text: str) -> bool:
    """Whether a text says what holds in every project: "in all repos", "never, anywhere"."""
    return bool(_ALL_PROJECTS.search(text) or (states_rule(text) and _ANYWHERE.search(text)))


def opens_with_all_projects(sentence: str, statement: str) -> bool:
    """Whether a statement was made of a sentence that begins with every project."""
    return bool(_ALL_PROJECTS.match(sentence.lstrip())) and not _HERE.search(statement)
