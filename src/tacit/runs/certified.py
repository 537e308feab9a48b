"""The certificate that vouches for the probe of a run."""

from __future__ import annotations

from tacit.probes.certificate import Certificate, shipped_certificate
from tacit.runs.record import RATINGS, RunRecord

__all__ = ["certificate_of"]


def certificate_of(record: RunRecord) -> Certificate | None:
    """The certificate of the run's probe; None if there is none, or if it was made of other materials.

    Ratings may be newer than those of the certificate, because a user adds to them: they change no question.
    """
    certificate = shipped_certificate(record.probe.name, record.probe.version)
    if certificate is None:
        return None
    shared = (certificate.materials.keys() & record.materials.keys()) - {RATINGS}
    same = all(certificate.materials[name] == record.materials[name] for name in shared)
    return certificate if shared and same else None
