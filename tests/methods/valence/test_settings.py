"""Settings that contradict the published way are refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tacit.methods.valence import ValenceSettings


def test_the_as_published_mode_keeps_what_the_study_kept() -> None:
    with pytest.raises(ValidationError, match="mode=as-published needs renormalise=true"):
        ValenceSettings(mode="as-published", subwords="drop")
