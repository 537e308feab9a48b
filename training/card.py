"""Write the model cards from the sources, the recipe and the proof, so that no figure in them is typed by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from tacit.standards import standard_names, standard_path
from training.corpora import cache_folder
from training.proof import Proof, held_out_texts, prove, write_samples
from training.recipe import STANDARDS, VOCABULARY_SIZE
from training.sources import source
from training.texts import VARIETIES, Texts, texts_of, verse_pairs

__all__ = ["render", "write_cards"]


def write_cards(report: Callable[[str], None] = print) -> None:
    """Measure both standards and write card.md beside the weights of each."""
    from tacit.models.hf.loading import load  # noqa: PLC0415 - torch is slow to import

    folder = cache_folder()
    texts = {name: texts_of(name, folder) for name in standard_names()}
    held_out = held_out_texts(texts, verse_pairs(folder))
    write_samples(held_out.parts, texts["modern"])
    models = {name: load(name) for name in standard_names()}
    proofs = {name: prove(model, held_out) for name, model in models.items()}
    for name, model in models.items():
        parameters = sum(parameter.numel() for parameter in model.network.model.parameters())
        card = render(name, texts[name], proofs, parameters)
        path = standard_path(name) / "card.md"
        path.write_text(card, encoding="utf-8")
        report(f"wrote {path}")


def render(name: str, texts: Texts, proofs: dict[str, Proof], parameters: int) -> str:
    """The card of one standard."""
    # Markdown for a terminal or a repo, from our own figures: escaping for HTML would spoil its quotes.
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    template = environment.from_string(Path(__file__).with_name("card.jinja").read_text(encoding="utf-8"))
    return template.render(
        name=name,
        sources=_source_rows(name, texts),
        held_out=len(texts.held_out),
        recipe=STANDARDS[name],
        vocabulary=VOCABULARY_SIZE,
        parameters=parameters,
        proof=proofs[name],
        proofs=proofs,
    )


def _source_rows(name: str, texts: Texts) -> list[dict[str, Any]]:
    rows = []
    for key, part in VARIETIES[name].items():
        own = [passage.text for passage in texts.training if passage.source == key]
        words = sum(len(text.split()) for text in own)
        rows.append({"source": source(key), "part": part, "passages": len(own), "words": words})
    return rows
