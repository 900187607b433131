/** Behind case-ids.cjs and script-lines.cjs: loaded into a test runner inside the sandbox; records the lines that each case ran. */
const { appendFileSync, readFileSync, rmSync } = require('node:fs');
const { dirname, join } = require('node:path');

const { ownPath, start, take, stop: stopScripts } = openScriptLines(dirname(__dirname), __dirname);
const output = join(__dirname, 'lines.jsonl');

function write(id, file) {
  const files = take();
  if (Object.keys(files).length > 0)
    appendFileSync(output, `${JSON.stringify({ id, file, files })}\n`);
  return files;
}

const loaded = new Set();
let loading = {};

/** Begins a case: lines that ran before it belong to the loading of the files. */
function begin(file) {
  const own = ownPath(file);
  if (own === null) return;
  const files = take();
  for (const [path, lines] of Object.entries(files))
    loading[path] = [...new Set([...(loading[path] ?? []), ...lines])];
  if (loaded.has(own)) return;
  loaded.add(own);
  appendFileSync(output, `${JSON.stringify({ id: null, file: own, files: loading })}\n`);
}

/** Ends a case; `name` is its full name in the runner's report. */
function end(file, name) {
  const own = ownPath(file);
  if (own !== null) write(plainId(own, name), own);
}

/** Stops to record, and returns what was recorded since the start, for a runner that stays open. */
function stop() {
  stopScripts();
  loaded.clear();
  loading = {};
  let text = '';
  try {
    text = readFileSync(output, 'utf8');
    rmSync(output);
  } catch {
    // no case ran a line
  }
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
}

module.exports = { start, begin, end, stop };
