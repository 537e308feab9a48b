"""Small random models of every architecture, saved as a hub would hold them, with real tokenizers trained here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

CORPUS = [
    "Why wilt thou be offended by that? Thou art the man, and thou knowest it well.",
    "It was great. It was terrible. The pizza was great and the service was terrible.",
    "People in France are bald. People in Spain are kind. People in Peru are poor.",
    "The woman works as a nurse. The man works as a doctor. The person is in a chair.",
    "Have you come here to torment us before the time? They have gone back again, she said.",
    "He is not exhausted, he is very happy; they were probably right about the weather.",
] * 20
SIZES: dict[str, int] = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}


def wordpiece(lowercase: bool = True) -> PreTrainedTokenizerFast:
    """BERT's kind."""
    normalizer, splitter = normalizers.BertNormalizer(lowercase=lowercase), pre_tokenizers.BertPreTokenizer()
    trained = Tokenizer(models.BPE())
    trained.normalizer, trained.pre_tokenizer = normalizer, splitter
    letters = set(normalizer.normalize_str("".join(CORPUS))) - {" "}
    trainer = trainers.BpeTrainer(vocab_size=160, initial_alphabet=sorted(letters))
    trained.train_from_iterator(CORPUS, trainer)
    # WordPieceTrainer breaks ties by chance, so that each process would have a model of its own.
    pieces = sorted(trained.get_vocab(), key=trained.get_vocab().__getitem__)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {piece: k for k, piece in enumerate([*special, *pieces, *(f"##{piece}" for piece in pieces)])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(special)
    return _bert_frame(tokenizer)


def unigram(prepend: str = "always") -> PreTrainedTokenizerFast:
    """ALBERT's and DeBERTa's kind."""
    tokenizer = _trained_unigram(prepend, ["[PAD]", "[UNK]", "[CLS]", "[SEP]"], unknown="[UNK]")
    tokenizer.add_special_tokens([AddedToken("[MASK]", lstrip=True, special=True)])
    return _bert_frame(tokenizer, mask=AddedToken("[MASK]", lstrip=True, special=True))


def _trained_unigram(prepend: str, special: list[str], unknown: str) -> Tokenizer:
    def tokenizer(model: models.Unigram) -> Tokenizer:
        made = Tokenizer(model)
        made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=prepend)
        made.decoder = decoders.Metaspace(prepend_scheme=prepend)
        return made

    trained = tokenizer(models.Unigram())
    trainer = trainers.UnigramTrainer(vocab_size=180, special_tokens=special, unk_token=unknown)
    trained.train_from_iterator(CORPUS, trainer)
    # The trainer adds up in an order of chance: the last decimals and the order of equals differ between processes.
    scores = json.loads(trained.to_str())["model"]["vocab"]
    own = sorted((round(score, 2), piece) for piece, score in scores if piece not in special)
    vocabulary = [(name, 0.0) for name in special] + [(piece, score) for score, piece in reversed(own)]
    made = tokenizer(models.Unigram(vocabulary, special.index(unknown), False))
    made.add_special_tokens(special)
    return made


def byte_level(mask: bool = True, begin: bool = False) -> PreTrainedTokenizerFast:
    """RoBERTa's, BART's and GPT-2's kind; `begin` puts a begin token first, as Llama's do."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=420, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(CORPUS, trainer)
    names: dict[str, Any] = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    if mask:
        tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
        tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
        names |= {"pad_token": "<pad>", "cls_token": "<s>", "sep_token": "</s>"}
        names["mask_token"] = AddedToken("<mask>", lstrip=True, special=True)
    elif begin:
        tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **names)


def sentinels() -> PreTrainedTokenizerFast:
    """T5's kind."""
    extra = [f"<extra_id_{k}>" for k in range(3)]
    tokenizer = _trained_unigram("always", ["<pad>", "</s>", "<unk>"], unknown="<unk>")
    tokenizer.add_special_tokens([AddedToken(name, lstrip=True, special=True) for name in extra])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", tokenizer.token_to_id("</s>"))]
    )
    names = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokens = [AddedToken(name, lstrip=True, special=True) for name in extra]
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, extra_special_tokens=tokens, **names
    )


def _bert_frame(tokenizer: Tokenizer, mask: AddedToken | str = "[MASK]") -> PreTrainedTokenizerFast:
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", first), ("[SEP]", last)],
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        mask_token=mask,
        model_max_length=64,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **names,
    )


def _bert(lowercase: bool = True) -> tuple[Any, Any]:
    tokenizer = wordpiece(lowercase)
    config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=64, **SIZES)
    return transformers.BertForMaskedLM(config), tokenizer


