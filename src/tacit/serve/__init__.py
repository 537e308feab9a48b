"""The live page: explore models, look at runs, start them, and rate. `tacit serve` starts it."""

from tacit.serve.app import create_app

__all__ = ["create_app"]
