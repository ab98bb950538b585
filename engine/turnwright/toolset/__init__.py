"""The tools that a model or a program is offered at a moment, in one of three sizes.

Every door that shows tools asks here, so that all show the same: `offered_tools` makes the list, `find_tool` gives what
a short list leaves out, `call_of` reads what comes back. Source: docs/stages/0-prepare.md, "Profiles".
"""
