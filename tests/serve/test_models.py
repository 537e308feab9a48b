"""Models are kept warm: loaded once and one at a time, and a model that fails says why and is tried again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from tacit.errors import ModelError
from tacit.models import Model
from tacit.serve.models import WarmModels


def until_ready(models: WarmModels, name: str) -> None:
    deadline = time.monotonic() + 20
    while not models.ready(name):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_model_that_cannot_be_loaded_says_why_and_is_tried_again(tiny: Callable[[str], Model]) -> None:
    tries: list[str] = []

    def load(name: str) -> Model:
        tries.append(name)
        if len(tries) == 1:
            raise ModelError("Its folder is empty.")
        return tiny("bert")

    models = WarmModels(["mended"], load)
    with pytest.raises(ModelError, match="Its folder is empty"):
        until_ready(models, "mended")
    until_ready(models, "mended")
    assert models.ask("mended", lambda model: model.family).result() == "masked"
    assert len(tries) == 2
    models.close()


def test_models_are_loaded_one_at_a_time(tiny: Callable[[str], Model]) -> None:
    model, alone, together = tiny("bert"), threading.Lock(), []

    def load(_: str) -> Model:
        together.append(not alone.acquire(blocking=False))
        time.sleep(0.1)
        alone.release()
        return model

    models = WarmModels(["a", "b", "c"], load)
    for name in models.names:
        models.ready(name)
    for name in models.names:
        until_ready(models, name)
    assert together == [False, False, False]
    models.close()
