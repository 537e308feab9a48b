"""Questions answered on a Ray cluster: actors load the model once and answer whole windows."""

from __future__ import annotations

from tacit.errors import TacitError

try:
    import ray as _ray  # noqa: F401 - an extra: what needs it says so before anything else
except ImportError:
    raise TacitError("The executor ray needs the package ray. Install it with: pip install 'tacit[ray]'.") from None

from tacit.asking.ray.connecting import connect
from tacit.asking.ray.executor import RayExecutor, RayModel

__all__ = ["RayExecutor", "RayModel", "connect"]
