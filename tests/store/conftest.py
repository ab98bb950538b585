"""What all tests of the campaign directory run with."""

from tests.store.kit import unsynced

__all__ = ["unsynced"]
