"""The standards: small models that ship with Tacit and whose leaning is known, because we trained them."""

from tacit.standards.shipped import standard_card, standard_names, standard_path

__all__ = ["standard_card", "standard_names", "standard_path"]
