"""Which format a file looks like: the fallback for when nobody named it. Looks at the first document only."""

from __future__ import annotations

from cases.errors import InputError
from cases.formats.documents import read_documents
from cases.formats.rawjson import decode_value
from cases.formats.record import InputFile
from cases.formats.table import FORMATS, Format
from cases.jsonvalue import JsonValue


def recognise(file: InputFile) -> Format | None:
    """Return the first format of the table that knows the first document of ``file``, or an element of it.

    Reads the file: what comes through a pipe has to be kept for the reader.

    Raises:
        InputError: The file is empty or no text; a document that is not JSON is merely not recognised.
    """
    document = next(read_documents(file, splits_arrays=False))
    try:
        value = decode_value(document.raw, "")
    except InputError:
        return None
    return recognise_value(value)


def recognise_value(value: JsonValue) -> Format | None:
    """Return the first format of the table that knows ``value`` or, of an array, its first element."""
    candidates = [value, value[0]] if isinstance(value, list) and value else [value]
    known = (f for f in FORMATS.values() if any(f.recognises(candidate) for candidate in candidates))
    return next(known, None)
