"""Mutated recordings of every format, and an oracle that says which of them may still pass. Deterministic by seed.

Not a test module: ``tests/fuzz/test_mutations.py`` and ``benchmarks/fuzz.py`` load it from its file.

The oracle shares no code with the product: it reads a native mutant with Python's own ``json`` (duplicate keys refused)
and compares the stated steps with the calls one by one, without any leniency. What it does not let pass must not pass.
Mutants of other formats must break nothing; they have no oracle.
"""

# pyright: basic
# (a mutant has no type: that is the point of it)

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

JsonLike = Any


class Seed(NamedTuple):
    """A recording that is whole, and the format it is in."""

    format: str
    document: JsonLike


CALL = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"order": "7", "amount": 2.5}'}}
SCHEMA = {"type": "object", "properties": {"order": {"type": "string"}, "amount": {"type": "number"}}}
TOOL = {"name": "refund", "description": "Pay back", "input_schema": SCHEMA, "effect": "write"}
STEP = {"tool": "refund", "args": {"order": "7", "amount": 2.5}}
NATIVE = {
    "task_id": "t1", "model": "m", "attempt": 1, "input": "Refund order 7.", "tools": [TOOL, {"name": "find"}],
    "expected_invocations": [{"tool": "find", "args": {"q": "7"}, "turn": 1}, {**STEP, "turn": 2}],
    "actual_invocations": [{"tool": "find", "args": {"q": "7"}, "turn": 1, "result": {"order": "7"}},
                           {**STEP, "turn": 2, "result": {"ok": True}}],
    "final_answer": "Done.", "metadata": {"note": [1, {"deep": None}]},
}  # fmt: skip
OPENAI = {
    "messages": [{"role": "system", "content": "Policy"}, {"role": "user", "content": "Refund order 7."},
                 {"role": "assistant", "content": None, "tool_calls": [CALL]},
                 {"role": "tool", "tool_call_id": "c1", "content": '{"ok": true}'},
                 {"role": "assistant", "content": "Done."}],
    "tools": [{"type": "function", "function": {"name": "refund", "parameters": SCHEMA}}],
}  # fmt: skip
TAU = [{"task_id": 1, "trial": 0, "reward": 1.0,
        "info": {"task": {"user_id": "u", "actions": [{"name": "refund", "kwargs": {"order": "7", "amount": 2.5}}]}},
        "traj": OPENAI["messages"]}]  # fmt: skip
PENDING = {"name": "cancel_pending_order", "arguments": {"order_id": "#W7", "reason": "no longer needed"}}
ACTION = {"action_id": "1_0", **PENDING, "requestor": "assistant"}
TAU2 = {
    "info": {"agent_info": {"llm": "m"}, "environment_info": {"domain_name": "retail", "policy": "p"}},
    "tasks": [{"id": "1", "evaluation_criteria": {"actions": [ACTION]}}],
    "simulations": [{"id": "s", "task_id": "1", "trial": 0, "messages": [
        {"role": "user", "content": "Refund order 7."},
        {"role": "assistant", "tool_calls": [{"id": "c", **PENDING}]},
        {"role": "tool", "id": "c", "content": "1", "error": False}]}],
}  # fmt: skip
BFCL = {"id": "simple_python_0", "result": [{"refund": '{"order": "7"}'}], "input_token_count": 3, "latency": 0.5}

SEEDS = [
    Seed("native", NATIVE),
    Seed("openai_chat", OPENAI),
    Seed("tau_bench", TAU),
    Seed("tau2_bench", TAU2),
    Seed("bfcl", BFCL),
]


class Mutant(NamedTuple):
    """One damaged recording."""

    seed: Seed
    kind: str
    name: str
    """File name: its suffix chooses how it is split."""
    content: bytes


