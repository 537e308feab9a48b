"""How the standards were made: corpora, recipe, training, proof. Not part of the wheel."""
