"""Countries and other places that have towns."""

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.wording import canonical

_COUNTRIES = word_set("""
    germany france spain italy portugal england scotland wales ireland uk britain usa us america
    canada mexico brazil argentina chile peru colombia poland czechia austria switzerland sweden
    norway denmark finland iceland netherlands holland belgium luxembourg greece turkey hungary
    romania bulgaria croatia serbia slovenia slovakia ukraine russia estonia latvia lithuania
    india china japan korea vietnam thailand indonesia malaysia philippines pakistan bangladesh
    nepal iran iraq israel egypt morocco algeria tunisia nigeria ghana kenya ethiopia uganda
    tanzania australia zealand texas california florida oregon ohio bavaria catalonia ontario
    quebec europe asia africa deutschland frankreich spanien italien österreich schweiz allemagne
    espagne italie suisse belgique españa francia alemania italia méxico
    """)

BROAD = frozenset(map(canonical, _COUNTRIES))
"""Their names as they are compared."""
