"""Runs inside the sandbox, behind the other parts of its name: serves jobs, each with the files of a candidate."""

import compileall
import importlib.util
import json
import os
import re
import sys


class Files:
    """Writes the files of a candidate, and restores those of the earlier one."""

    def __init__(self):
        self.originals = {}
        self.placed = set()

    def put(self, path, text):
        if text is None:
            os.remove(path)
        else:
            # in its place, because a file system may write a file that was emptied to the disk at once
            with open(path, "r+" if os.path.exists(path) else "w", newline="") as file:
                file.write(text)
                file.truncate()
        # Python identifies compiled modules by time and size, which a candidate may share with the earlier text
        if path.endswith(".py"):
            try:
                os.remove(importlib.util.cache_from_source(path))
            except FileNotFoundError:
                pass

    def place(self, files):
        for path in self.placed - set(files):
            self.put(path, self.originals[path])
        for path, text in files.items():
            if path not in self.originals:
                with open(path, newline="") as file:
                    self.originals[path] = file.read()
            self.put(path, text)
        self.placed = set(files)


def run(options, files, job):
    job["limits"] = options["limits"]
    files.place(job["files"])
    runs = []
    for stage in job["stages"]:
        seen = run_stage(options, stage, job)
        runs.append(seen)
        if seen.ended != "done" or (job["bail"] and seen.failed()):
            break
    spent = {id: time for seen in runs for id, time in seen.spent.items()}
    return {
        "id": job["id"],
        "cases": [case for seen in runs for case in seen.cases],
        "coverage": [lines for seen in runs for lines in seen.coverage],
        "ended": runs[-1].ended,
        "cpuMs": sum(seen.cpu for seen in runs),
        "loadMs": max(seen.load for seen in runs),
        "spent": {} if job["bail"] else spent,
    }


def compile_all():
    """Compiles the project's modules, so that children need not compile unchanged modules."""
    compileall.compile_dir(ROOT, maxlevels=8, quiet=2, rx=re.compile(r"[/\\\\](\.|venv|node_modules|site-packages)"))


def main():
    options, files, why = {}, Files(), ""
    for line in sys.stdin:
        job = json.loads(line)
        if job["op"] == "open":
            options = job
            compile_all()
            if job["kind"] == "pytest":
                warm_pytest()
                if not job.get("cwdOnPath"):
                    sys.path[:] = [p for p in sys.path if p != ""]
                why = PYTEST.take(job)
        else:
            sys.stdout.write(json.dumps({**run(options, files, job), "why": why}) + "\n")
            sys.stdout.flush()


main()
