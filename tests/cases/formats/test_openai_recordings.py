"""OpenAI chat logs that nobody here wrote: nothing is lost, and no mutation of them breaks the reader."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from cases.errors import InputError
from cases.formats import native
from cases.formats.openai_chat import read
from cases.formats.record import InputFile, Record
from cases.jsonvalue import JsonObject, JsonValue, encode

MakeFile = Callable[[str, bytes], InputFile]
Pair = tuple[JsonValue, JsonValue]


@pytest.fixture(scope="module")
def airline_runs(shared_data: Path) -> list[list[JsonObject]]:
    path = shared_data / "tau_bench" / "historical_trajectories" / "gpt-4o-airline.json.gz"
    return [run["traj"] for run in json.loads(gzip.decompress(path.read_bytes()))]


def test_200_airline_runs_pair_each_call_with_its_own_result(
    airline_runs: list[list[JsonObject]], memory_file: MakeFile
) -> None:
    records = list(read(memory_file("airline.json", encode(airline_runs))))
    assert (len(records), sum(record.case is None for record in records)) == (200, 0)
    n_calls = 0
    for run, record in zip(airline_runs, records, strict=True):
        wanted = _calls_and_results(run)
        assert record.case is not None
        calls = record.case.actual_invocations or ()
        assert [(c.id, c.tool, c.args, c.error or c.result) for c in calls] == wanted
        n_calls += len(calls)
    assert n_calls == 1164


def _calls_and_results(run: list[JsonObject]) -> list[tuple[JsonValue, JsonValue, JsonValue, JsonValue]]:
    """Pair by the one rule that holds in these runs: a result is the message after its call."""
    pairs: list[tuple[JsonValue, JsonValue, JsonValue, JsonValue]] = []
    for message, after in zip(run, [*run[1:], {}], strict=True):
        calls = message.get("tool_calls")
        if isinstance(calls, list):
            (call,) = calls
            assert isinstance(call, dict)
            function = call["function"]
            assert isinstance(function, dict)
            pairs.append((call["id"], function["name"], function["arguments"], _parsed(after["content"])))
    return pairs


def _parsed(content: JsonValue) -> JsonValue:
    assert isinstance(content, str)
    try:
        value: JsonValue = json.loads(content)
    except ValueError:
        return content
    return value


def _bodies(path: Path) -> Iterator[Pair]:
    """Yield request and response bodies of the chat exchanges of a cassette, as they were recorded."""
    if path.suffix == ".har":
        for entry in json.loads(path.read_text())["log"]["entries"]:
            yield entry["request"]["postData"]["text"], entry["response"]["content"]["text"]
        return
    for exchange in yaml.safe_load(path.read_text())["interactions"]:
        if exchange["request"]["uri"].endswith("/chat/completions"):
            yield _body(exchange["request"]), _body(exchange["response"])


def _body(side: dict[str, JsonValue]) -> JsonValue:
    if "parsed_body" in side:
        return side["parsed_body"]
    body = side["body"]
    return body["string"] if isinstance(body, dict) else body


def _n_calls(response: JsonValue) -> int:
    """Count calls without the reader: in a response only a function has a "name"."""
    text = response if isinstance(response, str) else json.dumps(response)
    return len(re.findall(r'(?<!\\)"name"\s*:\s*"', text))


@pytest.fixture(scope="module")
def cassettes(shared_data: Path) -> list[tuple[str, list[Pair]]]:
    folder = shared_data / "sdk_cassettes" / "openai_chat"
    found = [(path.name, list(_bodies(path))) for path in sorted(folder.iterdir())]
    return [(name, [pair for pair in pairs if not _is_encoded(pair[1])]) for name, pairs in found]


def _is_encoded(response: JsonValue) -> bool:
    """Return whether a body is still compressed, which is the recorder's business."""
    return isinstance(response, str) and response.startswith('["H4sI')


def test_cassettes_lose_no_call(cassettes: list[tuple[str, list[Pair]]], memory_file: MakeFile) -> None:
    n_pairs = n_calls = 0
    for name, pairs in cassettes:
        for request, response in pairs:
            (record,) = read(memory_file(name, encode({"request": {"messages": []}, "response": response})))
            assert record.case is not None, record.problem
            assert len(record.case.actual_invocations or ()) == _n_calls(response), name
            (whole,) = read(memory_file(name, encode({"request": request, "response": response})))
            assert whole.case is not None, whole.problem
            n_pairs += 1
            n_calls += _n_calls(response)
    assert (n_pairs, n_calls) == (36, 31)


