"""``callgrade calibrate``: how far recorded judges can be believed, measured against labels."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from calibration.formats.catalog import FORMATS, AgreementFormat
from calibration.records import Answer, Label
from calibration.report import CalibrationReport, Settings, calibrate
from calibration.sampling import Plan
from calibration.trust import Bar
from callgrade.commands.options import color_option, json_option
from callgrade.opening import find_files
from callgrade.terminal import Screen, When
from cases.errors import InputError
from reports.agreement import agreement_lines

_PLANS: dict[str, Plan] = {"random": "random", "by-verdict": "by_verdict", "elsewhere": "elsewhere"}
_UNTRUSTED, _INCONCLUSIVE = 1, 5


class _Look(msgspec.Struct, frozen=True):
    """One line of the looks file: a test set was reported on."""

    test_set: str


@click.command(epilog="Example: callgrade calibrate --answers answers.jsonl --labels labels.jsonl --sampling random")
@click.option(
    "--answers",
    multiple=True,
    required=True,
    metavar="FILE",
    help="What the judges said: item, verdict, judge, score; a file, folder or pattern, may be repeated.",
)
@click.option(
    "--labels",
    multiple=True,
    required=True,
    metavar="FILE",
    help="What people said: item, label, labeller, stratum, cluster; may be repeated.",
)
@click.option(
    "--texts",
    multiple=True,
    metavar="FILE",
    help="The graded texts, for the text-length baseline; may be repeated.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default="native",
    show_default=True,
    help="How to read the files: " + "; ".join(f"{name}: {entry.summary}" for name, entry in FORMATS.items()) + ".",
)
@click.option(
    "--sampling",
    type=click.Choice(list(_PLANS)),
    help="How the labelled items were drawn from the answers. Default: by the labels' inclusion_probability.",
)
@click.option(
    "--min-labels",
    type=click.IntRange(min=1),
    help="Labels that an item needs. Default: 1 (d2t_eval: 2).",
)
@click.option("--judge", "judges", multiple=True, metavar="NAME", help="Only this judge; may be repeated.")
@click.option("--against", metavar="NAME", help="Compare every other judge with this one, item by item.")
@click.option(
    "--min-tpr",
    type=click.FloatRange(0.0, 1.0),
    default=Bar().tpr,
    show_default=True,
    help="Share of true fails that a trusted judge finds, lower confidence limit.",
)
@click.option(
    "--min-tnr",
    type=click.FloatRange(0.0, 1.0),
    default=Bar().tnr,
    show_default=True,
    help="Share of true passes that it keeps, lower confidence limit.",
)
@click.option(
    "--min-precision",
    type=click.FloatRange(0.0, 1.0),
    default=Bar().precision_of_fail,
    show_default=True,
    help="Share of its FAILs that are right, lower confidence limit.",
)
@click.option(
    "--max-no-verdict",
    type=click.FloatRange(0.0, 1.0),
    default=Bar().max_no_verdict,
    show_default=True,
    help="Share of its answers that may be abstentions or unreadable.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap and the draws.")
@click.option(
    "--looks",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File that remembers how often a test set was reported on; one line is added by each report with scores.",
)
@click.option(
    "--require-trusted",
    is_flag=True,
    help="Exit 1 when a judge is untrusted, 5 when one has too few labels.",
)
@json_option
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    answers: tuple[str, ...],
    labels: tuple[str, ...],
    texts: tuple[str, ...],
    format_name: str,
    sampling: str | None,
    min_labels: int | None,
    judges: tuple[str, ...],
    against: str | None,
    min_tpr: float,
    min_tnr: float,
    min_precision: float,
    max_no_verdict: float,
    seed: int,
    looks: Path | None,
    require_trusted: bool,
    as_json: bool,
    color: When,
) -> None:
    """Measure recorded judges against human labels: agreement beyond chance, rates, trivial graders, trust.

    Prints one document. Exit codes: 0 done, 1 and 5 with --require-trusted, 2 usage, 3 bad input.
    """
    entry = FORMATS[format_name]
    settings = Settings(
        plan=None if sampling is None else _PLANS[sampling],
        min_labels=min_labels or entry.min_labels,
        bar=Bar(tpr=min_tpr, tnr=min_tnr, precision_of_fail=min_precision, max_no_verdict=max_no_verdict),
        seed=seed,
    )
    report = calibrate(
        _read_answers(entry, answers, judges),
        _read_labels(entry, labels, texts),
        settings,
        against=against,
        earlier_looks=None if looks is None else _earlier_looks(looks),
    )
    if looks is not None and any(judge.scores is not None for judge in report.judges):
        _remember_look(looks, report.test_set)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    else:
        Screen(color).print(agreement_lines(report))
    if require_trusted:
        ctx.exit(_exit_code(report))


def _read_answers(entry: AgreementFormat, paths: Sequence[str], judges: Sequence[str]) -> list[Answer]:
    found = [answer for file in find_files(paths) for answer in entry.read_answers(file)]
    names = {answer.judge for answer in found}
    for judge in judges:
        if judge not in names:
            raise InputError(f"--judge {judge!r}: no such judge in the answers; there are {sorted(names)}")
    return [answer for answer in found if not judges or answer.judge in judges]


def _read_labels(entry: AgreementFormat, paths: Sequence[str], texts: Sequence[str]) -> list[Label]:
    found = [label for file in find_files(paths) for label in entry.read_labels(file)]
    if not texts:
        return found
    lengths = dict(pair for file in find_files(texts) for pair in entry.read_lengths(file))
    return [msgspec.structs.replace(label, text_length=lengths.get(label.item, label.text_length)) for label in found]


def _earlier_looks(path: Path) -> Counter[str]:
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return Counter()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; name another looks file") from error
    decoder = msgspec.json.Decoder(_Look)
    counts: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        try:
            counts[decoder.decode(line).test_set] += 1
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path}:{number}: {error}; not a looks file: name another one") from error
    return counts


def _remember_look(path: Path, test_set: str) -> None:
    try:
        with path.open("ab") as stream:
            stream.write(msgspec.json.encode(_Look(test_set)) + b"\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}; name another looks file") from error


def _exit_code(report: CalibrationReport) -> int:
    statuses = {judge.trust.status for judge in report.judges}
    if "untrusted" in statuses:
        return _UNTRUSTED
    return _INCONCLUSIVE if "too_few_labels" in statuses else 0
