/** Behind ran-ranges.cjs and tests.cjs: the lines that cases run, from V8 block coverage. */
const inspector = require('node:inspector');

let session = null;

function startCoverage() {
  session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

function stopCoverage() {
  session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  session = null;
}

/** The lines that ran since the last call, by file: those of a case, or of the loading of its file. */
function takeCoverage(node) {
  if (session === null) return;
  const files = ranLines();
  const coverage = { id: node === null ? null : idOf(node), file: run.file, files };
  if (Object.keys(files).length > 0) parentPort.postMessage({ job: run.job, coverage });
}

function ranLines() {
  const files = {};
  let result = [];
  // a session of the same thread replies before `post` returns
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (!error) result = answer.result;
  });
  for (const script of result) {
    const path = isOwn(script.url) || isAbsolute(script.url) ? ownPath(script.url) : null;
    if (path === null) continue;
    const text = readOwn(path);
    const lines = linesIn(text, markRan(script.functions, text.length));
    if (lines.length > 0) files[path] = [...new Set([...(files[path] ?? []), ...lines])];
  }
  return files;
}

/** The text of a file; empty for one that is gone. */
function readOwn(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