def test_pairs_of_one_conversation_are_one_case(cassettes: list[tuple[str, list[Pair]]], memory_file: MakeFile) -> None:
    n_cases = {name: _n_cases(memory_file(name, encode(_as_array(pairs)))) for name, pairs in cassettes if pairs}
    # An agent with a nested model call, and one question asked twice by two tests.
    assert {name.partition("__")[0] for name, n in n_cases.items() if n > 1} == {"openinference", "openllmetry"}
    assert (len(n_cases), sum(n_cases.values())) == (23, 25)


def _as_array(pairs: list[Pair]) -> list[JsonValue]:
    return [{"request": request, "response": response} for request, response in pairs]


def _n_cases(file: InputFile) -> int:
    records = list(read(file))
    assert all(record.case is not None for record in records), records
    return len(records)


def test_every_case_reads_back_from_the_native_format(
    airline_runs: list[list[JsonObject]], cassettes: list[tuple[str, list[Pair]]], memory_file: MakeFile
) -> None:
    logs = [encode(airline_runs), *(encode(_as_array(pairs)) for _, pairs in cassettes if pairs)]
    for log in logs:
        cases = [record.case for record in read(memory_file("log.json", log))]
        again = native.read(memory_file("cases.jsonl", b"\n".join(encode(case) for case in cases)))
        assert [record.case for record in again] == cases


N_MUTATIONS = 3_000
HOSTILE = [
    *(b"null", b"[]", b"{}", b'""', b"-1", b"1e999", b'"\\ud800"', b"\xff", b'"a":', b"\r", b"\xef\xbb\xbf"),
    *(b"[" * 3000, b"9" * 5000),
]


def test_no_mutation_raises(
    airline_runs: list[list[JsonObject]], cassettes: list[tuple[str, list[Pair]]], memory_file: MakeFile
) -> None:
    seeds = [encode(airline_runs[0]), encode({"messages": airline_runs[1][:9], "tools": ["a"]})]
    seeds += [encode(_as_array(pairs)) for _, pairs in cassettes if pairs]
    chance = random.Random(7)  # noqa: S311  # not for secrets: the seed makes a failure repeatable
    for _ in range(N_MUTATIONS):
        content = _mutated(chance.choice(seeds), chance)
        name = chance.choice(["log.json", "log.jsonl"])
        for record in _records_or_refusal(memory_file(name, content)):
            assert record.case is not None or "\n" not in (record.problem or "")


def _records_or_refusal(file: InputFile) -> list[Record]:
    try:
        return list(read(file))
    except InputError:
        return []


def _mutated(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(content))
        end = min(len(content), start + chance.choice([0, 1, 5, 200, 10**6]))
        piece = chance.choice([*HOSTILE, b"", content[start:end] * 2])
        content = content[:start] + piece + content[end:] or b" "
    return content


def test_no_value_in_any_place_raises(cassettes: list[tuple[str, list[Pair]]], memory_file: MakeFile) -> None:
    chance = random.Random(11)  # noqa: S311  # not for secrets: the seed makes a failure repeatable
    values: list[JsonValue] = [None, True, -1, 1.5, "", "x", [], {}, [None], {"a": 1}, [[]], "[1]", "data: {}"]
    pairs = [pair for _, pairs in cassettes for pair in pairs]
    for _ in range(N_MUTATIONS):
        request, response = (_decoded(body) for body in chance.choice(pairs))
        document: JsonValue = {"request": request, "response": response}
        _replace_somewhere(document, chance.choice(values), chance)
        for record in read(memory_file("log.json", encode(document))):
            assert (record.case is None) != (record.problem is None)


def _decoded(body: JsonValue) -> JsonValue:
    try:
        value: JsonValue = json.loads(body) if isinstance(body, str) else json.loads(json.dumps(body))
    except ValueError:
        return body
    return value


def _replace_somewhere(value: JsonValue, new: JsonValue, chance: random.Random) -> None:
    while True:
        if isinstance(value, dict) and value:
            key = chance.choice(list(value))
            if not isinstance(value[key], (dict, list)) or not value[key] or chance.random() < 0.2:
                value[key] = new
                return
            value = value[key]
        elif isinstance(value, list) and value:
            index = chance.randrange(len(value))
            if not isinstance(value[index], (dict, list)) or not value[index] or chance.random() < 0.2:
                value[index] = new
                return
            value = value[index]
        else:
            return
