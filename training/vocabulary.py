"""One lower-case WordPiece vocabulary for both standards, so that they are comparable token by token."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

__all__ = ["SPECIAL_TOKENS", "encode", "save_tokenizer", "train_vocabulary"]

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def train_vocabulary(varieties: Sequence[Sequence[str]], size: int) -> Tokenizer:
    """Train on the same number of words of each variety, so that neither owns the vocabulary."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=list(SPECIAL_TOKENS), limit_alphabet=120, show_progress=False
    )
    fewest = min(sum(len(text.split()) for text in texts) for texts in varieties)
    tokenizer.train_from_iterator((text for texts in varieties for text in _first_words(texts, fewest)), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", tokenizer.token_to_id("[CLS]")), ("[SEP]", tokenizer.token_to_id("[SEP]"))],
    )
    return tokenizer


def encode(tokenizer: Tokenizer, texts: Sequence[str], length: int) -> list[list[int]]:
    """Token numbers with the two special tokens at the ends, cut to the model's length."""
    return [
        encoding.ids[: length - 1] + encoding.ids[-1:] if len(encoding.ids) > length else encoding.ids
        for encoding in tokenizer.encode_batch(list(texts))
    ]


def save_tokenizer(tokenizer: Tokenizer, folder: Path, length: int) -> None:
    """The two files from which transformers loads a BERT tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": True,
        "model_max_length": length,
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n")


def _first_words(texts: Sequence[str], words: int) -> Iterable[str]:
    for text in texts:
        if words <= 0:
            return
        words -= len(text.split())
        yield text
