"""An address says which server, which model and which options, and never holds a secret."""

from __future__ import annotations

import pytest

from tacit.errors import ModelError
from tacit.models.endpoints.address import parse_address


def test_an_address_has_a_url_a_model_and_options() -> None:
    text = "http://127.0.0.1:8000/v1?tokenizer=./a%20b&concurrency=8&timeout=5#Qwen/Qwen3-0.6B"
    address = parse_address("vllm", text)
    assert (address.url, address.model) == ("http://127.0.0.1:8000", "Qwen/Qwen3-0.6B")
    assert (address.tokenizer, address.concurrency, address.timeout) == ("./a b", 8, 5)
    assert address.is_local
    assert address.name == "vllm+http://127.0.0.1:8000"


def test_a_path_before_v1_is_kept_and_a_model_may_be_left_out() -> None:
    address = parse_address("openai", "https://example.org/team/v1/")
    assert (address.url, address.model, address.is_local) == ("https://example.org/team", None, False)
    assert parse_address("llama", "http://[::1]:8080").is_local


@pytest.mark.parametrize(
    "text", ["127.0.0.1:8000", "ftp://host", "http://", "http://host:99999", "http://a b", "http:///x"]
)
def test_what_is_no_address_is_answered_with_the_right_form(text: str) -> None:
    with pytest.raises(ModelError, match=r"is not the address of a model\. Write vllm\+http://HOST:PORT#MODEL\."):
        parse_address("vllm", text)


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ModelError, match="TACIT_API_KEY") as refusal:
        parse_address("openai", "https://me:s3cret@example.org#m")
    assert "s3cret" not in str(refusal.value)
    assert "me:" not in str(refusal.value)


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("tokeniser=x", "did you mean 'tokenizer'"),
        ("concurrency=0", "whole number from 1"),
        ("timeout=soon", "whole number from 1"),
        ("concurrency=-3", "whole number from 1"),
    ],
)
def test_a_wrong_option_is_named(query: str, hint: str) -> None:
    with pytest.raises(ModelError, match=hint):
        parse_address("llama", f"http://127.0.0.1:8080?{query}")
