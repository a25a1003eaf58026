"""One document into one typed record, with an error that says where, what and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from cases.errors import InputError
from cases.formats.documents import explain_syntax, read_documents
from cases.formats.record import InputFile
from cases.jsonvalue import visible

T = TypeVar("T")


def read_records(file: InputFile, kind: type[T], what: str) -> Iterator[tuple[str, T]]:
    """Yield every document of ``file`` as a ``kind``, with its place.

    Args:
        what: Fields that a record has, for the error message.

    Raises:
        InputError: A document is not such a record, or the file is not JSON.
    """
    decoder = msgspec.json.Decoder(kind)
    for document in read_documents(file):
        try:
            record = decoder.decode(document.raw)
        except msgspec.ValidationError as error:
            raise InputError(f"{document.source}: {visible(str(error))}; {what}") from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problem = visible(explain_syntax(document.raw, error))
            raise InputError(f"{document.source}: not JSON: {problem}; {what}") from error
        yield document.source, record
