"""Words that tell what a sentence is worth; English first, with German, French and Spanish."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """The words of a text as cues are compared with them."""
    return _WORD.findall(text.casefold())


@dataclass(frozen=True, slots=True)
class Cues:
    """Words and phrases of which one is enough."""

    single: frozenset[str]
    first: frozenset[str]
    phrases: Mapping[str, Sequence[str]]
    """Phrases by their first word."""

    def are_in(self, said: Sequence[str]) -> bool:
        """Whether one of them is among the words of a sentence."""
        if not self.single.isdisjoint(said):
            return True
        if self.first.isdisjoint(said):
            return False
        joined = f" {' '.join(said)} "
        first = self.first.intersection(said)
        return any(phrase in joined for word in first for phrase in self.phrases[word])


def _cues(table: str) -> Cues:
    listed = [words(phrase) for phrase in table.replace("\n", "|").split("|")]
    phrases: dict[str, list[str]] = defaultdict(list)
    for phrase in listed:
        if len(phrase) > 1:
            phrases[phrase[0]].append(f" {' '.join(phrase)} ")
    single = frozenset(phrase[0] for phrase in listed if len(phrase) == 1)
    return Cues(single, frozenset(phrases), dict(phrases))


DECISIONS = _cues("""
    decided | decision | we agreed | agreed to | agreed on | agreed that | settled on | going with
    go with | let's use | let's keep | let's go | let us use | we'll use | we will use
    we'll keep | we will keep | we are using | switched to | switch to | chose | chosen | opted for
    approved | rejected | the plan is | from now on | instead of using | must not | ruled out
    entschieden | beschlossen | entscheidung | wir nehmen | wir verwenden | einigten uns | ab jetzt
    décidé | décision | on prend | nous utiliserons | nous allons utiliser | convenu | désormais
    decidido | decidimos | decisión | vamos a usar | usaremos | acordamos | acordado | elegimos
    """)
"""A choice that was made."""

SELF = _cues("""
    i | my | mine | we | our | ich | mein | meine | wir
    unser | unsere | je | j'ai | mon | ma | mes | nous | notre | nos | yo | mi | mis | nosotros
    nuestro | nuestra | tengo | soy | prefiero
    """)
"""Someone speaks of themselves."""

STANDING = _cues("""
    prefer | prefers | preferred | favorite | favourite | always | never | allergic | must
    deadline | due | because | so that | since then | requires | need to | needs to | bug | error
    fixed | failed | root cause | bevorzuge | lieblings | immer | niemals | weil | muss | frist
    préfère | toujours | jamais | parce que | car | doit | échéance | prefiero | siempre | nunca
    porque | debe | plazo
    """)
"""Something that holds for longer: a preference, an obligation, a reason, a cause."""

DEFERRALS = _cues("""
    don't know | do not know | not sure | no idea | let me check | let me find out | will find out
    i'll find out | i'll check | get back to you | have to ask | weiß nicht | keine ahnung
    je ne sais pas | aucune idée | no sé | ni idea
    """)
"""A question that is put off."""

FILLER = frozenset(
    words("""
    thank thanks thx please welcome hello hi hey bye goodbye great good nice cool awesome
    amazing wow wonderful fantastic excellent perfect glad happy love lovely sure ok okay
    yes yeah yep no nope right well oh ah haha lol really very so much definitely absolutely
    totally exactly sound sounds look looks see know think thing things get got make makes
    go going want like just let lets s t m re ve ll d don didn doesn isn won can could would
    should may might must will inspire inspiring proud keep care take talk chat catch soon
    later guess bet agree hear hope wish best luck fun super pretty lot lots way bit kind
    sort time day always never ever even still too also help helpful feel feels danke bitte
    hallo tschüss gut merci bonjour salut bien gracias hola adiós bueno vale sorry anything
    something everything up new done understood noted meet
    """)
)
"""Words that say little wherever they stand."""
