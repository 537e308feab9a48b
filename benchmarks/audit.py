"""Known holes in the installed dependencies, by pip-audit; where it cannot ask anybody, one sentence says so.

python -m benchmarks.audit
"""

from __future__ import annotations

import subprocess
import sys

_UNREACHABLE = ("ConnectionError", "ServiceError", "Max retries", "Failed to establish", "Name or service", "Timeout")


def main() -> None:
    """Exit with 0 if nothing is known, 1 if something is, 2 if it could not be asked."""
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sys.stdout.write(done.stdout)
    if done.returncode and any(sign in done.stderr for sign in _UNREACHABLE):
        sys.exit("The database of known holes cannot be reached from here. Run `make audit` where there is a network.")
    sys.stderr.write(done.stderr)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
