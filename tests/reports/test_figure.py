"""A model has one colour throughout a report."""

from __future__ import annotations

from tacit.figure import model_scale, models_of_report


def test_a_model_keeps_its_colour_where_another_is_missing() -> None:
    with models_of_report(["a", "b", "c"]):
        both = dict(zip(("a", "b"), model_scale(["a", "b"]).range, strict=True))
        alone = model_scale(["b"]).range
    assert alone == [both["b"]]
    assert both["a"] != both["b"]


def test_outside_a_report_colours_go_by_order() -> None:
    assert model_scale(["b"]).range == model_scale(["a"]).range


def test_many_models_still_have_colours() -> None:
    assert len(model_scale([str(n) for n in range(20)]).range) == 20
