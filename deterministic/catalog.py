"""The tool catalog as the gates need it: names, compiled schemas, effects, near-miss families. Pure.

Built once per distinct set of tools and shared by every case that uses it.
"""

from __future__ import annotations

import msgspec

from cases.case import Case, Effect, Tool
from deterministic.families import find_families
from deterministic.names import RelaxedName, relaxed_match
from deterministic.policy import Policy
from deterministic.schema.validator import CompiledSchema, SchemaProblem, compile_schema

CACHED_CATALOGS = 64
"""Catalogs kept compiled; a batch that uses more compiles some again."""


class Catalog:
    """Tools by name, under one policy."""

    def __init__(
        self,
        tools: tuple[Tool, ...],
        policy: Policy,
        *,
        names: tuple[str, ...] | None,
        is_partial: bool,
    ) -> None:
        """Build the catalog.

        Args:
            tools: Definitions, maybe none.
            names: All names that the agent could call; ``None`` where only the definitions tell.
            is_partial: True when tools may be missing: an unlisted name is then not unknown.
        """
        self.tools: dict[str, Tool] = {tool.name: tool for tool in tools}
        self.names: frozenset[str] = frozenset(names if names is not None else self.tools)
        self.knows_all = bool(self.names) and not is_partial
        self.schemas: dict[str, CompiledSchema] = {}
        self.problems: dict[str, str] = {}
        for tool in tools:
            if tool.input_schema is None:
                continue
            compiled = compile_schema(tool.input_schema, asserts_formats=policy.asserts_formats)
            if isinstance(compiled, SchemaProblem):
                self.problems[tool.name] = compiled.reason
            else:
                self.schemas[tool.name] = compiled
        self.has_rules = any(tool.requires or tool.followed_by or tool.rules for tool in tools)
        self._tools_tuple = tools
        self._families: dict[str, str] | None = None
        self._relaxed: dict[str, RelaxedName | None] = {}

    def effect(self, name: str) -> Effect:
        """Return what the tool does; unknown for a tool without a definition."""
        tool = self.tools.get(name)
        return tool.effect if tool is not None else "unknown"

    def is_near_miss(self, wanted: str, got: str) -> bool:
        """Return whether both tools belong to one family."""
        if self._families is None:
            self._families = find_families(self._tools_tuple, self.names)
        family = self._families.get(wanted)
        return family is not None and family == self._families.get(got)

    def relaxed(self, emitted: str) -> RelaxedName | None:
        """Return the catalog name that ``emitted`` stands for under a relaxed reading."""
        if emitted not in self._relaxed:
            if len(self._relaxed) > 10_000:  # hostile names must not fill the memory
                self._relaxed.clear()
            self._relaxed[emitted] = relaxed_match(emitted, self.names)
        return self._relaxed[emitted]


class CatalogCache:
    """Keeps the last catalogs, so that cases which share their tools share the compiled schemas."""

    def __init__(self, policy: Policy, shared: tuple[Tool, ...] = (), *, is_partial: bool = False) -> None:
        """Remember the tools that all cases share.

        Args:
            shared: Definitions for cases that carry none, and schemas for tools that cases name without one.
            is_partial: True when ``shared`` may lack tools that the agent could call.
        """
        self._policy = policy
        self._shared = shared
        self._shared_by_name = {tool.name: tool for tool in shared}
        self._shared_is_partial = is_partial
        self._known: dict[tuple[int, tuple[str, ...] | None, bool], tuple[tuple[Tool, ...], Catalog]] = {}

    def for_case(self, case: Case) -> Catalog:
        """Return the catalog of ``case``: its own tools completed by the shared ones, else the shared ones."""
        key = (id(case.tools), case.allowed_tools, case.is_catalog_partial)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= CACHED_CATALOGS:
                self._known.clear()
            found = (
                case.tools,
                self._build(case),
            )  # the reference keeps the id from being used again
            self._known[key] = found
        return found[1]

    def _build(self, case: Case) -> Catalog:
        is_partial = case.is_catalog_partial
        tools = tuple(self._complete(tool) for tool in case.tools)
        if not tools:
            tools, is_partial = self._shared, is_partial or self._shared_is_partial
        elif is_partial and self._shared:
            names = {tool.name for tool in tools}
            tools += tuple(tool for tool in self._shared if tool.name not in names)
            is_partial = self._shared_is_partial
        return Catalog(tools, self._policy, names=case.allowed_tools, is_partial=is_partial)

    def _complete(self, tool: Tool) -> Tool:
        other = self._shared_by_name.get(tool.name)
        if other is None or tool.input_schema is not None:
            return tool
        return msgspec.structs.replace(
            tool,
            input_schema=other.input_schema,
            description=tool.description or other.description,
            effect=tool.effect if tool.effect != "unknown" else other.effect,
        )
