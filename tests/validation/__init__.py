"""Tests of what a probe was shown to see."""
