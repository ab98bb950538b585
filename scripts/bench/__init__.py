"""What the engine costs, as ratios against floors measured in the same run. See `__main__.py`."""
