"""The geometry of an encounter's grid: plain values and functions that know no documents."""
