"""Write the words of the sentiment probes: lexicon.csv by rule from VADER and wordfreq, paper-words.csv from the study.

Run `python scripts/make_sentiment_words.py`. The README of the probe sentiment-association explains the rules.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
from wordfreq import top_n_list, zipf_frequency

HERE = Path(__file__).parent
PROBE = HERE.parent / "src" / "tacit" / "probes" / "sentiment-association"

WORDS_PER_POLARITY = 400
LEAST_ZIPF = 3.0
"""At least one occurrence per million words: VADER also lists chat abbreviations and forms that nobody uses."""
SUFFIXES = ("s", "es", "d", "ed", "ing", "er", "ers", "r", "ly", "al", "ful", "less", "ness", "y")
# Slurs and obscenities do not belong in a package.
OFFENSIVE = re.compile(r"nigg|fagg|twat|whore|fuck|shit|cunt|bitch|slut|retard|bastard|asshole|dumbass|damnit")


def vader() -> dict[str, float]:
    """Every entry of VADER's lexicon with its score."""
    scores: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    return scores


def strongest(scores: dict[str, float], sign: int) -> list[str]:
    """The 400 single words of one sign with the largest scores; ties go to the more frequent word."""
    left_out = set(words_left_out())
    words = [
        word
        for word, score in scores.items()
        if score * sign > 0
        and re.fullmatch(r"[a-z]{3,}", word)
        and zipf_frequency(word, "en") >= LEAST_ZIPF
        and not OFFENSIVE.search(word)
        and word not in left_out
    ]
    ranked = sorted(words, key=lambda word: (-scores[word] * sign, -zipf_frequency(word, "en"), word))
    return ranked[:WORDS_PER_POLARITY]


def neutral(scores: dict[str, float]) -> list[str]:
    """The 400 most frequent words of at least four letters, without those left out and those VADER has a form of."""
    left_out = set(words_left_out())
    chosen = [
        word
        for word in top_n_list("en", 5_000)
        if re.fullmatch(r"[a-z]{4,}", word) and word not in left_out and not forms(word) & scores.keys()
    ]
    return chosen[:WORDS_PER_POLARITY]


def forms(word: str) -> set[str]:
    """The word, and its forms with a common suffix added, removed or replaced."""
    related = {word, *(word + suffix for suffix in SUFFIXES), *(word.removesuffix("e") + suffix for suffix in SUFFIXES)}
    for suffix in SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and len(stem) >= 3:
            related |= {stem, stem + "e", *(stem + replacement for replacement in SUFFIXES)}
            if stem[-1] == stem[-2]:
                related.add(stem[:-1])
    return related | ({word[:-3] + "y"} if word.endswith("ies") else set())


def words_left_out() -> list[str]:
    """The words of sentiment_left_out.txt."""
    lines = (HERE / "sentiment_left_out.txt").read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith(("#", "[")) for word in line.split()]


def printed_words() -> dict[str, dict[str, list[str]]]:
    """Each word printed in the study's tables, with the findings of each test: "positive (RoBERTa-base)"."""
    findings: dict[str, dict[str, list[str]]] = {}
    with (HERE / "sentiment_printed_words.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for word in row["words"].split():
                of_test = findings.setdefault(word, {"SAT": [], "SST": []})[row["test"]]
                finding = f"{row['found']} ({row['model']})"
                if finding not in of_test:
                    of_test.append(finding)
    return dict(sorted(findings.items(), key=lambda item: (item[0].lower(), item[0])))


def write_lexicon(scores: dict[str, float]) -> None:
    """Write lexicon.csv: word, polarity, VADER's score (empty for neutral words) and frequency on the Zipf scale."""
    groups = {"positive": strongest(scores, 1), "negative": strongest(scores, -1), "neutral": neutral(scores)}
    with (PROBE / "lexicon.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["word", "polarity", "score", "zipf"])
        for polarity, words in groups.items():
            for word in words:
                out.writerow([word, polarity, scores.get(word, ""), f"{zipf_frequency(word, 'en'):.2f}"])


def write_paper_words(scores: dict[str, float]) -> None:
    """Write paper-words.csv: the words that the study calls neutral, VADER's score, and the findings of both tests."""
    with (PROBE / "paper-words.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["word", "polarity", "vader", "association", "shift"])
        for word, findings in printed_words().items():
            of_tests = ["; ".join(findings[test]) for test in ("SAT", "SST")]
            out.writerow([word, "neutral", scores.get(word.lower(), ""), *of_tests])


if __name__ == "__main__":
    write_lexicon(vader())
    write_paper_words(vader())
