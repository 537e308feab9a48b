"""Connecting to a model behind an endpoint; a server that would give doubtful numbers is refused with one sentence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tacit.errors import ModelError
from tacit.models.endpoints.address import Address, parse_address
from tacit.models.endpoints.client import Client
from tacit.models.endpoints.dialect import Dialect, Served
from tacit.models.endpoints.handshake import (
    check_alignment,
    check_sense,
    check_tokenizer,
    count_ranked,
    score_row,
    sentence_rows,
)
from tacit.models.endpoints.identity import Identity, recognize
from tacit.models.endpoints.llama import Llama
from tacit.models.endpoints.loop import run
from tacit.models.endpoints.model import EndpointModel
from tacit.models.endpoints.network import EndpointNetwork
from tacit.models.endpoints.noise import noise_floor
from tacit.models.endpoints.openai import OpenAI
from tacit.models.endpoints.sglang import SGLang
from tacit.models.endpoints.tokenizer import ServerTokenizer
from tacit.models.endpoints.vllm import VLLM
from tacit.models.explaining import explained
from tacit.models.fetching import fetched_path
from tacit.models.hf.sequences import Pieces
from tacit.models.hf.tokens import Tokens
from tacit.models.status import status

__all__ = ["load"]

_DIALECTS: dict[str, type[Dialect]] = {"vllm": VLLM, "sglang": SGLang, "llama": Llama, "openai": OpenAI}


def load(
    scheme: str,
    name: str,
    *,
    device: str = "cpu",
    dtype: str = "float32",
    begin: bool | None = None,
    force: bool = False,
    **_options: Any,
) -> EndpointModel:
    """Connect to a model behind an endpoint and check that it can be asked; the options are those of `tacit.load`."""
    address = parse_address(scheme, name)
    if device != "cpu" or dtype != "float32":
        raise ModelError(
            f"The server at {address.name} decides where and how precisely it computes. Leave out --device and "
            "--dtype, and start the server with them."
        )
    dialect = _DIALECTS[scheme](Client(address))
    served = run(dialect.open())
    tokens = _tokens(dialect, served, begin)
    run(dialect.check())
    rows = sentence_rows(tokens)
    network = EndpointNetwork(dialect, address.concurrency or served.concurrency, count_ranked(dialect, rows[0]))
    identity = _identify(network, served, tokens, rows)
    description = {
        "server": served.server,
        "served_model": served.model,
        **served.details,
        "unpinned": True,
        "noise_floor": identity.noise_floor,
        "tokenizer": address.tokenizer or "the server's",
        "input_limit": tokens.limit,
        "ranks_known": network.ranked,
        "begin": tokens.begin_name,
        **_require_sound(address, identity, force),
    }
    return EndpointModel(f"{scheme}+{name}", tokens, network, identity, description)


def _tokens(dialect: Dialect, served: Served, begin: bool | None) -> Tokens:
    """The server's own tokenizer where it tells the tokens of a text, otherwise the one that the user names."""
    named = dialect.address.tokenizer
    if named is None and not dialect.tokenizes:
        raise ModelError(
            f"{dialect.server} does not tell the tokens of a text, so the tokenizer must be here. Name its folder: "
            f"{dialect.address.name}?tokenizer=FOLDER#{served.model}."
        )
    if named is None:
        tokenizer: Any = ServerTokenizer(dialect)
        if begin and tokenizer.bos_token_id is None:
            raise dialect.unusable(
                "it does not tell its begin token, so --begin needs ?tokenizer=FOLDER in the address"
            )
        return Tokens(tokenizer, served.limit, begin)
    tokenizer = _read_tokenizer(named)
    dialect.tokenizer = tokenizer
    limits = [limit for limit in (served.limit, tokenizer.model_max_length) if limit and 0 < limit < 10**6]
    tokens = Tokens(tokenizer, min(limits, default=None), begin)
    check_tokenizer(dialect, tokens)
    return tokens


def _read_tokenizer(name: str) -> Any:
    """The tokenizer in a folder, of a fetched model, or of a Hugging Face name."""
    from transformers import AutoTokenizer  # noqa: PLC0415 - imports torch

    folder = fetched_path(name) if "/" not in name and fetched_path(name).is_dir() else Path(name).expanduser()
    if name.startswith((".", "/", "~")) and not folder.is_dir():
        raise ModelError(f"There is no folder {name} with a tokenizer.")
    with explained(f"The tokenizer {name!r} cannot be read", own_code=name):
        return AutoTokenizer.from_pretrained(str(folder) if folder.is_dir() else name, trust_remote_code=False)


def _identify(network: EndpointNetwork, served: Served, tokens: Tokens, rows: list[Pieces]) -> Identity:
    """Meet the model: score the fixed sentences, and examine it if it was not met before."""
    dialect = network.dialect
    answers = [score_row(dialect, row) for row in rows]
    facts = {
        "scheme": dialect.address.scheme,
        "server": served.server,
        "model": served.model,
        "details": served.details,
        "rows": rows,
        "limit": tokens.limit,
        "begin": tokens.begin,
        "ranked": network.ranked,
    }

    def examine() -> tuple[float, dict[str, str]]:
        with status(f"Getting to know {served.model} (only once) …"):
            difference = check_alignment(dialect, rows)
            sense = check_sense(dialect, tokens, answers)
            noise = noise_floor(dialect, rows, answers, network.concurrency)
        return max(noise, difference), {} if sense.passed else {sense.name: sense.detail}

    return recognize(facts, answers, examine)


def _require_sound(address: Address, identity: Identity, force: bool) -> dict[str, Any]:
    """Reject a model that knows no language, or describe that it is asked all the same."""
    if identity.failed and not (force or os.environ.get("TACIT_FORCE") == "1"):
        raise ModelError(
            f"The model at {address.name} cannot be interpreted: {next(iter(identity.failed.values()))}. Check what is "
            "served there; --force (force=True) asks it all the same."
        )
    return {"forced": identity.failed} if identity.failed else {}
