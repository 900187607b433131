/** Appended to node-worker.cjs: test files of uvu, ava and tap, whose cases run one after another in this thread. */
const { dirname, join } = require('node:path');

/** What the runner of the test files needs, if it is uvu, ava or tap; rejected if it cannot be loaded, as the first file says. */
let opened = null;

/** Loads it, and waits: what it keeps in the thread is none of a candidate. */
async function loadSuites(name) {
  opened = { uvu: openUvu, ava: openAva, tap: openTap }[name]?.() ?? null;
  await opened?.catch(() => {});
}

/** Takes the place of a package in test files, with these exports; `now` holds them, and `required` for `require`. */
function replacePackage(name, exports) {
  if (!Module.registerHooks) throw new Error(`${name} needs Node 22.15 or later here`);
  other.packages[name] = { exports, now: {} };
}

/** A suite of uvu: what its file declares until `run` is a suite of this thread. Without a name, its cases are those of the file. */
function uvuSuite(name = '', state = {}) {
  const hooksOf = () => ({ before: [], after: [], beforeEach: [], afterEach: [] });
  let declared = { tests: [], hooks: hooksOf() };
  Object.assign(state, { __suite__: name, __test__: '' });
  const add = only => (title, work) => void declared.tests.push({ title, work, only });
  const hook = kind => work => void declared.hooks[kind].push(() => work(state));
  const suite = Object.assign(add(false), {
    only: add(true),
    skip: () => {},
    before: Object.assign(hook('before'), { each: hook('beforeEach') }),
    after: Object.assign(hook('after'), { each: hook('afterEach') }),
  });
  suite.run = () => {
    const { tests, hooks } = declared;
    declared = { tests: [], hooks: hooksOf() };
    const node = Object.assign(nodeFor('suite', name, run.root), { hooks });
    const exclusive = tests.filter(t => t.only);
    for (const { title, work } of exclusive.length > 0 ? exclusive : tests) {
      const child = nodeFor('test', String(title), node);
      child.fn = async () => {
        state.__test__ = title;
        try {
          return await work(state);
        } catch (error) {
          // its own assertions name the value so
          if (error?.code === 'ERR_ASSERTION') error.expected ??= error.expects;
          throw error;
        }
      };
      // uvu itself has no limit
      child.options = { timeout: quietMs };
      node.children.push(child);
    }
    run.queue.push(node);
  };
  return suite;
}

const nodeFor = (kind, name, parent) =>
  Object.assign(makeNode(kind, parent, []), { name, file: run.file });

const openUvu = async () => replacePackage('uvu', ['suite', 'test', 'exec']);

/** Loads a test file of uvu, and then runs its suites, as the command line of uvu does. */
async function runUvu(file) {
  await opened;
  const exports = { suite: uvuSuite, test: uvuSuite(), exec: async () => {} };
  other.packages.uvu.now = { ...exports, required: exports };
  run.queue = [];
  for (const name of scriptOptions.require) await loadRequired(name);
  const path = `${root}/${file}`;
  // with such a module, uvu requires the test files
  const load = async () =>
    scriptOptions.require.length > 0 ? Module.createRequire(path)(path) : loadTests(path);
  await Promise.race([load(), run.uncaught]);
  const mine = run;
  const suites = async () => {
    // what a failure left behind must not run in the next job
    for (const node of mine.queue) if (mine === run) await runNode(node);
  };
  await Promise.race([suites(), run.uncaught]);
}

/** The parts of the project's ava that run a test file, with a runner whose tests are the cases of this thread. */
async function openAva() {
  const folder = dirname(dirname(require.resolve('ava', { paths: [root] })));
  const part = async name => (await import(pathToFileURL(join(folder, 'lib', name)).href)).default;
  // fails in a version with other parts
  (await part('worker/options.cjs')).set({ projectDir: root, ...scriptOptions });
  const Runner = await part('runner.js');
  replacePackage('ava', ['default', 'registerCompletionHandler']);
  return class extends Runner {
    /** The job that it belongs to. */
    mine = run;

    async runTest(task, context) {
      // what counts are the cases
      const node = Object.assign(nodeOf(task.title, run.root), { points: 0 });
      if (this.mine !== run || run.stopped || !wanted(node)) return true;
      this.node = node;
      const passed = await super.runTest(task, context);
      if (this.mine !== run || node.ended || run.again) return passed;
      finish(node, 'failed', new Error('A hook of this test failed'));
      return false;
    }

    async runSingle(runnable) {
      const { node } = this;
      if (runnable.isHook) return super.runSingle(runnable);
      begin(node);
      run.open = node;
      const { fn } = runnable;
      runnable.fn = (...args) => watched(node, () => fn(...args));
      const result = await super.runSingle(runnable);
      if (this.mine !== run) return result;
      run.open = null;
      if (run.again) run.stopped = true;
      else finish(node, result.passed ? 'passed' : 'failed', failureOfAva(result.error));
      node.ended = true;
      return result;
    }
  };
}

/** The error of a failed test of ava: what the code under test threw, or the values that the assertion shows. */
function failureOfAva(error) {
  if (error?.cause !== undefined) return error.cause;
  if (!Array.isArray(error?.formattedDetails)) return error;
  const details = error.formattedDetails.map(d => `${d.label} ${d.formatted}`.trim());
  const failure = new Error([error.message, ...details].filter(Boolean).join('\n'));
  failure.stack = error.assertionStack || error.stack;
  const shown = error.formattedDetails.flatMap(d => d.formatted.split('\n'));
  const [actual, expected] = ['- ', '+ '].map(sign => sideOf(shown, sign));
  if (actual.length === 0 || expected.length === 0) return failure;
  return Object.assign(failure, { actual: actual.join('\n'), expected: expected.join('\n') });
}

