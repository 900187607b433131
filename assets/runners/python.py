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
            with open(path, "w", newline="") as file:
                file.write(text)
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
    files.place(job["files"])
    job.setdefault("limits", options["limits"])
    cases, coverage, spent, cpu, load = [], [], {}, 0, 0
    for stage in job["stages"]:
        seen, ended = run_stage(options, stage, job)
        cases, coverage = cases + seen.cases, coverage + seen.coverage
        cpu, load = cpu + seen.cpu, max(load, seen.load)
        spent.update({} if job["bail"] else seen.spent)
        bad = any(c["status"] == "failed" for c in seen.cases)
        if PRELOADED.wanted and ended == "done":
            PRELOADED.take(seen.modules)
        if ended != "done" or (bad and job["bail"]):
            break
    took = {"cpuMs": cpu, "loadMs": load, "spent": spent}
    return {"id": job["id"], "cases": cases, "ended": ended, "coverage": coverage, **took}


def compile_all():
    """Compiles the project's modules, so that children need not compile unchanged modules."""
    compileall.compile_dir(ROOT, maxlevels=8, quiet=2, rx=re.compile(r"[/\\\\](\.|venv|node_modules|site-packages)"))


def main():
    options, files = {}, Files()
    for line in sys.stdin:
        job = json.loads(line)
        if job["op"] == "open":
            options = job
            PRELOADED.wanted = job.get("preload", True)
            compile_all()
            if job["kind"] == "pytest":
                warm_pytest()
                if not job.get("cwdOnPath"):
                    sys.path[:] = [p for p in sys.path if p != ""]
                if PRELOADED.wanted:
                    PYTEST.take(job)
            answer = {"id": job["id"], "python": sys.version.split()[0]}
        else:
            answer = run(options, files, job)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
