"""How fast Tacit asks, raced against a naive loop, Hugging Face's pipeline and minicons: ratios, not times.

python -m benchmarks.engine_speed [--quick] [--only W1 W2 ...] [--rounds N] [--threads N]
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import warnings
from pathlib import Path
from statistics import median

import torch
import transformers

import tacit
from benchmarks.contests import CAUSAL, MASKED, TACIT, Workload
from benchmarks.overhead import overhead_share
from benchmarks.peers import CausalPeers, MaskedPeers
from benchmarks.racing import GEMM, Race, Times, run_race
from benchmarks.random_models import build_bert, build_gpt2

AGREEMENT = 1e-4
OVERHEAD_LIMIT = 0.05


def main() -> int:
    """Race and print; exit 1 when a target is missed or a peer's numbers differ from ours."""
    options = _options()
    torch.set_num_threads(options.threads)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    transformers.utils.logging.disable_progress_bar()
    warnings.simplefilter("ignore")
    rounds = 2 if options.quick else options.rounds
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, fp32, {options.threads} thread(s)")
    print(f"{rounds} interleaved rounds; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("How many times as fast as each peer: by the wall's clock | by processor time; both must reach a target")
    with tempfile.TemporaryDirectory() as folder:
        masked = _masked(Path(folder) / "bert", options.only, rounds)
        fine = masked + _causal(Path(folder) / "gpt2", options.only, rounds)
    print("\nall targets reached" if all(fine) else "\nnot all targets reached")
    return 0 if all(fine) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Race Tacit against its peers.")
    parser.add_argument("--quick", action="store_true", help="two rounds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    known = [*MASKED, *CAUSAL]
    parser.add_argument("--only", nargs="+", choices=known, default=known, metavar="W", help=", ".join(known))
    return parser.parse_args()


def _masked(folder: Path, only: list[str], rounds: int) -> list[bool]:
    if not set(only) & set(MASKED):
        return []
    build_bert(folder)
    model, peers = tacit.load(folder), MaskedPeers(folder)
    fine = [_raced(MASKED[name](model, peers), rounds) for name in MASKED if name in only]
    if "W1" in only:
        (asking, *_) = MASKED["W1"](model, peers).contestants
        fine.append(_told_overhead(overhead_share(model, asking.run, rounds)))
    return fine


def _causal(folder: Path, only: list[str], rounds: int) -> list[bool]:
    if not set(only) & set(CAUSAL):
        return []
    build_gpt2(folder)
    model, peers = tacit.load(folder), CausalPeers(folder)
    return [_raced(CAUSAL[name](model, peers), rounds) for name in CAUSAL if name in only]


def _raced(workload: Workload, rounds: int) -> bool:
    race = run_race(workload.contestants, rounds)
    share = _peak_share(race, workload.gflop)
    own = median(each[TACIT].wall for each in race.rounds)
    print(f"\n{workload.title}")
    print(f"  {TACIT:20} {1 / own:8.1f} questions/s, {share.wall:4.0%} | {share.cpu:4.0%} of the GEMM peak")
    fine = [_told_peer(race, each.name, workload) for each in workload.contestants if each.name != TACIT]
    return all(fine)


def _told_peer(race: Race, peer: str, workload: Workload) -> bool:
    ratio, difference = race.ratio(peer, TACIT), race.difference(peer, TACIT)
    target = workload.targets.get(peer)
    reached = target is None or min(ratio.wall, ratio.cpu) >= target
    told = "" if target is None else f"  target {target:.1f}: {'reached' if reached else 'NOT reached'}"
    agrees = "agree" if difference <= AGREEMENT else "DISAGREE"
    print(f"  {peer:20} {ratio.wall:6.2f} | {ratio.cpu:5.2f}   numbers {agrees} ({difference:.0e}){told}", flush=True)
    return reached and difference <= AGREEMENT


def _peak_share(race: Race, gflop: float) -> Times:
    shares = [(each[TACIT], each[GEMM]) for each in race.rounds]
    return Times(median(gflop * b.wall / a.wall for a, b in shares), median(gflop * b.cpu / a.cpu for a, b in shares))


def _told_overhead(share: Times) -> bool:
    reached = max(share.wall, share.cpu) < OVERHEAD_LIMIT
    print(
        f"\nEngine's own share of W1 (all but layers and head): {share.wall:.1%} | {share.cpu:.1%}"
        f"  target under {OVERHEAD_LIMIT:.0%}: {'reached' if reached else 'NOT reached'}",
        flush=True,
    )
    return reached


if __name__ == "__main__":
    sys.exit(main())
