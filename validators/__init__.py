"""What checks specs: the linter and its output formats."""
