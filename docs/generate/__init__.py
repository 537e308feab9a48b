"""What `make docs` writes itself: pages that follow from the code, the probes and small runs on the standards."""
