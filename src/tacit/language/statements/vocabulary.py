"""Small words, by what they do in a sentence; English first, with German, French and Spanish."""

from collections.abc import Mapping
from types import MappingProxyType

from tacit.language.statements.listing import word_set

ARTICLES = word_set(
    "the a an der die das den dem des ein eine einen einem einer le la les l un une el los las una"
)
DEFINITE = word_set("the der die das le la les l el los las")
INDEFINITE = word_set("a an another ein eine un une una")

DENIALS = word_set("""
    not never no cannot neither hardly rarely seldom scarcely
    nicht nie niemals kein keine keinen keinem keiner
    ne n pas jamais aucun aucune
    nunca jamás tampoco ningún ninguna
    """)
"""Words that turn a sentence into its opposite and say nothing else."""

PRIVATIVES = word_set(
    "without nobody nothing none nor ohne niemand nichts sans rien personne sin nada nadie"
)
"""Words that deny one part of a sentence; its other words alone are not its opposite."""

DENIAL_TAILS = {"no": {"longer", "more"}, "nicht": {"mehr"}}
"""Second words that belong to a denial."""

MILD = word_set("""
    always usually generally normally typically currently now still already really definitely
    certainly surely simply actually strictly absolutely please also too anymore nowadays
    presently officially ever
    immer derzeit aktuell jetzt noch schon bitte auch wirklich
    toujours actuellement maintenant encore déjà aussi vraiment
    siempre ya actualmente ahora todavía también realmente
    """)
"""Adverbs that leave what is said as it is."""

OBLIGATIONS = word_set("must should shall ought soll sollte muss doit debe")
SUPPORTS = word_set("do does")
"""Auxiliaries that carry a denial and no meaning."""

OPPOSITES = {
    "dislike": "like",
    "dislikes": "likes",
    "hate": "like",
    "hates": "likes",
    "disable": "enable",
    "disables": "enables",
    "disabled": "enabled",
    "disallow": "allow",
    "disallows": "allows",
    "disallowed": "allowed",
    "forbidden": "allowed",
    "prohibited": "allowed",
    "forbid": "allow",
    "forbids": "allows",
    "unavailable": "available",
    "unsupported": "supported",
    "disagree": "agree",
    "disagrees": "agrees",
    "incompatible": "compatible",
    "optional": "required",
    "unmarried": "married",
    "offline": "online",
    "false": "true",
    "avoid": "use",
    "avoids": "uses",
}
"""Words that are the denial of another word."""

_PAIRS = word_set("""
    dark/light short/long shorter/longer concise/detailed brief/detailed before/after more/less
    more/fewer minimum/maximum min/max first/last morning/evening morning/afternoon
    afternoon/evening left/right north/south east/west up/down old/new high/low higher/lower
    internal/external public/private open/closed on/off tab/space early/late earlier/later
    ascending/descending horizontal/vertical input/output read/write import/export start/end
    increase/decrease increased/decreased add/remove added/removed buy/sell bought/sold hot/cold
    big/small large/small fast/slow upper/lower uppercase/lowercase hourly/daily daily/weekly
    daily/monthly weekly/monthly weekly/yearly monthly/yearly staging/production
    development/production client/server with/without won/lost win/lose success/failure
    succeeded/failed pass/fail passed/failed husband/wife brother/sister mother/father
    son/daughter he/she his/her vegan/vegetarian single/married single/double
    synchronous/asynchronous sync/async inside/outside over/under above/below push/pull
    upload/download accepted/rejected approved/rejected accept/reject
    """)


def _partners(word: str) -> frozenset[str]:
    pairs = [pair.split("/") for pair in _PAIRS]
    return frozenset(end for ends in pairs if word in ends for end in ends if end != word)


ANTONYMS: Mapping[str, frozenset[str]] = MappingProxyType(
    {word: _partners(word) for pair in _PAIRS for word in pair.split("/")}
)
"""Words of which a text that has the one does not repeat a text that has the other."""

CONDITIONS = word_set("if unless whenever when wenn falls sobald si quand cuando")
"""Words that make what follows or precedes true only at times."""

BOUNDARIES = word_set("""
    because since although though whereas while which who whom whose where so but
    weil denn obwohl aber während parce car mais puisque porque pero aunque mientras
    """)
"""Words at which the value of a statement ends."""

CONJUNCTIONS = word_set("and but und aber et mais y e pero")
RELATIVES = word_set("that which who whom where whose")

PREPOSITIONS = word_set("""
    of for in at on to with by from as under over during after before until till within into
    about against between through via per every each around near behind without
    """)
QUALIFIERS = word_set(
    "for in at on with by from as under during after before until till within via per every each"
)
"""Prepositions that may narrow down for what, where or when a value holds."""

UNRESOLVED = word_set("""
    he she it they this that these those there here one someone somebody anyone everyone everybody
    something anything everything people some many most few several all any each every both
    such other others half another which what who er sie es dies il elle ils elles ce on
    él ella ellos ellas esto eso
    """)
"""Words that point at something which the sentence alone does not tell."""

FIRST_PERSONS = {
    "my": "i",
    "our": "we",
    "your": "you",
    "mein": "i",
    "meine": "i",
    "unser": "we",
    "unsere": "we",
    "dein": "you",
    "deine": "you",
    "mon": "i",
    "ma": "i",
    "mes": "i",
    "notre": "we",
    "nos": "we",
    "ton": "you",
    "ta": "you",
    "votre": "you",
    "mi": "i",
    "mis": "i",
    "nuestro": "we",
    "nuestra": "we",
    "tu": "you",
}
"""Whose something is, by the word that says so."""

BEFORE_CAPITALS = word_set("mein meine unser unsere dein deine")
"""Those of a language that writes every noun with a capital."""

LOOSE_OWNERS = word_set("his her its their sein seine ihr ihre son sa ses leur su sus")

PLURAL_SPEAKERS = word_set("i we you ich wir je nous yo nosotros")
"""Subjects that take the bare form of a verb."""

HEDGES = word_set("""
    to might may could would can will maybe perhaps probably possibly used wants want hopes plans
    considering tried tries trying once formerly previously originally
    vielleicht früher würde könnte
    """)
"""Words before a verb that keep it from saying what holds now."""

LEAD_INS = {
    "note": (("note", "that"), ("note",)),
    "remember": (("remember", "that"), ("remember",)),
    "fyi": (("fyi",),),
    "btw": (("btw",),),
    "by": (("by", "the", "way"),),
    "for": (("for", "the", "record"),),
    "i": (("i", "think", "that"), ("i", "think")),
    "we": (("we", "decided", "that"), ("we", "agreed", "that")),
    "it": (("it", "was", "decided", "that"),),
    "reminder": (("reminder",),),
    "update": (("update",),),
    "correction": (("correction",),),
}
"""Openings that say nothing themselves, by their first word."""