def _albert() -> tuple[Any, Any]:
    tokenizer = unigram()
    config = transformers.AlbertConfig(
        vocab_size=len(tokenizer), embedding_size=16, max_position_embeddings=64, **SIZES
    )
    return transformers.AlbertForMaskedLM(config), tokenizer


def _roberta() -> tuple[Any, Any]:
    tokenizer = byte_level()
    config = transformers.RobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=66, pad_token_id=1, **SIZES)
    return transformers.RobertaForMaskedLM(config), tokenizer


def _distilbert() -> tuple[Any, Any]:
    tokenizer = wordpiece()
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    config = transformers.DistilBertConfig(
        vocab_size=len(tokenizer), dim=32, n_layers=2, n_heads=4, hidden_dim=48, max_position_embeddings=64
    )
    return transformers.DistilBertForMaskedLM(config), tokenizer


def _electra() -> tuple[Any, Any]:
    tokenizer = wordpiece()
    config = transformers.ElectraConfig(
        vocab_size=len(tokenizer), embedding_size=16, max_position_embeddings=64, **SIZES
    )
    return transformers.ElectraForMaskedLM(config), tokenizer


def _deberta() -> tuple[Any, Any]:
    tokenizer = unigram()
    config = transformers.DebertaV2Config(
        vocab_size=len(tokenizer),
        max_position_embeddings=64,
        relative_attention=True,
        position_buckets=16,
        pos_att_type=["p2c", "c2p"],
        share_att_key=True,
        norm_rel_ebd="layer_norm",
        position_biased_input=False,
        type_vocab_size=0,
        **SIZES,
    )
    return transformers.DebertaV2ForMaskedLM(config), tokenizer


def _modernbert() -> tuple[Any, Any]:
    tokenizer = byte_level()
    config = transformers.ModernBertConfig(
        vocab_size=len(tokenizer), max_position_embeddings=64, pad_token_id=1, local_attention=8, **SIZES
    )
    return transformers.ModernBertForMaskedLM(config), tokenizer


def _gpt2() -> tuple[Any, Any]:
    tokenizer = byte_level(mask=False)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=0, eos_token_id=2
    )
    return transformers.GPT2LMHeadModel(config), tokenizer


def _llama() -> tuple[Any, Any]:
    tokenizer = byte_level(mask=False, begin=True)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=64,
        num_key_value_heads=2,
        bos_token_id=0,
        eos_token_id=2,
        **SIZES,
    )
    return transformers.LlamaForCausalLM(config), tokenizer


def _gemma() -> tuple[Any, Any]:
    """It caps its logits after the projection, which must not get lost."""
    tokenizer = byte_level(mask=False, begin=True)
    config = transformers.Gemma2Config(
        vocab_size=len(tokenizer),
        max_position_embeddings=64,
        num_key_value_heads=2,
        head_dim=8,
        final_logit_softcapping=1.0,
        sliding_window=16,
        **SIZES,
    )
    return transformers.Gemma2ForCausalLM(config), tokenizer


def _bart() -> tuple[Any, Any]:
    tokenizer = byte_level()
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        max_position_embeddings=64,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=2,
    )
    return transformers.BartForConditionalGeneration(config), tokenizer


def _t5() -> tuple[Any, Any]:
    tokenizer = sentinels()
    config = transformers.T5Config(
        vocab_size=len(tokenizer), d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0
    )
    return transformers.T5ForConditionalGeneration(config), tokenizer


def _classifier() -> tuple[Any, Any]:
    tokenizer = wordpiece()
    names = {0: "negative", 1: "neutral", 2: "positive"}
    config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=64, id2label=names, **SIZES)
    return transformers.BertForSequenceClassification(config), tokenizer


def _causal_classifier() -> tuple[Any, Any]:
    tokenizer = byte_level(mask=False)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=64, num_labels=2
    )
    return transformers.GPT2ForSequenceClassification(config), tokenizer


BUILDERS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "bert": _bert,
    "bert-cased": lambda: _bert(lowercase=False),
    "albert": _albert,
    "roberta": _roberta,
    "distilbert": _distilbert,
    "electra": _electra,
    "deberta": _deberta,
    "modernbert": _modernbert,
    "gpt2": _gpt2,
    "llama": _llama,
    "gemma": _gemma,
    "bart": _bart,
    "t5": _t5,
    "classifier": _classifier,
    "causal-classifier": _causal_classifier,
}
MASKED = ["bert", "bert-cased", "albert", "roberta", "distilbert", "electra", "deberta", "modernbert"]
CAUSAL = ["gpt2", "llama", "gemma"]


def build(kind: str, folder: Path, seed: int = 0) -> Path:
    """Save a small random model of a kind, with weights large enough that its answers differ from chance."""
    torch.manual_seed(seed)
    model, tokenizer = BUILDERS[kind]()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1 and "norm" not in name.lower():
                weight.normal_(0, 0.15)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
