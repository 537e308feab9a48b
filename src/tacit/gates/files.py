"""The result of a gate for other programs: JSON, and the JUnit XML that CI systems show."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from tacit.gates.evaluate import Outcome
from tacit.gates.gate import GateResult

__all__ = ["json_bytes", "junit_bytes"]

# XML 1.0 has no way to write these, not even escaped.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def json_bytes(result: GateResult) -> bytes:
    """The result as a JSON document."""
    document = {
        "passed": result.passed,
        "model": result.model,
        "baseline": result.baseline,
        "rules": [_record(outcome) for outcome in result.outcomes],
        "runs": [str(folder) for folder in result.folders],
    }
    return (json.dumps(document, indent=1, ensure_ascii=True) + "\n").encode()


def junit_bytes(result: GateResult) -> bytes:
    """The result as JUnit XML: one test case per rule; one that cannot be told but may pass counts as skipped."""
    cases = [_case(result.model, outcome) for outcome in result.outcomes]
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(outcome.blocks for outcome in result.outcomes)),
        "skipped": str(sum(_is_skipped(outcome) for outcome in result.outcomes)),
        "errors": "0",
    }
    suite = ElementTree.Element("testsuite", {"name": _clean(f"tacit gate {result.model}"), **counts})
    suite.extend(cases)
    suites = ElementTree.Element("testsuites", counts)
    suites.append(suite)
    return bytes(ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True))


def _record(outcome: Outcome) -> dict[str, object]:
    rule = outcome.rule
    return {
        "name": rule.title,
        "probe": rule.probe,
        "measure": rule.measure,
        "group": rule.group,
        "item": rule.item,
        "compared": rule.compared,
        "at_least": rule.at_least,
        "at_most": rule.at_most,
        "decision": outcome.decision,
        "value": outcome.value,
        "low": outcome.low,
        "high": outcome.high,
        "reason": outcome.reason,
        "blocks": outcome.blocks,
    }


def _case(model: str, outcome: Outcome) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase", {"classname": _clean(f"{outcome.rule.probe}.{model}"), "name": _clean(outcome.rule.title)}
    )
    if outcome.blocks:
        message = _clean(f"{outcome.decision}: {outcome.numbers}; {outcome.rule.bound} is required")
        ElementTree.SubElement(case, "failure", {"message": message}).text = _clean(outcome.reason or message)
    elif _is_skipped(outcome):
        ElementTree.SubElement(case, "skipped", {"message": _clean(f"cannot tell: {outcome.reason}")})
    return case


def _is_skipped(outcome: Outcome) -> bool:
    return outcome.decision == "cannot tell" and not outcome.blocks


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)
