"""Options that take one value or more, as `--against A B C`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click


class ListCommand(click.Command):
    """A command in which every word behind such an option, up to the next option, is one of its values.

    Such options are declared with `multiple=True` and named in `list_options`.
    """

    list_options = ("--against", "--holdout")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, which is how click takes them."""
        return super().parse_args(ctx, list(_repeated(args, self.list_options)))


def _repeated(words: Iterable[str], options: tuple[str, ...]) -> Iterator[str]:
    option = ""
    is_first = False
    for word in words:
        if word.startswith("-") and word != "-":
            option = word if word in options else ""
            is_first = True
            yield word
            continue
        if option and not is_first:
            yield option
        is_first = False
        yield word
