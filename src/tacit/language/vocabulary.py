"""Function words and everyday words by what they do in a sentence, with days, months and numbers.

English first, with German, French and Spanish.
"""

from collections.abc import Mapping
from types import MappingProxyType


def word_set(text: str) -> frozenset[str]:
    """Parse a table of words that are separated by spaces."""
    return frozenset(text.split())


def word_map(text: str) -> dict[str, str]:
    """Parse a table of words, each with what it stands for: `dislike/like hate/like`."""
    return dict(pair.split("/") for pair in text.split())


# Function words.


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

OPPOSITES = word_map("""
    dislike/like dislikes/likes hate/like hates/likes disable/enable disables/enables
    disabled/enabled disallow/allow disallows/allows disallowed/allowed forbidden/allowed
    prohibited/allowed forbid/allow forbids/allows unavailable/available unsupported/supported
    disagree/agree disagrees/agrees incompatible/compatible optional/required
    unmarried/married offline/online false/true avoid/use avoids/uses
    """)
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


def _antonyms_of(word: str) -> frozenset[str]:
    pairs = [pair.split("/") for pair in _PAIRS]
    return frozenset(end for ends in pairs if word in ends for end in ends if end != word)


ANTONYMS: Mapping[str, frozenset[str]] = MappingProxyType(
    {word: _antonyms_of(word) for pair in _PAIRS for word in pair.split("/")}
)
"""Pairs of words: a text with the one does not repeat a text with the other."""

CONDITIONS = word_set("if unless whenever when wenn falls sobald si quand cuando")
"""Words that make a clause conditional."""

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
"""Words that refer to something outside the sentence."""

FIRST_PERSONS = word_map("""
    my/i our/we your/you mein/i meine/i unser/we unsere/we dein/you deine/you mon/i ma/i mes/i
    notre/we nos/we ton/you ta/you votre/you mi/i mis/i nuestro/we nuestra/we tu/you
    """)
"""Whose something is, by the word that says so."""

BEFORE_CAPITALS = word_set("mein meine unser unsere dein deine")
"""Possessives of German, which capitalises every noun."""

LOOSE_OWNERS = word_set("his her its their sein seine ihr ihre son sa ses leur su sus")

PLURAL_SPEAKERS = word_set("i we you ich wir je nous yo nosotros")
"""Subjects that take the bare form of a verb."""

HEDGES = word_set("""
    to might may could would can will maybe perhaps probably possibly used wants want hopes plans
    considering tried tries trying once formerly previously originally
    vielleicht früher würde könnte
    """)
"""Words before a verb after which it does not state what holds now."""

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


# Everyday words, which are no names when a sentence begins with them.


COMMON_WORDS = (
    ARTICLES
    | DENIALS
    | PRIVATIVES
    | MILD
    | OBLIGATIONS
    | SUPPORTS
    | CONDITIONS
    | BOUNDARIES
    | CONJUNCTIONS
    | PREPOSITIONS
    | UNRESOLVED
    | LOOSE_OWNERS
    | PLURAL_SPEAKERS
    | HEDGES
    | frozenset(FIRST_PERSONS)
    | frozenset(OPPOSITES)
    | word_set("""
        is are was were be been being am has have had did done get got make made let lets me him
        them us her than then thus if how why what when yes ok okay hi hello thanks thank sorry
        well today tomorrow yesterday tonight last next first second third new old good great best
        big small only just even very quite so much more less least own same
        use uses using run runs running write writes keep keeps set sets put add adds remove
        delete create creates build builds test tests deploy deploys deployed check checks send
        sends call calls ask asks answer answers prefer prefers prefers like likes love loves want
        wants need needs know knows think thinks say says said go goes went come comes take takes
        give gives show shows find finds try tries start starts stop stops open close read store
        avoid ensure follow include return returns commit push pull merge review reply format
        wrap name names call sign speak talk meet met watch eat eats drink drinks buy bought sell
        user users team teams customer customers client clients company project projects product
        service services server servers database app application apps code file files folder
        page pages api data key keys password token tokens config configuration setting settings
        default defaults value values error errors log logs report reports backup backups meeting
        meetings standup deadline release releases version build price cost budget office home
        work works worked working job role manager boss friend friends family wife husband partner
        mother father brother sister son daughter child children kid kids dog cat car house
        birthday name email phone address city country language languages time times date day days
        week weeks month months year years hour hours minute minutes morning evening night
        weekday weekdays weekend weekends lunch dinner breakfast coffee tea tabs spaces dark light
        mode branch branches main issue issues ticket tickets task tasks plan plans goal goals
        decision decisions rule rules note notes list lists document documents documentation docs
        comment comments message messages answer question questions request requests response
        responses result results change changes fix fixes bug bugs feature features
        support access security production staging development frontend backend testing
        deployment deployments monitoring logging billing payment payments invoice invoices order
        orders two three four five six seven eight nine ten
        ist sind war bin hat haben wird mein nutze benutze verwende nimm
        est sont était suis utilise utilisez nous vous
        es son era soy usa usar está están
        """)
)
"""Words that are no name merely because a sentence begins with them."""


# Days, months and number words, each in the form that texts are compared by.


MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
    "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
    "jan": 1, "feb": 2, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12,
    "januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10,
    "dezember": 12,
    "janvier": 1, "février": 2, "mars": 3, "avril": 4, "juin": 6, "juillet": 7, "août": 8,
    "septembre": 9, "octobre": 10, "novembre": 11, "décembre": 12,
    "enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7,
    "agosto": 8, "septiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12,
}  # fmt: skip

MONTH_NAMES = tuple(MONTHS)[:12]

AMBIGUOUS_MONTHS = frozenset(("may", "march", "mars", "mayo"))
"""Months that are other words too; they count only next to a number or after `in`."""

DAYS = {
    "monday": "monday", "tuesday": "tuesday", "wednesday": "wednesday", "thursday": "thursday",
    "friday": "friday", "saturday": "saturday", "sunday": "sunday",
    "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "thu": "thursday",
    "thur": "thursday", "thurs": "thursday", "fri": "friday",
    "montag": "monday", "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday",
    "freitag": "friday", "samstag": "saturday", "sonntag": "sunday",
    "lundi": "monday", "mardi": "tuesday", "mercredi": "wednesday", "jeudi": "thursday",
    "vendredi": "friday", "samedi": "saturday", "dimanche": "sunday",
    "lunes": "monday", "martes": "tuesday", "miércoles": "wednesday", "jueves": "thursday",
    "viernes": "friday", "sábado": "saturday", "domingo": "sunday",
    "yesterday": "yesterday", "tomorrow": "tomorrow", "tonight": "tonight",
    "noon": "12:00", "midnight": "00:00",
    "gestern": "yesterday", "hier": "yesterday", "ayer": "yesterday",
    "morgen": "tomorrow", "demain": "tomorrow", "mañana": "tomorrow",
    "q1": "q1", "q2": "q2", "q3": "q3", "q4": "q4",
}  # fmt: skip

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "thousand": 1000, "million": 1000000, "dozen": 12,
    "twice": 2,
}  # fmt: skip
