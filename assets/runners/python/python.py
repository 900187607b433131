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
    job.setdefault("limits", options["limits"])
    *first, last = job["stages"]
    shares = SHARED.may_run(options, files, job)
    files.place(job["files"])
    runs = run_stages(SHARED.run, first, options, job) if shares else []
    if not runs or runs[-1][1] == "crash":
        runs = run_stages(run_stage, job["stages"], options, job)
    elif not stopped(runs):
        # what passes in a shared process has to pass in forks, first where it has not run yet
        alone = run_stages(run_stage, [last, *first], options, job)
        runs = [*runs, *alone] if stopped(alone) else alone
    spent = {id: time for seen, _ in runs for id, time in seen.spent.items()}
    return {
        "id": job["id"],
        "cases": [case for seen, _ in runs for case in seen.cases],
        "coverage": [lines for seen, _ in runs for lines in seen.coverage],
        "ended": runs[-1][1],
        "cpuMs": sum(seen.cpu for seen, _ in runs),
        "loadMs": max(seen.load for seen, _ in runs),
        "spent": {} if job["bail"] else spent,
    }


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
