"""Native fixtures from any recording, with the schema validity of each call kept in them. Pure."""

from __future__ import annotations

import msgspec

from cases.case import Case, Invocation, Tool
from deterministic.catalog import Catalog, CatalogCache
from deterministic.parsing import parse_calls
from deterministic.policy import Policy
from deterministic.schema.dialect import SCHEMA_VERSION


class Converter:
    """Turns cases into fixtures that say what was valid when they were made."""

    def __init__(self, policy: Policy, tools: tuple[Tool, ...] = ()) -> None:
        """Prepare the catalog for cases that carry no definitions of their own."""
        self._tools = tools
        self._catalogs = CatalogCache(policy, tools)

    def convert(self, case: Case) -> Case:
        """Return ``case`` with parsed arguments, its tools, and ``schema_valid`` on each call that has a schema."""
        parsed, problems = parse_calls(case)
        catalog = self._catalogs.for_case(parsed)
        calls = parsed.actual_invocations
        if calls is None:
            return msgspec.structs.replace(parsed, tools=parsed.tools or self._tools)
        marked = tuple(call if index in problems else _mark(call, catalog) for index, call in enumerate(calls))
        return msgspec.structs.replace(
            parsed,
            actual_invocations=marked,
            tools=tuple(catalog.tools.values()),
            recorded_with={**parsed.recorded_with, "schema": SCHEMA_VERSION},
        )


def _mark(call: Invocation, catalog: Catalog) -> Invocation:
    schema = catalog.schemas.get(call.tool)
    if schema is None or isinstance(call.args, str):
        return call
    return msgspec.structs.replace(call, schema_valid=schema.is_valid(call.args))
