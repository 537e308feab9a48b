"""Gates: rules that a model must keep before it ships, each with three outcomes: pass, fail, cannot tell."""

from __future__ import annotations

from tacit.gates.evaluate import Outcome
from tacit.gates.files import json_bytes, junit_bytes
from tacit.gates.gate import GateResult, gate
from tacit.gates.rules import Rule, Rules, read_rules

__all__ = ["GateResult", "Outcome", "Rule", "Rules", "gate", "json_bytes", "junit_bytes", "read_rules"]
