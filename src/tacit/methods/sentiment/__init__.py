"""What the methods `association` and `shift` share (both follow Garg et al. 2022). This package is not a method."""
