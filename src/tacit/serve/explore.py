"""Explore: what models put into a blank, and how likely they find a sentence, token by token."""

from __future__ import annotations

import asyncio
import math
import re
import shlex
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.errors import TacitError
from tacit.models.base import Model
from tacit.questions import Likelihood, LikelihoodAnswer, has_blank
from tacit.serve.models import WarmModels
from tacit.serve.pages import InputError, page, plain_text

__all__ = ["routes"]

EXAMPLE = "Why wilt [MASK] be offended by that?"
MOST_WORDS = 50
_LOOKED_THROUGH = 2_000
_SECONDS_BETWEEN_LOOKS = 0.25
_LIKELIEST, _UNLIKELIEST = -0.7, -12.0
"""The log-probabilities at which the strip is lightest and darkest: about a half, and one in 160,000."""


@dataclass(frozen=True)
class Query:
    """What a person wants to know.

    Attributes:
        text: A sentence, with a blank or without.
        models: Whom to ask.
        words: Words to choose from; without any, the likeliest ones are shown.
        top: How many of those.
        swap: A word of the sentence and what is put in its place, to see what moves; empty for none.
    """

    text: str
    models: list[str]
    words: tuple[str, ...]
    top: int
    swap: tuple[str, str] | None = None

    @property
    def texts(self) -> list[str]:
        """The sentence, and the sentence with the other word if one is swapped."""
        if self.swap is None:
            return [self.text]
        old, new = self.swap
        return [self.text, re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, self.text)]

    @property
    def link(self) -> str:
        """The address that repeats this view."""
        fields = [("text", self.text), *(("model", name) for name in self.models), ("top", str(self.top))]
        old, new = self.swap or ("", "")
        return "/?" + urlencode([*fields, ("words", ", ".join(self.words)), ("swap", old), ("with", new)])

    @property
    def command(self) -> str:
        """The commands that do the same, one line per sentence."""
        models = " ".join(f"--model {shlex.quote(name)}" for name in self.models)
        return "\n".join(f"tacit {self._command(shlex.quote(text))} {models}" for text in self.texts)

    def _command(self, text: str) -> str:
        if not has_blank(self.text):
            return f"likelihood {text}"
        return f"choose {text} {shlex.join(self.words)}" if self.words else f"fill {text} --top {self.top}"

    @property
    def python(self) -> str:
        """The Python lines that do the same."""
        calls = [f"    print({self._call(text)})" for text in self.texts]
        return "\n".join(["import tacit", f"for name in {self.models!r}:", "    model = tacit.load(name)", *calls])

    def _call(self, text: str) -> str:
        if not has_blank(text):
            return f"model.likelihood([{text!r}])"
        if self.words:
            return f"model.choose({text!r}, {list(self.words)!r})"
        return f"model.fill({text!r}, top={self.top})"


@dataclass(frozen=True)
class Bar:
    """A word with its probability in each sentence, and the widths of its bars in percent of the widest.

    A probability is None for a word that the model cannot represent, or that is not among its likeliest ones.
    """

    word: str
    probabilities: tuple[float | None, ...]
    widths: tuple[float, ...]


@dataclass(frozen=True)
class Cell:
    """A token of a sentence with its log-probability, and how dark it is, from 0 to 9."""

    token: str
    logprob: float | None
    shade: int


@dataclass(frozen=True)
class Strip:
    """A sentence without a blank: its tokens and the log-probability of the whole."""

    cells: tuple[Cell, ...]
    total: float


@dataclass(frozen=True)
class Shown:
    """What is shown of one model: bars, a strip for each sentence, an error, or that it is still being loaded."""

    model: str
    bars: tuple[Bar, ...] = ()
    strips: tuple[Strip, ...] = ()
    error: str = ""
    loading: bool = False


async def explore(request: Request) -> Response:
    """The page, with the question of its address already asked."""
    query = _read(request)
    return page(request, "explore.html.j2", query=query, known=request.app.state.models.names, section="explore")


