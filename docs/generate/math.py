"""Formulas as MathML, which browsers draw themselves: no script, no network."""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert

__all__ = ["typeset"]

_BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)
_INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
# Bars of norms and sizes would stretch to the height of a sum beside them and keep the distance of an operator.
_BARS = re.compile(r'<mo(?: stretchy="false")?>(&#x02016;|&#x0007C;)</mo>')


def typeset(page: str) -> str:
    """Replace the LaTeX that arithmatex has marked in a page by MathML."""
    page = _BLOCK.sub(lambda match: f'<div class="formula">{_mathml(match[1], "block")}</div>', page)
    return _INLINE.sub(lambda match: _mathml(match[1], "inline"), page)


def _mathml(latex: str, display: str) -> str:
    source = html.unescape(latex).strip()
    made = _BARS.sub(r'<mo stretchy="false" lspace="0" rspace="0.06em">\1</mo>', convert(source, display=display))
    return made.replace("<math ", f'<math aria-label="{html.escape(source, quote=True)}" ', 1)
