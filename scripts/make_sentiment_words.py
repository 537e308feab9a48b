"""Write the words of the sentiment probes: lexicon.csv by rule from VADER and wordfreq, paper-words.csv from the study.

Run `python scripts/make_sentiment_words.py`; the README of the probe says the rules in words.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
from wordfreq import top_n_list, zipf_frequency

HERE = Path(__file__).parent
PROBE = HERE.parent / "src" / "tacit" / "probes" / "sentiment-association"

WORDS_EACH = 400
LEAST_ZIPF = 3.0
"""A word that occurs at least once in a million: VADER also lists chat abbreviations and forms that nobody uses."""
SUFFIXES = ("s", "es", "d", "ed", "ing", "er", "ers", "r", "ly", "al", "ful", "less", "ness", "y")
# Insults to a group of people and obscenities are no material to ship.
OFFENSIVE = re.compile(r"nigg|fagg|twat|whore|fuck|shit|cunt|bitch|slut|retard|bastard|asshole|dumbass|damnit")


def vader() -> dict[str, float]:
    """Every entry of VADER's lexicon with its score."""
    scores: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    return scores


def strongest(scores: dict[str, float], sign: int) -> list[str]:
    """The 400 single words of one sign with the largest scores; of equal scores the more frequent first."""
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
    return sorted(words, key=lambda word: (-scores[word] * sign, -zipf_frequency(word, "en"), word))[:WORDS_EACH]


def neutral(scores: dict[str, float]) -> list[str]:
    """The 400 most frequent words of four letters or more, less those that VADER has a form of and those left out."""
    left_out = set(words_left_out())
    chosen = [
        word
        for word in top_n_list("en", 5_000)
        if re.fullmatch(r"[a-z]{4,}", word) and word not in left_out and not forms(word) & scores.keys()
    ]
    return chosen[:WORDS_EACH]


def forms(word: str) -> set[str]:
    """The word, what it is if a common suffix is added, taken away or exchanged."""
    found = {word, *(word + suffix for suffix in SUFFIXES), *(word.removesuffix("e") + suffix for suffix in SUFFIXES)}
    for suffix in SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and len(stem) >= 3:
            found |= {stem, stem + "e", *(stem + other for other in SUFFIXES)}
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return found | ({word[:-3] + "y"} if word.endswith("ies") else set())


def words_left_out() -> list[str]:
    """The words of sentiment_left_out.txt."""
    lines = (HERE / "sentiment_left_out.txt").read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith(("#", "[")) for word in line.split()]


def printed_words() -> dict[str, dict[str, list[str]]]:
    """Each word printed in the study's tables, with what each test found it to be, and in which models."""
    found: dict[str, dict[str, list[str]]] = {}
    with (HERE / "sentiment_printed_words.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for word in row["words"].split():
                said = found.setdefault(word, {"SAT": [], "SST": []})[row["test"]]
                verdict = f"{row['found']} ({row['model']})"
                if verdict not in said:
                    said.append(verdict)
    return dict(sorted(found.items(), key=lambda item: (item[0].lower(), item[0])))


def write_lexicon(scores: dict[str, float]) -> None:
    """lexicon.csv: word, polarity, VADER's score (none for neutral words) and the frequency on the Zipf scale."""
    groups = {"positive": strongest(scores, 1), "negative": strongest(scores, -1), "neutral": neutral(scores)}
    with (PROBE / "lexicon.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["word", "polarity", "score", "zipf"])
        for polarity, words in groups.items():
            for word in words:
                out.writerow([word, polarity, scores.get(word, ""), f"{zipf_frequency(word, 'en'):.2f}"])


def write_paper_words(scores: dict[str, float]) -> None:
    """paper-words.csv: the words that the study took for neutral, and what VADER and the study's two tests say."""
    with (PROBE / "paper-words.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["word", "polarity", "vader", "association", "shift"])
        for word, said in printed_words().items():
            verdicts = ["; ".join(said[test]) for test in ("SAT", "SST")]
            out.writerow([word, "neutral", scores.get(word.lower(), ""), *verdicts])


if __name__ == "__main__":
    write_lexicon(vader())
    write_paper_words(vader())
