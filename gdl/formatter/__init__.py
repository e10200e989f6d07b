"""`gdl fmt`: the text of a spec or of scenarios → the same text in the project's layout.

The text is cut into tokens by the places that the YAML reader gives (`tokens`), each line gets its indentation from the blocks that
are open there (`indentation`), tokens that stand below each other stay so (`columns`), and what comes out is read again and held
against what went in (`sameness`). Lines are neither joined nor split, and nothing moves from one to another.
"""
