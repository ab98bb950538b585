"""The tools a model may call, one file each. `registry` lists them."""
