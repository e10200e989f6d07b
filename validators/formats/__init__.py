"""Output formats for diagnostics, one module each."""
