/** Behind node-tests.cjs: the lines that cases run, from V8 block coverage. */
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
    const lines = linesOf(path, script.functions);
    if (lines.length > 0) files[path] = [...new Set([...(files[path] ?? []), ...lines])];
  }
  return files;
}

/** The lines with a word in a range that ran; the innermost range decides. */
function linesOf(path, functions) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  const ran = new Uint8Array(text.length);
  const ranges = functions.flatMap(f => f.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const lines = [];
  let line = 1;
  let hit = false;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === '\n' || c === undefined) {
      if (hit) lines.push(line);
      line += 1;
      hit = false;
    } else if (ran[i] === 1 && !/[\s{}();,\]]/.test(c)) hit = true;
  }
  return lines;
}
