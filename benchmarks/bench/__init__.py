"""The bench: each figure beside a peer or a floor that is measured in the same run, as a ratio."""
