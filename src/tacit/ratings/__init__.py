"""Ratings: how people score a token in a sentence on a bipolar scale, collected blind and kept in a bank."""

from __future__ import annotations

from tacit.ratings.agreement import agreement, disputed_tokens
from tacit.ratings.bank import Bank, bank_path
from tacit.ratings.kept import kept_bytes, read_kept
from tacit.ratings.rating import Aggregate, Rating, combine_ratings, read_ratings, token_key
from tacit.ratings.scale import Scale, ScaleShape, read_scale
from tacit.ratings.sheet import TokenToRate, read_sheet, write_sheet

__all__ = [
    "Aggregate",
    "Bank",
    "Rating",
    "Scale",
    "ScaleShape",
    "TokenToRate",
    "agreement",
    "bank_path",
    "combine_ratings",
    "disputed_tokens",
    "kept_bytes",
    "read_kept",
    "read_ratings",
    "read_scale",
    "read_sheet",
    "token_key",
    "write_sheet",
]
