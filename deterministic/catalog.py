"""The tool catalog as the gates need it: names, compiled schemas, effects, near-miss families. Pure.

Built once per distinct set of tools and shared by every case that uses it.
"""

from __future__ import annotations

from cases.case import Case, Effect, Tool
from deterministic.families import find_families
from deterministic.names import RelaxedName, relaxed_match
from deterministic.policy import Policy
from deterministic.schema.validator import CompiledSchema, SchemaProblem, compile_schema


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
        self.has_sequence_rules = any(
            tool.requires or tool.followed_by or tool.rules for tool in tools
        )
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

    def __init__(
        self, policy: Policy, shared: tuple[Tool, ...] = (), *, is_partial: bool = False
    ) -> None:
        """Remember the tools that cases without definitions of their own use."""
        self._policy = policy
        self._shared = shared
        self._shared_is_partial = is_partial
        self._last_key: tuple[int, tuple[str, ...] | None, bool] | None = None
        self._last_tools: tuple[Tool, ...] = ()
        self._last: Catalog | None = None

    def for_case(self, case: Case) -> Catalog:
        """Return the catalog of ``case``: its own tools, else the shared ones."""
        tools = case.tools or self._shared
        is_partial = case.is_catalog_partial or (not case.tools and self._shared_is_partial)
        key = (id(tools), case.allowed_tools, is_partial)
        if self._last is None or key != self._last_key:
            self._last = Catalog(
                tools, self._policy, names=case.allowed_tools, is_partial=is_partial
            )
            self._last_key, self._last_tools = (
                key,
                tools,
            )  # the reference keeps the id from being used again
        return self._last