/** The lines of a difference that begin with a sign, without it. */
const sideOf = (lines, sign) =>
  lines.filter(l => l.startsWith(sign)).map(l => l.slice(sign.length));

/** Waits for a file. `work` gets a function that waits for promises as long as the file may take. */
async function runWithin(top, work) {
  const watch = watchFile();
  try {
    await work((...promises) => Promise.race([...promises, ...watch.ended]));
  } catch (error) {
    if (run.again) run.stopped = true;
    else finish(run.open ?? top, 'failed', error);
  } finally {
    watch.stop();
  }
}

/** Loads a test file of ava, and waits until its tests have run. */
async function runAva(file, top) {
  const Runner = await opened;
  const runner = new Runner({
    file: `${root}/${file}`,
    projectDir: root,
    failFast: run.bail,
    // one after another, so that each has its own time and lines
    serial: true,
    match: [],
    recordNewSnapshots: false,
    updateSnapshots: false,
    ...scriptOptions,
  });
  const { chain } = runner;
  other.packages.ava.now = { default: chain, required: chain, registerCompletionHandler: () => {} };
  run.open = null;
  const ended = new Promise(done => runner.on('finish', done));
  await runWithin(top, async within => {
    await within(loadTests(`${root}/${file}`));
    await within(ended);
  });
}

const implicitEnd = Symbol.for('implicit end');

/** The project's tap, whose root test is replaced by one for each file. */
async function openTap() {
  const loaded = require(require.resolve('tap', { paths: [root] }));
  const names = Object.keys(loaded).filter(name => /^[a-z]\w*$/i.test(name));
  replacePackage('tap', [...new Set(['default', ...names])]);
  return loaded;
}

/** A test of tap for a file. Its tests are the cases; what it asserts outside of them belongs to the file. */
function makeTapTest({ Test }, file) {
  const mine = run;
  const top = new Test({ name: file, timeout: 0 });
  const declare = top.test.bind(top);
  top.test = (...args) => {
    const at = args.findIndex(a => typeof a === 'function');
    const work = args[at];
    if (work === undefined) return declare(...args);
    const named = args.find(a => typeof a === 'string' || typeof a === 'number');
    const name = String(named ?? args.find(a => a?.name)?.name ?? 'unnamed');
    // tap counts assertions, nested ones too
    const node = Object.assign(nodeOf(name, run.root), { points: 0 });
    mine.declared += 1;
    if (mine !== run || run.stopped || !wanted(node)) return declare(name, { skip: true }, work);
    const begun = test => {
      // those that wait behind a failure must not run in the next job
      if (mine !== run || run.stopped) return test.end();
      begin(node);
      run.open = node;
      test.on('complete', results => {
        if (mine === run) endOfTap(node, results);
      });
      return watched(node, () => work(test));
    };
    return declare(...args.with(at, begun));
  };
  // nothing reads what it prints
  top.resume();
  top.runMain(() => {});
  return top;
}

function endOfTap(node, { ok, failures }) {
  run.open = null;
  if (run.again) run.stopped = true;
  else finish(node, ok ? 'passed' : 'failed', failureOfTap(failures[0]));
  if (run.stopped) run.stop();
}

/** The error of a failed assertion of tap, with the values that it compared. */
function failureOfTap(failure) {
  if (failure === undefined) return undefined;
  const { diag, name } = failure;
  const error = new Error([name, diag?.diff].filter(Boolean).join('\n'));
  // its places are relative to the root folder; those of this program lie nowhere
  const places = [...String(diag?.stack ?? '').matchAll(/([^\s(]+):\d+:\d+/g)]
    .filter(([, path]) => existsSync(resolve(root, path)))
    .map(([place]) => `    at ${resolve(root, place)}`);
  error.stack = places.join('\n');
  if (typeof diag?.diff !== 'string') return error;
  const lines = diag.diff.split('\n').filter(l => !/^(---|\+\+\+) /.test(l));
  const [actual, expected] = ['+', '-'].map(sign => sideOf(lines, sign).join('\n'));
  return Object.assign(error, { actual, expected });
}

/** Loads a test file of tap, and waits until its tests have run. */
async function runTap(file, top) {
  const tap = await opened;
  const test = makeTapTest(tap, file);
  const bound = name => (typeof test[name] === 'function' ? test[name].bind(test) : tap[name]);
  const exports = other.packages.tap.exports.map(name => [name, bound(name)]);
  const own = { t: test, default: test, Test: tap.Test };
  // `require` returns the root test, which has the other exports, too
  for (const [name, value] of Object.entries(own)) Object.defineProperty(test, name, { value });
  other.packages.tap.now = { ...Object.fromEntries(exports), ...own, required: test };
  const stopped = new Promise(done => Object.assign(run, { stop: done, open: null, declared: 0 }));
  const ended = new Promise(done => test.on('complete', done));
  await runWithin(top, async within => {
    await within(loadTests(`${root}/${file}`), stopped);
    // the real one ends when nothing of the process is left
    if (test.idle) test.end(implicitEnd);
    else test.once('idle', () => test.end(implicitEnd));
    const results = await within(ended, stopped);
    if (results !== undefined) endOfFile(top, { ...results, counts: test.counts });
  });
}

/** What a file of tap asserted: the counts of all, and a case of those outside of its tests. */
function endOfFile(top, { count, counts, failures }) {
  run.points.passed += counts.pass;
  run.points.failed += counts.fail;
  if (run.asked !== null && !run.asked.has(top.name)) return;
  const failure = failures.find(f => !f.closingTestPoint);
  if (failure !== undefined) report(top, 'failed', { error: failureOfTap(failure) });
  else if (count > run.declared) report(top, 'passed');
}
