"""Sphinx: the documentation as a site. `make docs` builds it, and fails at a warning.

The pages are where GitHub shows them, so the source directory is the root of the repository. Material for MkDocs
would do as well, but is in maintenance mode.
"""

from __future__ import annotations

from turnwright import __version__

project = "turnwright"
author = "The turnwright authors"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinxcontrib.mermaid"]
root_doc = "docs/index"
include_patterns = [
    "*.md",
    "docs/**",
    "campaigns/README.md",
    "campaigns/**/README.md",
    "examples/README.md",
    "examples/**/README.md",
    "languages/README.md",
]
exclude_patterns = [".*", "**/.*", "build", "demo", "dist", "engine", "schemas", "scripts", "site", "tests"]

myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]
default_role = "code"  # docstrings mark code as Markdown does
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes of a class are documented once
autodoc_class_signature = "separated"  # `Campaign.open` and `Campaign.new` make one, not the constructor
autodoc_default_options = {"exclude-members": "__init__, __new__"}
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = f"turnwright {release}"
html_extra_path = ["_root"]
html_show_copyright = False
html_copy_source = False
