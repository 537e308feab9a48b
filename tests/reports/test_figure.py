"""A model has one color, in every chart and in every report, and no meaning shares it."""

from __future__ import annotations

from tacit import figure
from tacit.figure import model_colors, model_scale, models_of_report, ordered_models


def test_a_model_keeps_its_color_where_another_is_missing() -> None:
    with models_of_report(["a", "b", "c"]):
        both = dict(zip(("a", "b"), model_scale(["a", "b"]).range, strict=True))
        alone = model_scale(["b"]).range
    assert alone == [both["b"]]
    assert both["a"] != both["b"]


def test_a_models_color_does_not_depend_on_who_comes_first() -> None:
    assert model_colors(["modern", "bert", "early-modern"])["modern"] == model_colors(["modern"])["modern"]
    names = [f"model-{n}" for n in range(5)]
    assert model_colors(names) == {name: model_colors(names[::-1])[name] for name in names}


def test_models_of_a_report_differ_in_color_while_colors_last() -> None:
    names = ["early-modern", "modern", *(f"model-{n}" for n in range(6))]
    assert len(set(model_colors(names).values())) == 8
    assert len(model_scale([str(n) for n in range(20)]).range) == 20


def test_models_are_ordered_alike_whatever_the_order_of_the_runs() -> None:
    assert ordered_models(["Zeta", "modern", "alpha", "early-modern"]) == ["early-modern", "modern", "alpha", "Zeta"]


def test_no_meaning_has_the_color_of_a_model() -> None:
    meanings = {figure.POSITIVE, figure.NEGATIVE, figure.NEUTRAL, figure.UNDECIDED}
    meanings |= {figure.FIRST_GROUP, figure.SECOND_GROUP}
    assert not meanings & {*model_colors(["early-modern", "modern", *map(str, range(50))]).values()}


def test_every_color_is_seen_on_white_and_on_the_dark_page() -> None:
    colors = {*model_colors(["early-modern", "modern", *map(str, range(50))]).values(), figure.POSITIVE}
    colors |= {figure.NEGATIVE, figure.NEUTRAL, figure.UNDECIDED, figure.FIRST_GROUP, figure.SECOND_GROUP}
    for color in colors:
        assert min(_contrast(color, "#ffffff"), _contrast(color, "#14181d")) >= 3, color


def _contrast(one: str, other: str) -> float:
    lights = sorted((_luminance(one), _luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(color: str) -> float:
    parts = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
