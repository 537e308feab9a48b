"""Explore: what models put into a blank, and how likely they find a sentence, token by token."""

from __future__ import annotations

import asyncio
import math
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
    """

    text: str
    models: list[str]
    words: tuple[str, ...]
    top: int

    @property
    def link(self) -> str:
        """The address that repeats this view."""
        fields = [("text", self.text), *(("model", name) for name in self.models), ("top", str(self.top))]
        return "/?" + urlencode([*fields, ("words", ", ".join(self.words))])

    @property
    def command(self) -> str | None:
        """The command that does the same; choosing and scoring have none."""
        if not has_blank(self.text) or self.words:
            return None
        models = " ".join(f"--model {_quoted(name)}" for name in self.models)
        return f"tacit fill {_quoted(self.text)} {models} --top {self.top}"

    @property
    def python(self) -> str:
        """The Python lines that do the same."""
        if not has_blank(self.text):
            call = f"model.likelihood([{self.text!r}])"
        elif self.words:
            call = f"model.choose({self.text!r}, {list(self.words)!r})"
        else:
            call = f"model.fill({self.text!r}, top={self.top})"
        return "\n".join(
            ["import tacit", f"for name in {self.models!r}:", "    model = tacit.load(name)", f"    {call}"]
        )


@dataclass(frozen=True)
class Bar:
    """A word with its probability, and the width of its bar in percent of the widest."""

    word: str
    probability: float
    width: float


@dataclass(frozen=True)
class Cell:
    """A token of a sentence with its log-probability, and how dark it is, from 0 to 9."""

    token: str
    logprob: float | None
    shade: int


@dataclass(frozen=True)
class Shown:
    """What is shown of one model: bars, a strip, an error, or that it is still being loaded."""

    model: str
    bars: tuple[Bar, ...] = ()
    cells: tuple[Cell, ...] = ()
    total: float | None = None
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
    shown = [await _show(models, name, query) for name in query.models]
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
    return Query(plain_text(given.get("text", EXAMPLE), "The sentence"), chosen, words, int(top))


async def _show(models: WarmModels, name: str, query: Query) -> Shown:
    try:
        if not models.ready(name):
            return Shown(name, loading=True)
        return await asyncio.wrap_future(models.ask(name, lambda model: _ask(model, name, query)))
    except TacitError as error:
        return Shown(name, error=str(error))


def _ask(model: Model, name: str, query: Query) -> Shown:
    if not has_blank(query.text):
        return _strip(model, name, query.text)
    if query.words:
        pairs = [(choice.word, choice.probability or 0.0) for choice in model.choose(query.text, query.words)]
        pairs.sort(key=lambda pair: -pair[1])
    else:
        pairs = [(filling.token, filling.probability) for filling in model.fill(query.text, query.top)]
    widest = max((probability for _, probability in pairs), default=0.0) or 1.0
    return Shown(name, tuple(Bar(word, p, round(100 * p / widest, 1)) for word, p in pairs))


def _strip(model: Model, name: str, text: str) -> Shown:
    (answer,) = model.answer([Likelihood(text, model.natural_likelihood)])
    assert isinstance(answer, LikelihoodAnswer)
    cells = tuple(Cell(score.token, score.logprob, _shade(score.logprob)) for score in answer.tokens)
    return Shown(name, cells=cells, total=answer.total)


def _shade(logprob: float | None) -> int:
    if logprob is None or math.isnan(logprob):
        return 0
    share = (_LIKELIEST - logprob) / (_LIKELIEST - _UNLIKELIEST)
    return round(9 * min(1.0, max(0.0, share)))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\"'\"'") + "'"
