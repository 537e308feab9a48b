"""Known holes in the installed dependencies, by pip-audit; where it cannot ask anybody, one sentence says so.

python -m benchmarks.audit
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distributions

_UNREACHABLE = ("ConnectionError", "ServiceError", "Max retries", "Failed to establish", "Name or service", "Timeout")


def main() -> None:
    """Exit with 0 if no hole is known, and with 1 if one is or if nobody could be asked."""
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sys.stdout.write(done.stdout)
    unaudited, installed = done.stdout.count("could not be audited"), len(list(distributions()))
    if unaudited > installed // 2:
        sys.exit(f"{unaudited} of {installed} packages are unknown to the database that answers here.")
    if done.returncode and any(sign in done.stderr for sign in _UNREACHABLE):
        sys.exit("The database of known holes cannot be reached from here. Run `make audit` where there is a network.")
    sys.stderr.write(done.stderr)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
