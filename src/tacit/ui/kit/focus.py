"""Where the keyboard is: somebody who decided one thing goes on with the next."""

import json

from nicegui import ui
from nicegui.element import Element

_TRIES, _PAUSE_MS = 20, 25


def focus(element: Element) -> None:
    """Go on from an element, as soon as the browser has drawn it."""
    name = str(element.props.get("id", element.html_id))
    ui.run_javascript(
        f"""(function seek(tries) {{
            const found = document.getElementById({json.dumps(name)});
            if (found) found.focus();
            else if (tries > 0) setTimeout(() => seek(tries - 1), {_PAUSE_MS});
        }})({_TRIES})"""
    )
