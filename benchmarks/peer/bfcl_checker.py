"""Runs in bfcl-eval's environment: JSON Lines of model results in, its own verdicts out.

A line ``{task, category, function, answers}`` states a task, a line ``{of, result, mode}`` asks for a verdict on it;
``mode`` names the model that BFCL's table is asked for, because the table tells how dots in names are spelled.
Decoding and checking are bfcl-eval's functions; an exception is told as ``crash``.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from types import SimpleNamespace
from typing import Any

MODELS = {"fc": "gpt-4o-2024-11-20-FC", "fc_dotted": "Qwen/Qwen3-8B-FC", "prompt": "gpt-4o-2024-11-20"}
"""Through the API of the first, dots become underscores; the second keeps them; the third writes calls as text."""


class Checker:
    """bfcl-eval's own decoding and checking."""

    def __init__(self) -> None:
        """Load it, which takes some seconds."""
        self._runner: Any = import_module("bfcl_eval.eval_checker.eval_runner")
        self._enums: Any = import_module("bfcl_eval.constants.enums")
        handlers: Any = import_module("bfcl_eval.model_handler.api_inference.openai_completion")
        self._handlers = {mode: _handler(handlers.OpenAICompletionsHandler, mode) for mode in MODELS}

    def verdict(self, task: dict[str, Any], result: Any, mode: str) -> dict[str, Any]:
        """Return what its runner says about one result; ``error_type`` is there when it fails."""
        category, handler = task["category"], self._handlers[mode]
        prompt = {"function": task["function"]}
        if "relevance" in category:
            one = self._runner._evaluate_single_relevance_entry
            return one(handler, task["task"], result, prompt, MODELS[mode], category)  # type: ignore[no-any-return]
        language, form = self._enums.Language, self._enums.ReturnFormat
        name = "JAVASCRIPT" if "javascript" in category else "JAVA" if "java" in category else "PYTHON"
        return self._runner._evaluate_single_ast_entry(  # type: ignore[no-any-return]
            handler,
            task["task"],
            result,
            task["answers"],
            prompt,
            MODELS[mode],
            category,
            getattr(language, name),
            getattr(form, name),
        )


def _handler(owner: Any, mode: str) -> SimpleNamespace:
    state = SimpleNamespace(is_fc_model=mode != "prompt")

    def decode_ast(result: Any, language: Any, has_tool_call_tag: bool) -> Any:
        return owner.decode_ast(state, result, language, has_tool_call_tag)

    return SimpleNamespace(decode_ast=decode_ast)


def main() -> None:
    """Answer line by line until standard input ends."""
    out, sys.stdout = sys.stdout, sys.stderr  # the checker prints now and then
    checker = Checker()
    tasks: dict[str, dict[str, Any]] = {}
    for line in sys.stdin:
        row = json.loads(line)
        if "task" in row:
            tasks[row["task"]] = row
            continue
        try:
            told = checker.verdict(tasks[row["of"]], row["result"], row["mode"])
            answer = {"valid": told["valid"], "rule": told.get("error_type", "")}
        except Exception as error:  # noqa: BLE001  # whatever its checker raises is its answer
            answer = {"valid": None, "rule": f"crash: {type(error).__name__}"}
        out.write(json.dumps(answer) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
