"""What pages are made of."""

from tacit.ui.kit.bar import bar
from tacit.ui.kit.button import Look, button, enable
from tacit.ui.kit.card import badge, card, empty, figure, notice
from tacit.ui.kit.chart import Column, chart
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.copying import copying
from tacit.ui.kit.dialog import asking_button, buttons_of, confirm, dialog
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.table import table
from tacit.ui.kit.toast import toast

__all__ = [
    "Column",
    "Control",
    "Kind",
    "Look",
    "asking_button",
    "badge",
    "bar",
    "box",
    "button",
    "buttons_of",
    "card",
    "chart",
    "confirm",
    "copying",
    "dialog",
    "empty",
    "enable",
    "figure",
    "heading",
    "link",
    "moment",
    "notice",
    "say",
    "table",
    "toast",
]
