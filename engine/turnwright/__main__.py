"""`python -m turnwright`."""

from turnwright.cli.main import main

main()
