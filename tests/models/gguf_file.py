"""A small Llama written as a GGUF file, the way llama.cpp's converter lays it out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from safetensors.numpy import load_file

_NAMES = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_ENDS = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}


def write_gguf(folder: Path, path: Path) -> Path:
    """Turn a saved small Llama into one GGUF file."""
    config: dict[str, Any] = json.loads((folder / "config.json").read_text())
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])
    vocabulary = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].get)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(vocabulary)
    special = {token["content"] for token in tokenizer["added_tokens"]}
    writer.add_token_types([3 if token in special else 1 for token in vocabulary])
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(2)
    for name, tensor in load_file(folder / "model.safetensors").items():
        writer.add_tensor(*_renamed(name, tensor.astype(np.float32), config))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _renamed(name: str, tensor: np.ndarray, config: dict[str, Any]) -> tuple[str, np.ndarray]:
    if name in _ENDS:
        return _ENDS[name], tensor
    _, _, layer, *rest = name.split(".")
    part = ".".join(rest[:-1])
    heads = {"self_attn.q_proj": config["num_attention_heads"], "self_attn.k_proj": config["num_key_value_heads"]}
    if part in heads:
        # llama.cpp interleaves the two halves of each head for its rotary embedding.
        halves = tensor.reshape(heads[part], 2, tensor.shape[0] // heads[part] // 2, -1)
        tensor = np.ascontiguousarray(halves.swapaxes(1, 2).reshape(tensor.shape))
    return f"blk.{layer}.{_NAMES[part]}.weight", tensor
