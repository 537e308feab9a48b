"""How many simulated data sets the tests of verdicts draw: few in `make test`, many in `make calibrate`."""

from __future__ import annotations

import os

__all__ = ["DATASETS"]

DATASETS = 2000 if os.environ.get("TACIT_CALIBRATE") else 200
