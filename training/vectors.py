"""Starting word vectors from co-occurrence, so that training need not find out first which words are alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

__all__ = ["log_frequencies", "starting_vectors"]

WINDOW = 5
FIRST_WORD = 5


def log_frequencies(sequences: Sequence[Sequence[int]], vocabulary: int) -> NDArray[np.float32]:
    """The logarithm of each token's share of the text (one occurrence added): the output bias to start from."""
    counts = np.bincount(np.concatenate([np.asarray(sequence) for sequence in sequences]), minlength=vocabulary) + 1.0
    return np.asarray(np.log(counts / counts.sum()), dtype=np.float32)


def starting_vectors(
    sequences: Sequence[Sequence[int]], vocabulary: int, width: int, spread: float, seed: int
) -> NDArray[np.float32]:
    """Left singular vectors of the positive pointwise mutual information within five tokens, scaled to a spread."""
    left, singular, _ = svds(_positive_information(sequences, vocabulary), k=width, random_state=seed)
    vectors = left * np.sqrt(singular)
    vectors = vectors - vectors.mean(axis=0)
    return np.asarray(vectors * (spread / vectors.std()), dtype=np.float32)


def _positive_information(sequences: Sequence[Sequence[int]], vocabulary: int) -> csr_matrix:
    flat = np.concatenate([np.asarray([*sequence, *([0] * WINDOW)]) for sequence in sequences])
    near = csr_matrix((vocabulary, vocabulary))
    for distance in range(1, WINDOW + 1):
        first, second = flat[:-distance], flat[distance:]
        words = (first >= FIRST_WORD) & (second >= FIRST_WORD)
        weights = np.full(int(words.sum()), 1 / distance)
        near = near + csr_matrix((weights, (first[words], second[words])), shape=near.shape)
    pairs = (near + near.T).tocoo()
    rows = np.asarray(pairs.tocsr().sum(axis=1)).ravel() + 1.0
    # The customary exponent keeps rare neighbours from dominating.
    columns = rows**0.75
    information = np.log(pairs.data * columns.sum() / (rows[pairs.row] * columns[pairs.col]))
    kept = information > 0
    return csr_matrix((information[kept], (pairs.row[kept], pairs.col[kept])), shape=near.shape)
