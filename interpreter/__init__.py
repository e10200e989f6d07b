"""What runs a checked spec: its set-up, the program, the machine, states and moves."""
