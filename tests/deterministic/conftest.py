"""Outside data that the checkout may have beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of outside data; tests that read it are skipped where it is absent."""
    folder = Path(os.environ.get("CALLGRADE_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no outside data at {folder}: set CALLGRADE_SHARED to the folder that holds it")
    return folder
