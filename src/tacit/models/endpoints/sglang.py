"""SGLang's own API. Written from its documentation and source; it has never been run against a real server."""

from __future__ import annotations

from typing import Any

from tacit.models.endpoints.dialect import Dialect, Served
from tacit.models.endpoints.replies import ReplyError, field, logprob, token_id, token_ids
from tacit.models.hf.sequences import Pieces, TopTokens

__all__ = ["SGLang"]


class SGLang(Dialect):
    """`python -m sglang.launch_server --model-path MODEL`; it tells no bytes of tokens, so a local tokenizer must."""

    server = "SGLang"
    flags = "Start it with python -m sglang.launch_server --model-path MODEL."

    async def _open(self) -> Served:
        information = await self.client.find("/get_model_info")
        if not isinstance(information, dict) or "model_path" not in information:
            raise self.not_this_server(await self.client.find("/v1/models"))
        if not information.get("is_generation", True):
            raise self._wrong("it serves a model that writes no text")
        settings = await self.client.find("/get_server_info") or {}
        path = str(information["model_path"])
        names = {path, str(settings.get("served_model_name") or path)}
        if self.address.model is not None and self.address.model not in names:
            raise self._wrong(f"it serves no model {self.address.model!r}, but {' or '.join(sorted(names))}")
        limit = settings.get("context_length") or settings.get("max_req_input_len")
        return Served(
            server=f"SGLang {settings.get('version', 'of an unknown version')}",
            model=path,
            limit=limit if isinstance(limit, int) else None,
            details={"weights": str(information.get("weight_version"))},
        )

    async def _ids_of(self, text: str) -> list[int]:
        body = {"model": self.model, "prompt": text, "add_special_tokens": False}
        return token_ids(field(await self.client.post("/tokenize", body), "tokens"))

    async def _top(self, ids: Pieces, count: int) -> TopTokens:
        reply = await self._generate(ids, 1, top_logprobs_num=count)
        ranked = sorted(
            ((logprob(field(entry, 0)), token_id(field(entry, 1))) for entry in field(reply, "output_top_logprobs", 0)),
            key=lambda pair: -pair[0],
        )
        return TopTokens([token for _, token in ranked], [value for value, _ in ranked])

    async def _score(self, ids: Pieces, first: int) -> list[float]:
        entries = field(await self._generate(ids, 0, logprob_start_len=0), "input_token_logprobs")
        if not isinstance(entries, list) or [token_id(field(entry, 1)) for entry in entries] != list(ids):
            raise ReplyError("it does not return the tokens that it is given, each with its log-probability")
        if field(entries, 0, 0) is not None:
            raise ReplyError("it gives a log-probability for a first token, before which there is nothing")
        return [logprob(field(entry, 0)) for entry in entries[first:]]

    async def _generate(self, ids: Pieces, written: int, **options: Any) -> Any:
        sampling = {"max_new_tokens": written, "temperature": 0}
        body = {"input_ids": list(ids), "sampling_params": sampling, "return_logprob": True, **options}
        return field(await self.client.post("/generate", body), "meta_info")
