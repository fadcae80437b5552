"""Whether a standing rule applies to a message."""

import re

from tacit.core.kinds import MemoryType, Scope
from tacit.core.memory import Memory
from tacit.core.receipt import (
    NOTE_HOW_TO_ANSWER,
    NOTE_OF_FOOD,
    NOTE_OF_PERSON,
    NOTE_OF_PROJECT,
    NOTE_TOUCHED,
)
from tacit.language.languages import guess_language
from tacit.language.sentences import is_question
from tacit.language.small_talk import asks_for_something
from tacit.language.topics import speaks_for_self, speaks_of_food, speaks_of_self
from tacit.turn.state import RequestKind, ScoredCandidate, TurnState

TOUCHED = 0.02
"""A rule of this relevance is touched by a message in a project, or about the speaker."""

TOUCHED_BY_OTHERS = 0.1
"""The same for any other message: a general question, or somebody else's work."""

_LONGEST = 1_000


def find_reason(rule: ScoredCandidate, state: TurnState) -> str | None:
    """Why a rule applies to the message of a turn; None if it does not.

    Rules on how to answer do, those of a project to the work in it, a limit that a person has to
    what they want, one about food to what is eaten, and every rule to what touches it.
    """
    memory = rule.memory
    if speaks_of_food(memory.content) and speaks_of_food(state.message):
        return NOTE_OF_FOOD
    if is_touched(rule, state):
        return NOTE_TOUCHED
    return _find_general_reason(memory, state) if asks_for_something(state.message) else None


def _find_general_reason(memory: Memory, state: TurnState) -> str | None:
    """Why a rule applies to a message that says nothing of what it is about, if it does."""
    is_about_answer = is_about_answers(memory.content, memory.key or "")
    if is_about_answer and not _is_followed_anyway(memory, state.message):
        return NOTE_HOW_TO_ANSWER
    if memory.scope is Scope.PROJECT and _asks_for_work(state):
        return NOTE_OF_PROJECT
    is_limit = memory.type is MemoryType.CONSTRAINT and speaks_of_self(memory.content)
    return NOTE_OF_PERSON if is_limit and speaks_of_self(state.message) else None


def is_touched(rule: ScoredCandidate, state: TurnState) -> bool:
    """Whether a message touches what a rule is about."""
    is_concerned = state.has_project or speaks_for_self(state.message)
    return rule.relevance >= (TOUCHED if is_concerned else TOUCHED_BY_OTHERS)


def _asks_for_work(state: TurnState) -> bool:
    """Whether a message in a project asks for something to be done there."""
    is_work = state.kind is not RequestKind.GENERAL or not is_question(state.message)
    return is_work or speaks_for_self(state.message)


def is_about_answers(content: str, key: str = "") -> bool:
    """Whether a rule says how to answer, in whatever matter: language, tone, length or format."""
    named = key.casefold().replace(".", " ").replace("_", " ")
    said = content[:_LONGEST].casefold().replace("’", "'")
    return bool(_ANSWER_KEY.search(named) or _ABOUT_ANSWERS.search(said))


def _is_followed_anyway(memory: Memory, message: str) -> bool:
    """Whether a rule only asks for the language in which the message is written."""
    words = re.findall(r"\w+", memory.content.casefold())
    named = [_LANGUAGES[word] for word in words if word in _LANGUAGES]
    if not named or len(words) > _FEW_WORDS:
        return False
    return named[0] == guess_language(re.findall(r"\w+", message.casefold()))


_FEW_WORDS = 12
_LANGUAGES = {
    "english": "english",
    "englisch": "english",
    "anglais": "english",
    "inglés": "english",
    "german": "german",
    "deutsch": "german",
    "allemand": "german",
    "alemán": "german",
    "french": "french",
    "französisch": "french",
    "français": "french",
    "francés": "french",
    "spanish": "spanish",
    "spanisch": "spanish",
    "espagnol": "spanish",
    "español": "spanish",
    "russian": "russian",
    "russisch": "russian",
    "russe": "russian",
    "ruso": "russian",
}

_ANSWER_KEY = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|response (?:language|tone|length|format|style)|tone|emojis?)\b"
)

_ENGLISH = (
    r"(?:answer|reply|respond|explain)(?:ing|ed|s)? (?:to )?(?:me|us|my|in|with|as|at|using"
    r"|like|only|brief(?:ly)?|short(?:ly)?|concisely|directly|simply|politely|formally|informally"
    r"|everything|every|things|concepts|code|step|without|always|questions)",
    r"(?:answer|reply|respond)$",
    r"(?:your|my|all|short|shorter|brief|concise|long|longer|detailed|direct|terse|complete"
    r"|keep|give|plain|simple|friendly|formal|informal) (?:the )?"
    r"(?:answers?|explanations?|replies)",
    r"(?:your|short|brief|concise|keep) responses?",
    r"answers? (?:should|must|in|as|with|short|brief|always|are|to (?:me|my))",
    r"emojis?",
    r"(?:don't|do not|never|stop|without|no) (?:apologi[sz](?:e|ing)|apologies|flatter\w*"
    r"|prais(?:e|ing)|small talk|filler\w*|jargon)",
    r"(?:get|come|straight) to the point",
    r"be (?:brief|concise|terse|direct|blunt|formal|informal|polite|honest)",
    r"(?:talk|speak|write) to me",
    r"(?:call|address) me",
    r"(?:british|american|australian|canadian) (?:english|spelling)",
    r"bullet points",
)
_GERMAN = (
    r"antworte\w*",
    r"erklär(?:e|en)? (?:mir|es|alles|das|dinge|schritt|immer|kurz|code|einfach)",
    r"(?:duze?n?|sieze?n?|nenn(?:e|en)?) mich",
    r"(?:fass|fasse) dich kurz",
    r"(?:komm|komme) (?:\w+ ){0,2}(?:zum|auf den) punkt",
    r"stichpunkten?",
    r"schreib(?:e|st)? (?:mir|mit mir)",
)
_FRENCH = (
    r"répon(?:ds|dez|dre|d|se|ses)(?:-moi)?",
    r"expli(?:que|quez|quer)(?:-(?:moi|nous))?",
    r"(?:tutoie|vouvoie|appelle|tutoyez|vouvoyez|appelez)-moi",
    r"(?:sois|soyez) (?:bref|brève|concise?|direct|directe)",
    r"droit au but",
    r"émojis?",
)
_SPANISH = (
    r"(?:responde|responda|respóndeme|respóndame|responder|contesta|contéstame|contestar)",
    r"respuestas?",
    r"(?:explica|explícame|explíqueme|explicaciones)",
    r"(?:tutéame|háblame|llámame)",
    r"sé (?:breve|conciso|concisa|directo|directa)",
    r"(?:ve|vaya) al grano",
)
_ABOUT_ANSWERS = re.compile(
    rf"(?<!\w)(?:{'|'.join((*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH))})(?!\w)"
)