async def answers(request: Request) -> Response:
    """The part of the page that changes while a person types."""
    query, models = _read(request), request.app.state.models
    if not query.text.strip():
        raise InputError("Type a sentence. Write [MASK] where a word is missing.")
    if not query.models:
        raise InputError("Choose a model.")
    shown = [await _show(request, models, name, query) for name in query.models]
    return page(request, "answers_part.html.j2", query=query, shown=shown, loading=any(one.loading for one in shown))


routes = [Route("/", explore), Route("/explore/answers", answers)]


def _read(request: Request) -> Query:
    given, models = request.query_params, request.app.state.models
    chosen = models.require(given.getlist("model")) or models.names[:2]
    words = tuple(word.strip() for word in plain_text(given.get("words", ""), "The list of words").split(","))
    words = tuple(dict.fromkeys(word for word in words if word))
    if len(words) > MOST_WORDS:
        raise InputError(f"That are {len(words)} words. Choose from at most {MOST_WORDS}.")
    top = given.get("top", "8")
    if not top.isdigit() or not 1 <= int(top) <= 50:
        raise InputError("The number of words must be between 1 and 50.")
    text = plain_text(given.get("text", EXAMPLE), "The sentence")
    return Query(text, chosen, words, int(top), _read_swap(request, text))


def _read_swap(request: Request, text: str) -> tuple[str, str] | None:
    old, new = (plain_text(request.query_params.get(name, ""), "The word").strip() for name in ("swap", "with"))
    if not old or not new:
        return None
    if not re.search(rf"(?<!\w){re.escape(old)}(?!\w)", text):
        raise InputError(f"The sentence has no word {old!r}. Swap a word that it has.")
    return old, new


async def _show(request: Request, models: WarmModels, name: str, query: Query) -> Shown:
    try:
        if not models.ready(name):
            return Shown(name, loading=True)
        asked = asyncio.wrap_future(models.ask(name, lambda model: _ask(model, name, query)))
        while not asked.done():
            await asyncio.wait([asked], timeout=_SECONDS_BETWEEN_LOOKS)
            if await request.is_disconnected():
                asked.cancel()  # the person has typed on or pressed Stop: what waits for the model need not be asked
                return Shown(name, error="Stopped.")
        return asked.result()
    except TacitError as error:
        return Shown(name, error=str(error))


def _ask(model: Model, name: str, query: Query) -> Shown:
    if not has_blank(query.text):
        return Shown(name, strips=tuple(_strip(model, text) for text in query.texts))
    found = [_probabilities(model, text, query) for text in query.texts]
    leading = query.words or [word for each in found for word in list(each)[: query.top]]
    rows = {word: tuple(each.get(word) for each in found) for word in leading}
    shown = sorted(rows.items(), key=lambda row: -max(p or 0.0 for p in row[1]))
    widest = max((p for row in rows.values() for p in row if p), default=1.0)
    bars = (Bar(word, row, tuple(round(100 * (p or 0.0) / widest, 1) for p in row)) for word, row in shown)
    return Shown(name, tuple(bars))


def _probabilities(model: Model, text: str, query: Query) -> dict[str, float | None]:
    """The words of a blank with their probabilities: those asked about, or the likeliest."""
    if query.words:
        return {choice.word: choice.probability for choice in model.choose(text, query.words)}
    # A word that leads in one sentence can be far down in the other, and its probability there is what moves.
    top = query.top if query.swap is None else _LOOKED_THROUGH
    return {filling.token: filling.probability for filling in model.fill(text, top)}


def _strip(model: Model, text: str) -> Strip:
    (answer,) = model.answer([Likelihood(text, model.natural_likelihood)])
    assert isinstance(answer, LikelihoodAnswer)
    cells = tuple(Cell(score.token, score.logprob, _shade(score.logprob)) for score in answer.tokens)
    return Strip(cells, answer.total)


def _shade(logprob: float | None) -> int:
    if logprob is None or math.isnan(logprob):
        return 0
    share = (_LIKELIEST - logprob) / (_LIKELIEST - _UNLIKELIEST)
    return round(9 * min(1.0, max(0.0, share)))
