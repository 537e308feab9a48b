"""What it takes to decide a word of the shift test, in both designs, on simulated models.

python -m benchmarks.shift_design
"""

from __future__ import annotations

import numpy as np

from tacit.methods.shift import Shift, ShiftSettings
from tacit.methods.shift.simulation import SimulatedModel, asked_answers, make_materials

EFFECTS = (2.0, 1.5, 1.2, 1.0, 0.8, 0.6, 0.3, 0.0)
REVIEWS, WORDS, MOST_WORDS_AT_ONCE = 200, 400, 100


def main() -> None:
    """Print one row per effect: the net shift, and the share of words decided by each design."""
    materials = make_materials(REVIEWS, MOST_WORDS_AT_ONCE)
    print("| net shift | design | shift labels | within the margin | undecided | reviews asked (median) |")
    for effect in EFFECTS:
        for design in ("sequential", "exact"):
            # Fewer words at once, each at the error that 400 words would leave it.
            confidence = 1 - 0.05 * MOST_WORDS_AT_ONCE / WORDS
            settings = ShiftSettings(design=design, confidence=confidence, resamples=10)  # type: ignore[arg-type]
            model = SimulatedModel(effect=effect, toward=1.0)
            answers = asked_answers(materials, settings, model.answers(materials, settings, seed=0))
            words = Shift().measure(materials, settings, answers)["words"]
            shares = [(words["leaning"] == verdict).mean() for verdict in ("positive", "neutral", "undecided")]
            asked = np.median(words["asked"].to_numpy()) / (3 if design == "exact" else 1)
            shift = float(model.net_shifts(materials, settings, 0)[0])
            print(f"| {shift:.2f} | {design} | {' | '.join(f'{share:.0%}' for share in shares)} | {asked:.0f} |")


if __name__ == "__main__":
    main()
