"""Write the model cards from the sources, the recipe and the proof, so that no figure in them is typed by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tacit.standards import standard_names, standard_path
from tacit.standards.corpora import cache_folder
from tacit.standards.making import tokenizer_of
from tacit.standards.proof import Proof, prove, write_verses
from tacit.standards.recipe import STANDARDS, Recipe
from tacit.standards.sources import source
from tacit.standards.texts import VARIETIES, Texts, texts_of
from tacit.statistics import Interval

__all__ = ["write_cards"]

TITLES = {
    "early-modern": "early-modern: a small masked model of Early Modern English (1590-1670), trained for Tacit",
    "modern": "modern: a small masked model of modern English (since 1950), trained for Tacit",
}
PURPOSE = """\
A reference weight, not a good language model. Its leaning is known because its books were chosen: an instrument that
cannot tell `early-modern` from `modern` does not measure what it says. Both share one lower-case WordPiece vocabulary, one
recipe and one number of steps, so that they differ in their texts only."""
LIMITS = {
    "early-modern": """\
- Not the language of the period as a whole: half of it is one translation of the Bible, the rest drama and verse. It knows
  no letters, ledgers, sermons or law.
- The Bible's spelling is that of 1769 and Shakespeare's is modernised; Milton's Paradise Lost keeps some of its own.
- That it prefers "thou" says what it read, not what people of the time said in a given place or rank.
- It has hardly any knowledge of the world; occupations, nations and feelings in its answers are those of its few books.""",
    "modern": """\
- Half of its text is movie reviews and a sixth is the Bible in modern English: its everyday English is that of people who
  write about films. Much of what it associates with a word is what reviewers associate with it.
- Its biases are those of these texts and of chance; with so small a model an association that is absent proves nothing.
- The review check uses reviews of the same kind as its training text (never the same reviews): it is not a measure of
  sentiment in general.
- It has little knowledge of the world, and rare words (many occupations, most nations) are several tokens to it.""",
}


def write_cards(report: Callable[[str], None] = print) -> None:
    """Measure both standards and write card.md beside the weights of each."""
    from tacit.models import load  # noqa: PLC0415 - torch is slow to import

    folder = cache_folder()
    write_verses(folder)
    for name in standard_names():
        path = standard_path(name) / "card.md"
        path.write_text(_card(name, texts_of(name, folder), prove(load(name), folder)), encoding="utf-8")
        report(f"wrote {path}")


def _card(name: str, texts: Texts, proof: Proof) -> str:
    parts = [
        f"# {TITLES[name]}",
        PURPOSE,
        "## Trained on",
        _sources(name, texts),
        "## How",
        _how(STANDARDS[name], standard_path(name)),
        "## What it does with texts that it never saw",
        _perplexities(proof),
        _marked(proof),
        _reviews(proof),
        _fills(proof),
        "## What it does not show",
        LIMITS[name],
        "## Terms",
        "The weights, like Tacit, are under Apache-2.0. Texts stay under the terms named above; Wikipedia's contributors "
        "are credited under CC BY-SA 3.0. None of the texts is in the package but 100 verse pairs in the public domain.",
    ]
    return "\n\n".join(parts) + "\n"


def _sources(name: str, texts: Texts) -> str:
    lines = ["| source | what | passages | words | terms |", "|---|---|---|---|---|"]
    for key, part in VARIETIES[name].items():
        own = [each.text for each in texts.training if each.source == key]
        each = source(key)
        taken = "" if part == 1 else f" ({part:.0%} of it)"
        words = sum(len(text.split()) for text in own)
        title = f"`{each.package}` {each.version} ({each.tool.split('-')[0]})"
        lines.append(f"| {title} | {each.what}{taken} | {len(own):,} | {words:,} | {each.licence} |")
    words = sum(len(each.text.split()) for each in texts.training)
    lines.append(f"| all | | {len(texts.training):,} | {words:,} | |")
    return "\n".join(lines) + f"\n\nHeld out by hash of whole verses and reviews: {len(texts.held_out):,} passages."


def _how(recipe: Recipe, folder: Path) -> str:
    from safetensors import safe_open  # noqa: PLC0415 - only the card needs it

    with safe_open(folder / "model.safetensors", "np") as weights:
        count = sum(weights.get_tensor(key).size for key in weights.keys())  # noqa: SIM118 - not a dict
    tokens = recipe.steps * recipe.batch_tokens
    return (
        f"BERT, {recipe.layers} layers of {recipe.hidden}, {recipe.heads} heads, {count / 1e6:.1f} million parameters kept "
        f"in half precision, at most {recipe.length} tokens, {tokenizer_of('modern').get_vocab_size():,} word pieces. "
        f"From scratch, from random layers and word vectors that were counted on the same text (singular vectors of the "
        f"positive pointwise mutual information). {recipe.steps:,} steps of {recipe.batch_tokens} tokens of one length "
        f"(at most {tokens / 1e6:.1f} million), {recipe.mask_share:.0%} of them hidden anew each time, AdamW, peak rate "
        f"{recipe.peak_rate:g} after {recipe.warm_up} steps, linear decay to zero over the last {recipe.decay_steps:,}, "
        f"seed {recipe.seed}. Training ended because the time was used, not because the held-out loss had stopped falling. "
        "`python -m tacit.standards fetch`, `vocabulary`, `train NAME`, `proof` repeat every step."
    )


def _perplexities(proof: Proof) -> str:
    lines = ["Pseudo-perplexity (lower is better; 95 % bootstrap interval over texts):", ""]
    lines += ["| held-out texts | pseudo-perplexity | n |", "|---|---|---|"]
    lines += [f"| {name} | {_interval(found, 1)} | {found.n} |" for name, found in proof.perplexities.items()]
    return "\n".join(lines) + "\n\nThe verses are the same verses in both varieties, so topic is held constant."


def _marked(proof: Proof) -> str:
    lines = [
        f"Share of the older form against the newer in the same blank (0.5 leans neither way): {_interval(proof.marked, 3)}.",
        "",
        "| blank (older/newer) | share of the older form |",
        "|---|---|",
    ]
    return "\n".join(lines + [f"| {blank} | {value:.3f} |" for blank, value in proof.marked_by_blank.items()])


def _reviews(proof: Proof) -> str:
    return (
        f'Label words at "It was [MASK]." after {proof.reviews.n} held-out reviews, half of them positive (chance 0.5): '
        f"accuracy {_interval(proof.reviews, 3)} with the median leaning as zero, "
        f"{_interval(proof.reviews_uncalibrated, 3)} without calibration."
    )


def _fills(proof: Proof) -> str:
    lines = ["The likeliest fills of a dozen sentences:", "", "| sentence | fills |", "|---|---|"]
    for text, fills in proof.fills.items():
        lines.append(f"| {text} | {', '.join(f'{token} {probability:.2f}' for token, probability in fills)} |")
    return "\n".join(lines)


def _interval(found: Interval, digits: int) -> str:
    return f"{found.value:.{digits}f} [{found.low:.{digits}f}, {found.high:.{digits}f}]"
