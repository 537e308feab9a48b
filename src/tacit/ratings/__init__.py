"""Ratings: what people say of a token in a sentence, on a bipolar scale, gathered blind and kept."""

from __future__ import annotations

from tacit.ratings.agreement import agreement, disputed
from tacit.ratings.bank import Bank, bank_path
from tacit.ratings.rating import Aggregate, Rating, combined, read_ratings, token_key
from tacit.ratings.scale import Scale, read_scale
from tacit.ratings.sheet import TokenToRate, read_sheet, write_sheet

__all__ = [
    "Aggregate",
    "Bank",
    "Rating",
    "Scale",
    "TokenToRate",
    "agreement",
    "bank_path",
    "combined",
    "disputed",
    "read_ratings",
    "read_scale",
    "read_sheet",
    "token_key",
    "write_sheet",
]
