"""CSV with a header line into typed records; an empty cell is an absent field."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import msgspec

from calibration.formats.decoding import T
from cases.errors import InputError
from cases.formats.record import InputFile
from cases.jsonvalue import visible


def read_rows(file: InputFile, kind: type[T], what: str) -> Iterator[T]:
    """Yield every row of ``file`` as a ``kind``; numbers are read from their text.

    Args:
        what: Fields that a record has, for the error message.

    Raises:
        InputError: The file is not UTF-8 CSV with a header, or a row is not such a record.
    """
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name}: not UTF-8 text; save it as CSV UTF-8") from error
    rows = csv.DictReader(io.StringIO(text), strict=True)
    try:
        for row in rows:
            if None in row or None in row.values():
                raise InputError(
                    f"{file.name}:{rows.reader.line_num}: the row has not as many cells as the header; {what}"
                )
            filled = {name: cell for name, cell in row.items() if cell}
            yield msgspec.convert(filled, kind, strict=False)
    except msgspec.ValidationError as error:
        place = f"{file.name}:{rows.reader.line_num}"
        raise InputError(f"{place}: {visible(str(error))}; {what}") from error
    except csv.Error as error:
        raise InputError(f"{file.name}:{rows.reader.line_num}: not CSV: {error}; {what}") from error
    if not rows.fieldnames:
        raise InputError(f"{file.name}: the file is empty")
