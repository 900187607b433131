/** Behind warm-driver.cjs: runs test files with the project's own vitest. */
const { pathToFileURL } = require('node:url');

const state = { vitest: null, specs: [], channel: null, changed: new Set(), finish: () => {} };

/** Vitest as the project uses it, with other options on top. */
async function createQuiet({ words }, more) {
  const own = createRequire(`${root}/package.json`);
  const { createVitest, parseCLI } = await import(pathToFileURL(own.resolve('vitest/node')).href);
  const { filter, options } = parseCLI(['vitest', ...words]);
  // version 3 takes the reporter of the words before this one
  const { reporter, outputFile, ...others } = options;
  const quiet = { watch: false, reporters: [{}], coverage: { enabled: false } };
  const vitest = await createVitest('test', { ...others, ...quiet, ...more });
  await vitest.standalone?.();
  return { vitest, specs: await vitest.globTestSpecifications(filter) };
}

/** Environments that test files can share; the page of a simulated browser is set back for each. */
const shareable = new Set(['node', 'jsdom', 'happy-dom']);

/** True if one thread can run all test files, one after the other, with fresh modules for each. */
function mayShare({ vitest, specs }) {
  const own = text => /@(?:vitest|jest)-environment\b/.test(text);
  const fits = ({ environment = 'node', environmentMatchGlobs = [] }) =>
    shareable.has(environment) && environmentMatchGlobs.length === 0;
  return (
    vitest.projects.length === 1 &&
    vitest.projects.every(p => fits(p.config)) &&
    specs.length > 0 &&
    !specs.some(s => own(readFileSync(s.moduleId, 'utf8')))
  );
}

async function openVitest(message) {
  const { folder, shared } = message;
  if (!shared) return void Object.assign(state, await createQuiet(message, {}));
  const threads = { pool: 'threads', isolate: false, maxWorkers: 1, fileParallelism: false };
  const runner = resolve(root, folder, 'vitest-runner.mjs');
  Object.assign(state, await createQuiet(message, { ...threads, runner }));
  // vitest adds source maps to modules only if a debugger may attach
  for (const { config } of [state.vitest, ...state.vitest.projects])
    if (config.inspector) config.inspector.openInMainProcess = true;
  if (!mayShare(state)) throw new Error('the tests of vitest cannot share a thread');
  state.channel = new BroadcastChannel('photon');
  state.channel.onmessage = ({ data }) => state.finish(data);
  const ready = new Promise(done => {
    state.finish = done;
  });
  // this run does not end: its thread waits for jobs
  const gone = state.vitest
    .runTestSpecifications(state.specs.slice(0, 1))
    .then(() => leave(), leave);
  await Promise.race([ready, gone]);
}

/** Runs test files in the thread that waits for jobs. */
function runShared(files, only, { bail, coverage }) {
  const changed = [...state.changed];
  state.changed.clear();
  const wanted = wantedOf(only);
  return new Promise(done => {
    state.finish = done;
    state.channel.postMessage({ root, files, wanted, bail, covers: coverage, changed });
  });
}

async function runVitest({ tests, only }, job) {
  const specs = state.specs.filter(s => tests.length === 0 || tests.includes(below(s.moduleId)));
  if (state.channel !== null) {
    const { files, crashed, coverage, changed } = await runShared(
      specs.map(s => s.moduleId),
      only,
      job,
    );
    return { ...endOf(files, crashed), coverage, changed };
  }
  const { testModules, unhandledErrors } = await state.vitest.runTestSpecifications(specs);
  const end = endOf(testModules.map(moduleOf), unhandledErrors.length > 0);
  return { ...end, coverage: [] };
}

/** A crash counts only where no case shows it. */
function endOf(files, crashed) {
  const idOf = openIds();
  const cases = files.flatMap(file => vitestCases(file, idOf));
  const shown = cases.some(c => c.status === 'failed');
  return { cases, ended: crashed && !shown ? 'crash' : 'done' };
}

/** A test file as vitest-runner.mjs describes it. */
function moduleOf(module) {
  const tests = [...module.children.allTests()].map(test => {
    const { state: how, errors } = test.result();
    return { name: nameOf(test), state: how, errors };
  });
  return {
    path: module.moduleId,
    broken: module.state() === 'failed',
    errors: module.errors(),
    tests,
  };
}

function nameOf(test) {
  const names = [];
  for (let at = test; at && at.type !== 'module'; at = at.parent) names.unshift(at.name);
  return names.join(' ');
}

/** The cases of a test file, with the names of vitest's JSON report. */
function vitestCases({ path, broken, errors, tests }, idOf) {
  const file = below(path);
  const cases = tests.map(test => {
    const id = idOf(file, test.name);
    if (test.state === 'failed') return { id, file, ...failureOf(test.errors) };
    return { id, file, status: test.state === 'passed' ? 'passed' : 'skipped' };
  });
  return broken && !cases.some(c => c.status === 'failed')
    ? [{ id: file, file, ...failureOf(errors) }]
    : cases;
}

function failureOf(errors = []) {
  const frames = errors.flatMap(e =>
    e.stacks?.length > 0
      ? e.stacks
          .map(s => ({ path: below(s.file), line: s.line }))
          .filter(f => !f.path.startsWith('..'))
      : framesOf(e.stack),
  );
  const message = String(errors[0]?.message ?? '').slice(0, 1000);
  return { status: 'failed', message, frames: frames.slice(0, 20), ...comparedIn(errors[0]) };
}

void serve({
  open: openVitest,
  run: runVitest,
  changed: path => {
    state.changed.add(path);
    state.vitest.invalidateFile(path);
  },
});
