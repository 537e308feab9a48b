"""Random models of true size with real tokenizers of made-up words: speed depends on shapes, not on what was learnt."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from itertools import islice, product
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

__all__ = ["WORDS", "build_bert", "build_gpt2"]

_SYLLABLES = ["".join(pair) for pair in product("bcdfghjklmnprstvwz", "aeiou")]
# One token each for both tokenizers (after a space); the benchmarks write their texts with these.
WORDS = ["".join(pair) for pair in product(_SYLLABLES, _SYLLABLES)]
_BERT_WORDS, _GPT2_WORDS = 30_522, 50_257
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def build_bert(folder: Path, vocabulary: Seq[str] | None = None, **sizes: int) -> Path:
    """BERT-base, unless other sizes or a smaller vocabulary of whole words are given."""
    tokenizer = _wordpiece(_bert_words() if vocabulary is None else vocabulary)
    return _save(BertForMaskedLM, BertConfig(vocab_size=len(tokenizer), **sizes), tokenizer, folder)


def build_gpt2(folder: Path) -> Path:
    """GPT-2 small."""
    return _save(GPT2LMHeadModel, GPT2Config(vocab_size=_GPT2_WORDS), _byte_level(), folder)


def _save(kind: Any, config: Any, tokenizer: PreTrainedTokenizerFast, folder: Path) -> Path:
    torch.manual_seed(0)
    model = kind(config)
    # Probabilities that differ, so that peers can be checked against each other; the layers stay as they are, for with
    # weights as large as these they would make a rounding error as large as a difference.
    model.get_output_embeddings().weight.data.mul_(3)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _bert_words() -> list[str]:
    letters = [*"abcdefghijklmnopqrstuvwxyz.,!?'"]
    known = letters + [f"##{letter}" for letter in letters] + ["it", "was"] + _SYLLABLES + WORDS
    longer = ("".join(each) for each in product(_SYLLABLES, repeat=3))
    return known + list(islice(longer, _BERT_WORDS - len(_SPECIAL) - len(known)))


def _wordpiece(words: Seq[str]) -> PreTrainedTokenizerFast:
    known = {word: i for i, word in enumerate([*_SPECIAL, *words])}
    tokenizer = Tokenizer(models.WordPiece(known, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=512,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def _byte_level() -> PreTrainedTokenizerFast:
    """Merges build syllables from letters, and words from a space and syllables."""
    merges = [(syllable[0], syllable[1]) for syllable in _SYLLABLES] + [("i", "t"), ("w", "a"), ("wa", "s")]
    merges += [("Ġ", start) for start in [*_SYLLABLES, "it", "was"]]
    merges += [(f"Ġ{first}", second) for first, second in product(_SYLLABLES, repeat=2)]
    end = "<|endoftext|>"
    known = {letter: i for i, letter in enumerate([end, *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    for first, second in merges:
        known.setdefault(first + second, len(known))
    longer = ((f"Ġ{one}{two}", three) for one, two, three in product(_SYLLABLES, repeat=3))
    for first, second in islice(longer, _GPT2_WORDS - len(known)):
        merges.append((first, second))
        known[first + second] = len(known)
    tokenizer = Tokenizer(models.BPE(known, list(dict.fromkeys(merges))))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=1024, bos_token=end, eos_token=end, pad_token=end
    )