def mutants(n: int, seed: int) -> Iterator[Mutant]:
    """Yield ``n`` mutants; half of them native, whose meaning the oracle knows."""
    chance = random.Random(seed)  # noqa: S311  # repeatable, not secret
    for _ in range(n):
        source = SEEDS[0] if chance.random() < 0.5 else chance.choice(SEEDS)
        kind, change = chance.choice(_KINDS)
        name = chance.choice(("m.json", "m.jsonl", "m.json", "m.yaml"))
        yield Mutant(source, kind, name, change(source.document, chance))


def n_may_pass(mutant: Mutant) -> int | None:
    """Return how many records of a native mutant may pass; ``None`` where the oracle cannot tell."""
    if mutant.seed.format != "native" or mutant.name.endswith(".yaml"):
        return None
    try:
        text = mutant.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return sum(map(_deserves_pass, _parsed(mutant.content.splitlines())))
    whole = _parsed([text])
    if whole and isinstance(whole[0], list) and not mutant.name.endswith(".jsonl"):
        whole = whole[0]
    return sum(map(_deserves_pass, whole or _parsed(text.splitlines())))


def _parsed(texts: Sequence[str | bytes]) -> list[JsonLike]:
    found: list[JsonLike] = []
    for text in texts:
        with contextlib.suppress(ValueError, RecursionError):
            found.append(json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse))
    return found


def _deserves_pass(document: JsonLike) -> bool:
    """Grade a record naively, as the format's page words it: the stated steps and the calls, one by one in time."""
    if not isinstance(document, dict):
        return False
    steps, calls = _in_time(document.get("expected_invocations")), document.get("actual_invocations")
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        return False
    if document.get("expected_invocations") is None:
        return True  # nobody stated what was wanted: only the schema can fail
    if steps is None or len(steps) != len(calls):
        return False
    return all(map(_fits, steps, calls))


def _fits(step: JsonLike, call: JsonLike) -> bool:
    if step.get("tool") != call.get("tool"):
        return False
    wanted = step.get("args")
    return wanted is None or json.dumps(wanted, sort_keys=True) == json.dumps(call.get("args", {}), sort_keys=True)


def _in_time(steps: JsonLike) -> list[JsonLike] | None:
    """Return the steps by turn, one without a turn after the one before it; calls are in order of emission already."""
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        return None
    turns: list[Any] = []
    for step in steps:
        turn = step.get("turn")
        turns.append((turns[-1] if turns else 0) if turn is None else turn)
    if not all(type(turn) is int for turn in turns):
        return None
    return [steps[index] for index in sorted(range(len(steps)), key=turns.__getitem__)]


