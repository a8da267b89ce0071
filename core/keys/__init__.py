"""The signing key, and what it is written as and signs beside bundles."""
