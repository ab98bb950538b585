"""Language packs for turnwright: data, which is read without importing this package."""
