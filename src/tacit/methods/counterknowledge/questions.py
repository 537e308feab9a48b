"""What is asked: for every prompt its most likely words, and the probability of every word of the verbalizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

import polars as pl

from tacit.errors import ModelError
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials, Prompt
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.questions import Choose, Fill

__all__ = ["BESIDE", "TOP", "WHOLE", "count_questions", "next_questions", "questions"]

TOP, WHOLE, BESIDE = "top", "whole", "beside"
"""The values of the key `asked`: the model's most likely words, all words of the verbalizer, or of a second one."""

Verbalizers = dict[str, tuple[str, ...]]
"""The words to ask about, by the value of `asked`."""

# A base prompt and one with knowledge: where the blank opens the text, the same word may split differently.
_FIRST_ROUND_PROMPTS = 2


def questions(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, family: Family
) -> Iterator[KeyedQuestion]:
    """All questions about all prompts, in one round, the positive controls last."""
    words = _verbalizers(materials)
    return chain(
        _prompt_questions(materials.prompts(), words, settings, family),
        _control_questions(materials, words[WHOLE], settings, family),
    )


def next_questions(
    materials: CounterknowledgeMaterials,
    settings: CounterknowledgeSettings,
    family: Family,
    answers: pl.DataFrame | None,
) -> Iterator[KeyedQuestion]:
    """The same questions in two rounds: the first shows which words are one token, the second asks only about these.

    A word of several tokens costs a masked model several passes, and with `whole=one-token` it is not counted anyway.
    """
    if settings.whole != "one-token":
        return iter(()) if answers is not None else questions(materials, settings, family)
    if answers is None:
        prompts = islice(materials.prompts(), _FIRST_ROUND_PROMPTS)
        return _prompt_questions(prompts, _verbalizers(materials), settings, family)
    words = _verbalizers(materials)
    if answers["question"].n_unique() > (1 + len(words)) * _FIRST_ROUND_PROMPTS:
        return iter(())
    one_token = {*answers.filter((pl.col("asked") != TOP) & (pl.col("pieces") == 1))["token"]}
    words = {asked: tuple(word for word in every if word in one_token) or every for asked, every in words.items()}
    return chain(
        _prompt_questions(islice(materials.prompts(), _FIRST_ROUND_PROMPTS, None), words, settings, family),
        _control_questions(materials, words[WHOLE], settings, family),
    )


def count_questions(materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings) -> int:
    """The number of questions in all rounds together."""
    controls = sum(1 for _ in materials.control_prompts())
    each = 1 if settings.whole == "off" else 1 + len(_verbalizers(materials))
    return sum(1 for _ in materials.prompts()) * each + controls


def _verbalizers(materials: CounterknowledgeMaterials) -> Verbalizers:
    beside = {} if materials.beside is None else {BESIDE: tuple(materials.beside)}
    return {WHOLE: tuple(materials.words), **beside}


def _prompt_questions(
    prompts: Iterable[Prompt], verbalizers: Verbalizers, settings: CounterknowledgeSettings, family: Family
) -> Iterator[KeyedQuestion]:
    if family == "classifier":
        raise ModelError("A classifier cannot fill a blank. Use a masked, causal or seq2seq model with this probe.")
    for prompt in prompts:
        keys = _keys(prompt)
        text, context = _text_and_context(prompt, family, separate=settings.separate)
        pair = bool(context)
        yield KeyedQuestion({**keys, "asked": TOP}, Fill(text, max(settings.tops), context, pair))
        if settings.whole != "off":
            for asked, words in verbalizers.items():
                yield KeyedQuestion({**keys, "asked": asked}, Choose(text, words, context, pair))


def _control_questions(
    materials: CounterknowledgeMaterials, words: tuple[str, ...], settings: CounterknowledgeSettings, family: Family
) -> Iterator[KeyedQuestion]:
    """One question per control, at the widest reach, which the headline is about."""
    for prompt in materials.control_prompts():
        text, _ = _text_and_context(prompt, family, separate=False)
        if settings.whole == "off":
            yield KeyedQuestion({**_keys(prompt), "asked": TOP}, Fill(text, max(settings.tops)))
        else:
            yield KeyedQuestion({**_keys(prompt), "asked": WHOLE}, Choose(text, words))


def _keys(prompt: Prompt) -> dict[str, str | int]:
    return {"kind": prompt.kind, "item": prompt.item, "background": prompt.background}


def _text_and_context(prompt: Prompt, family: Family, *, separate: bool) -> tuple[str, str]:
    """The text with the blank, and the knowledge as its context (empty where it is part of the text)."""
    text = prompt.causal if family == "causal" else prompt.base
    if separate:
        return text, prompt.knowledge
    return f"{prompt.knowledge} {text}".strip(), ""
