"""Which language a text is in, told by its smallest words."""

from collections.abc import Iterable

DEFAULT = "english"

_SMALL_WORDS = {
    "english": """
        a about after all also an and any are as at be because been but by can could did do
        does for from had has have he her here him his how i if in into is it its just me
        more my no not now of on only or other our out over she should so some than that the
        their them then there these they this to up was we were what when where which who
        why will with would you your
    """,
    "german": """
        aber als am an auch auf aus bei bin bis bist da das dass dein dem den der des die
        dir doch du durch ein eine einem einen einer er es euch für gegen habe haben hat
        hier ich ihr im in ist ja kann kein keine man mein mich mir mit nach nicht noch nur
        ob oder ohne schon sein sich sie sind so über um und uns unser unter vom von vor war
        was wenn wer wie wir wird wo zu zum zur
    """,
    "french": """
        a ai alors au aussi aux avec avait c ça car ce ces cette comme d dans de depuis des
        du elle elles en est et était eux fait il ils j je l la le les leur lui m ma mais me
        mes moi mon n ne nos notre nous on ont ou où par pas plus pour qu quand que qui quoi
        s sa sans se ses si son sont sur t ta te tes toi ton tous tout tu un une vos votre
        vous y
    """,
    "spanish": """
        a al algo ante antes así aunque cada como con cual cuando de del desde donde dos el
        él ella ellas ellos en entre era es esa ese eso esta está estaba este esto están fue
        ha hace hasta hay la las le les lo los más me mi mis muy nada ni no nos nosotros
        nuestra nuestro o otra otro para pero por porque que qué quien se ser si sí sin
        sobre son su sus también te tengo ti tiene todo tu tus un una uno y ya yo
    """,
    "russian": """
        а без был была были было быть в вам вас во вот все всё вы где да для до его ее её
        если есть еще ещё же за и из или им их к как когда кто ли меня мне мой моя мы на над
        нас наш не нет ни но о об он она они от по под при с со так там то только у уже что
        чтобы это этот я
    """,
}

_BY_LANGUAGE = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}

STOP_WORDS = frozenset().union(*_BY_LANGUAGE.values())

_ENOUGH = 2
"""So many small words of another language must be there before a text is taken for it."""


def guess(words: Iterable[str]) -> str:
    """The language that most small words speak for; English where too few speak."""
    listed = list(words)
    votes = {name: sum(word in small for word in listed) for name, small in _BY_LANGUAGE.items()}
    votes[DEFAULT] = max(votes[DEFAULT], _ENOUGH - 1)
    return max(votes, key=lambda name: (votes[name], name == DEFAULT))
