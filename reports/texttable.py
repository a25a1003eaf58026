"""Plain tables for the console: no lines, the first column and those marked ``~`` to the left, numbers to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def text_table(title: str, *columns: str) -> Table:
    """Return an empty table; a column whose name begins with ``~`` holds text."""
    from rich.table import Table  # noqa: PLC0415  # heavy: loads only where it is used

    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        padding=(0, 2, 0, 0),
        pad_edge=False,
    )
    for index, column in enumerate(columns):
        is_text = index == 0 or column.startswith("~")
        table.add_column(column.removeprefix("~"), justify="left" if is_text else "right", no_wrap=index == 0)
    return table
