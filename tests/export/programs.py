"""Runs exported programs in one fresh interpreter, in the order in which they were given."""

import contextlib
import io
import json
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def outputs(folder, programs):
    """The exit code and the output of each program, by its name."""
    paths = {name: folder / f"program_{number}.py" for number, name in enumerate(programs)}
    for name, path in paths.items():
        path.write_text(programs[name], "utf-8")
    command = [sys.executable, "-m", "tests.export.programs", *map(str, paths.values())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(paths, json.loads(done.stdout), strict=True))


def _ran(path):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as end:
            return end.code, said.getvalue()
    return None, said.getvalue()


if __name__ == "__main__":
    print(json.dumps([_ran(path) for path in sys.argv[1:]]))
