"""Runs each Python file of the folder and prints, as JSON, what it printed or why it failed."""
import contextlib
import io
import json
import pathlib
import runpy
import sys

outcomes = {}
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(file))
        outcomes[file.stem] = {"ok": True, "text": printed.getvalue()}
    except (Exception, SystemExit) as error:
        outcomes[file.stem] = {"ok": False, "text": str(error)}
print(json.dumps(outcomes))
