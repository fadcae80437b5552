"""The block that goes into the context: fixed words around stored text that cannot forge them."""

from tacit.render.excerpt import shortened
from tacit.render.line import Line, Section, line_text, trust_remark
from tacit.render.sections import Frame, Sections, block, body, frame
from tacit.structure import neutralised, restored
from tacit.structure.templates import PREFACE

__all__ = [
    "PREFACE",
    "Frame",
    "Line",
    "Section",
    "Sections",
    "block",
    "body",
    "frame",
    "line_text",
    "neutralised",
    "restored",
    "shortened",
    "trust_remark",
]