def _unique(pairs: list[tuple[str, JsonLike]]) -> dict[str, JsonLike]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _refuse(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


ODD: list[JsonLike] = [
    None, True, False, 0, -1, 1.5, 1e308, 2**63, 10**40, "", " ", "NaN", "null", "0", "\x00", "\x1b[2J", "\u202e", "é",
    "e\u0301", [], {}, [[]], {"": None}, {"$regex": "(a+)+$"}, {"$one_of": []}, {"$literal": 1}, "x" * 5_000,
]  # fmt: skip


def _encode(document: JsonLike) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _places(document: JsonLike) -> list[tuple[JsonLike, Any]]:
    """Return every (container, key) of a document."""
    found: list[tuple[JsonLike, Any]] = []
    open_ = [document]
    while open_:
        value = open_.pop()
        keys: Any = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        for key in keys:
            found.append((value, key))
            open_.append(value[key])
    return found


def _copy(document: JsonLike) -> JsonLike:
    return json.loads(json.dumps(document))


def _replace(document: JsonLike, chance: random.Random) -> bytes:
    fresh = _copy(document)
    container, key = chance.choice(_places(fresh))
    container[key] = chance.choice(ODD)
    return _encode(fresh)


def _delete(document: JsonLike, chance: random.Random) -> bytes:
    fresh = _copy(document)
    container, key = chance.choice(_places(fresh))
    del container[key]
    return _encode(fresh)


def _swap(document: JsonLike, chance: random.Random) -> bytes:
    fresh = _copy(document)
    (one, a), (two, b) = chance.sample(_places(fresh), 2)
    one[a], two[b] = _copy(two[b]), _copy(one[a])
    return _encode(fresh)


def _rename(document: JsonLike, chance: random.Random) -> bytes:
    fresh = _copy(document)
    container, key = chance.choice([place for place in _places(fresh) if isinstance(place[0], dict)])
    container[key + chance.choice(("s", "_", "\u200b", ""))] = container.pop(key)
    return _encode(fresh)


def _deepen(document: JsonLike, chance: random.Random) -> bytes:
    depth = chance.choice((50, 900, 20_000))
    marked = _copy(document)
    container, key = chance.choice(_places(marked))
    container[key] = "@DEEP@"
    return _encode(marked).replace(b'"@DEEP@"', b'{"a":[' * depth + b"1" + b"]}" * depth)


def _number(document: JsonLike, chance: random.Random) -> bytes:
    marked = _copy(document)
    container, key = chance.choice(_places(marked))
    container[key] = "@NUMBER@"
    odd = chance.choice((b"9" * 5_000, b"1e999", b"-0", b"1E400", b"NaN", b"Infinity", b"01", b"0x1", b"1_0", b"+1"))
    return _encode(marked).replace(b'"@NUMBER@"', odd)


def _double_key(document: JsonLike, chance: random.Random) -> bytes:
    fresh = _copy(document)
    container, key = chance.choice([place for place in _places(fresh) if isinstance(place[0], dict)])
    value = container.pop(key)
    container["@DOUBLE@"] = chance.choice([value, *ODD])
    container[key] = value
    return _encode(fresh).replace(b'"@DOUBLE@"', json.dumps(key).encode())


def _surrogate(document: JsonLike, chance: random.Random) -> bytes:
    marked = _copy(document)
    container, key = chance.choice(_places(marked))
    container[key] = "@TEXT@"
    return _encode(marked).replace(
        b"@TEXT@", chance.choice((b"\\ud800", b"\\udc00x", b"\xed\xa0\x80", b"\xff", b"\\u0000"))
    )


def _truncate(document: JsonLike, chance: random.Random) -> bytes:
    whole = _encode(document)
    return whole[: chance.randrange(len(whole))]


def _flip(document: JsonLike, chance: random.Random) -> bytes:
    raw = bytearray(_encode(document))
    for _ in range(chance.choice((1, 1, 2, 8))):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(raw)


def _insert(document: JsonLike, chance: random.Random) -> bytes:
    raw = _encode(document)
    place = chance.randrange(len(raw))
    return raw[:place] + chance.choice((b",", b"}", b"[", b'"', b"\\", b"\x00", b"\n", b"//x\n", b"{}")) + raw[place:]


def _wrap(document: JsonLike, chance: random.Random) -> bytes:
    whole = _encode(document)
    pretty = json.dumps(document, indent=1).encode()
    return chance.choice(
        (
            b"\xef\xbb\xbf" + whole,
            whole.decode().encode("utf-16"),
            pretty.replace(b"\n", b"\r\n"),
            b"\n\n" + whole + b"\n\n",
            whole + b"\n" + whole,
            b"[" + whole + b"]",
            whole + b" trailing",
            b"null",
            b"",
            b"\x00",
        )
    )


_KINDS: list[tuple[str, Callable[[JsonLike, random.Random], bytes]]] = [
    ("replaced", _replace),
    ("replaced", _replace),
    ("deleted", _delete),
    ("swapped", _swap),
    ("renamed", _rename),
    ("deepened", _deepen),
    ("odd number", _number),
    ("duplicate key", _double_key),
    ("surrogate", _surrogate),
    ("truncated", _truncate),
    ("bytes flipped", _flip),
    ("bytes inserted", _insert),
    ("wrapped", _wrap),
]
