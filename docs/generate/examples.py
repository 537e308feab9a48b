"""Ask three models two questions of every probe, and keep the answers in docs/examples for the pages.

python -m docs.generate.examples [PROBE...]: some minutes; needs `tacit models fetch smollm2-135m` once.
"""

from __future__ import annotations

import json
import shlex
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import tacit
from tacit.errors import TacitError
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.exchanges import MOST_EXCHANGES, list_exchanges
from tacit.models.fetching import fetch_model
from tacit.probes import load_probe, probe_names
from tacit.questions import Choose, Fill, Likelihood, Question
from tacit.runs.answers import AnswersWriter
from tacit.runs.plan import Prepared, prepare
from tacit.standards import shipped_names, standard_names

__all__ = ["EXAMPLES", "read_examples"]

EXAMPLES = Path(__file__).parent.parent / "examples"
_BIGGER = "smollm2-135m"


def main(names: list[str]) -> None:
    """Write one JSON file per probe."""
    shipped = {name: tacit.load(name) for name in shipped_names()}
    # Some sentences start with the blank, where a causal model needs a token before it.
    bigger = tacit.load(fetch_model(_BIGGER), begin=True)
    for name in names or probe_names():
        prepared = prepare(name, dict(load_probe(name).tour or {}), None)
        asked = [*standard_names(), *prepared.method.tuned_standards]
        examples = _examples(prepared, [*(shipped[model] for model in asked), bigger])
        if examples:
            text = json.dumps(examples, indent=1, ensure_ascii=False) + "\n"
            (EXAMPLES / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {len(examples)} questions", flush=True)


def read_examples(probe: str) -> list[dict[str, Any]]:
    """The questions of a probe with the answers of the models; empty where no model was asked."""
    path = EXAMPLES / f"{probe}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def _examples(prepared: Prepared, models: list[tacit.Model]) -> list[dict[str, Any]]:
    asked = {family: _first_and_last(prepared, family) for family in get_args(Family)}
    examples = []
    for number in range(len(asked["masked"])):
        answers = {_label(model): _answer(model, asked[model.family][number]) for model in models}
        example = {
            "text": _text(asked["masked"][number].question),
            "commands": _commands({_label(model): asked[model.family][number].question for model in models}, answers),
            "answers": answers,
            # Models of another family may be asked in other words.
            "asked": {_label(model): _text(asked[model.family][number].question) for model in models},
        }
        examples.append(example)
    return examples


def _first_and_last(prepared: Prepared, family: Family) -> list[KeyedQuestion]:
    if prepared.method.given_answers(prepared.materials, prepared.settings):
        return []
    try:
        shown = list(islice(_shown(prepared, family), MOST_EXCHANGES))
    except TacitError:  # this family cannot be asked
        return []
    shown = [one for one in shown if isinstance(one.question, Fill | Choose | Likelihood)]
    return [shown[0], shown[-1]] if len(shown) > 1 else shown


def _shown(prepared: Prepared, family: Family) -> Any:
    return prepared.method.shown_questions(prepared.materials, prepared.settings, family)


def _answer(model: tacit.Model, asked: KeyedQuestion) -> list[list[str]]:
    """The words of the answer as the report shows them, each with how likely it is."""
    with TemporaryDirectory() as folder:
        writer = AnswersWriter(Path(folder))
        writer.add(asked, next(iter(tacit.ask(model, [asked.question]))))
        (exchange,) = list_exchanges([asked], writer.so_far())
    return [[word.word, word.text] for word in exchange.words]


def _text(question: Question) -> str:
    return f"{getattr(question, 'context', '')} {question.text}".strip()


def _commands(questions: dict[str, Question], answers: dict[str, list[list[str]]]) -> list[str]:
    """What a user types to see these answers: one command for all models that are asked the same."""
    texts = dict.fromkeys(map(_text, questions.values()))
    return [
        _command(
            next(question for question in questions.values() if _text(question) == text),
            [model for model, question in questions.items() if _text(question) == text],
            [word for word, _ in next(iter(answers.values()))],
        )
        for text in texts
    ]


def _command(question: Question, names: list[str], words: list[str]) -> str:
    begin = " --begin" if _BIGGER in names else ""
    models = " ".join(f"--model {name}" for name in names) + begin
    text = '"' + _text(question).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '"'
    if isinstance(question, Fill):
        return f"tacit fill {text} {models}"
    if isinstance(question, Choose):
        return f"tacit choose {text} {' '.join(map(shlex.quote, words))} {models}"
    return f"tacit likelihood {text} {models}" if isinstance(question, Likelihood) else ""


def _label(model: tacit.Model) -> str:
    return Path(model.name).name


if __name__ == "__main__":
    main(sys.argv[1:])
