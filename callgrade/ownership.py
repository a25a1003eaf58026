"""Are the top-level packages ours? Checked before any of them is imported.

Another distribution is called ``judges``; installed over our wheel it replaces our file
``judges/__init__.py`` in place. Each of our ``__init__.py`` files therefore begins with a marker.
Nothing here imports a package before it is verified, ``cases`` (and its error classes) included.
"""

from __future__ import annotations

import importlib
import importlib.util
import os.path  # pathlib would double the cost of the check

PACKAGES = ("cases", "deterministic", "rubrics", "judges", "calibration", "reports")
"""What ships beside ``callgrade`` and could be somebody else's."""

EXIT_CODE = 4
"""``cases.errors.InstallationError.exit_code``, which cannot be imported before the check."""

_MARKER = b'"""callgrade: '


def load_owned(target: str) -> object:
    """Import ``module:attribute`` once all packages are known to be ours.

    Raises:
        InstallationError: A package is foreign; an ``ImportError`` when that package is ``cases``
            itself, where the class would come from.
    """
    foreign = find_foreign()
    if "cases" in foreign:
        raise ImportError(explain(foreign))
    if foreign:
        errors = importlib.import_module("cases.errors")
        raise errors.InstallationError(explain(foreign))
    module, _, attribute = target.partition(":")
    value: object = getattr(importlib.import_module(module), attribute)
    return value


def find_foreign() -> dict[str, str | None]:
    """Return each package that is not ours, with the file that an import would run.

    The file is None when there is none. Empty when all is well, in about a millisecond.
    """
    root = os.path.dirname(os.path.dirname(__file__))
    origins = {name: _origin(name) for name in PACKAGES}
    return {name: origin for name, origin in origins.items() if not _is_ours(name, origin, root)}


def explain(foreign: dict[str, str | None]) -> str:
    """Say on one line what lies where, who put it there and what to do about it."""
    owners = {name: _owners(name, origin) for name, origin in foreign.items()}
    facts = [_fact(name, origin, owners[name]) for name, origin in foreign.items()]
    culprits = sorted({name for found in owners.values() for name in found})
    uninstall = f"pip uninstall {' '.join(culprits)} && " if culprits else ""
    return (
        f"{'; '.join(facts)}; install callgrade in an environment of its own "
        "(`pipx install callgrade` or `uv tool install callgrade`), or repair this one: "
        f"`{uninstall}pip install --force-reinstall callgrade`"
    )


def _origin(name: str) -> str | None:
    """Locate the file that ``import name`` would run, without running it."""
    try:
        spec = importlib.util.find_spec(name)
    except ValueError:  # already imported by hand, without a spec: not from our wheel
        return None
    return spec.origin if spec is not None else None


def _is_ours(name: str, origin: str | None, root: str) -> bool:
    if origin is None or not _same(origin, os.path.join(root, name, "__init__.py")):
        return False
    with open(origin, "rb") as file:
        return file.read(len(_MARKER)) == _MARKER


def _same(path: str, other: str) -> bool:
    # Resolving links would cost a third of the check; needed only where a path has two spellings.
    return path == other or os.path.realpath(path) == os.path.realpath(other)


def _fact(name: str, origin: str | None, owners: dict[str, str]) -> str:
    if origin is None:
        return f"package {name!r} is missing or has lost its __init__.py"
    foreign = f"package {name!r} at {origin} is not callgrade's"
    if not owners:
        return f"{foreign} and no other distribution's: look at PYTHONPATH and the working folder"
    who = " and ".join(f"{owner} {version}" for owner, version in owners.items())
    return f"{foreign} but belongs to the distribution {who}"


def _owners(name: str, origin: str | None) -> dict[str, str]:
    """Name and version of each other distribution that recorded the file as its own."""
    if origin is None:
        return {}
    # Slow (reads every RECORD on the path) and heavy to import: only once something is wrong.
    from importlib.metadata import distributions  # noqa: PLC0415

    return {
        dist.name: dist.version
        for dist in distributions()
        if dist.name != "callgrade"
        and any(
            file.as_posix() == f"{name}/__init__.py" and _same(str(dist.locate_file(file)), origin)
            for file in dist.files or ()
        )
    }
