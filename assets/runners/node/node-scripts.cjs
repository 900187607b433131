/** Appended to node-worker.cjs: test files of tape, mocha and tap, and plain scripts whose assertions are their cases. */
const { existsSync } = require('node:fs');
const { resolve } = require('node:path');

const maxAssertions = 2000;
const quietMs = 20_000;

/** Opens the way to run files of a runner, or of a plain `node` script. */
function openScript(name) {
  const run = { mocha: runMocha, tap: runTap }[name];
  return run === undefined
    ? { run: runScript, loaded: watchModule }
    : { run, loaded: (_request, _parent, loaded) => loaded };
}

const isTape = path => /[\\/]node_modules[\\/]tape[\\/](index|lib[\\/]test)\.js$/.test(path);
const nodeOf = (name, parent) => ({ name, parent, file: run.file, children: [], options: {} });

/** Begins a case: the lines that ran before it belong to the loading of the file. */
function begin(node) {
  takeCoverage(null);
  node.from = threadMs();
  parentPort.postMessage({ job: run.job, begin: { id: idOf(node), file: run.file } });
}

function finish(node, status, error) {
  if (node.from !== undefined) measured(node, threadMs() - node.from, error);
  takeCoverage(node);
  if (status === 'failed') run.points.failed += node.points ?? 1;
  report(node, status, { error });
}

/** The next case of a plain script: everything that runs until its assertion has ended, or until the script ends. */
function expectAssertion() {
  run.next = nodeOf(`assertion ${run.asserted + 1}`, run.root);
  run.next.from = threadMs();
  parentPort.postMessage({ job: run.job, next: { id: idOf(run.next) } });
}

/** Looks at a module that a test file loads: tape, or the assertions of a plain script. */
function watchModule(request, parent, loaded) {
  if (run === null) return loaded;
  if (request === 'tape' && run.tape !== loaded && loaded?.createStream) {
    run.tape = loaded;
    run.ended = watchTape(loaded);
  }
  const own = parent?.filename && ownPath(parent.filename) === run.file;
  if (own && /^(node:)?assert(\/strict)?$/.test(request)) return watchAssert(loaded);
  return loaded;
}

/** Reports the tests of tape as cases; resolves when the last one has ended. */
function watchTape(tape) {
  const top = run.root;
  const open = new Map();
  const mine = run;
  tape.createStream({ objectMode: true }).on('data', row => {
    if (mine !== run || run.stopped) return;
    if (row.type === 'test') {
      const node = nodeOf(row.name, open.get(row.parent) ?? top);
      Object.assign(node, { skipped: row.skip, todo: row.todo, number: row.id });
      open.set(row.id, node);
      run.open = node;
      if (wanted(node)) begin(node);
    } else if (row.type === 'assert') {
      const node = open.get(row.test);
      const ok = row.ok || row.todo || row.skip;
      run.points[row.ok ? 'passed' : 'failed'] += 1;
      if (!ok && node && !node.failed) node.failed = failureOf(row);
      if (!ok && run.bail && node) endTape(node);
    } else if (row.type === 'end' && open.has(row.test)) endTape(open.get(row.test));
  });
  return new Promise(done => tape.onFinish(done));
}

/** The error of a failed assertion of tape, with the values that it compared. */
function failureOf({ error, name, actual, expected }) {
  const failure = error ?? new Error(String(name));
  return Object.assign(Object.create(failure), {
    message: failure.message,
    stack: failure.stack,
    actual,
    expected,
  });
}

function endTape(node) {
  if (node.done) return;
  node.done = true;
  node.points = 0;
  run.open = node.parent === run.root ? null : node.parent;
  const status = node.failed ? 'failed' : node.skipped ? 'skipped' : 'passed';
  if (wanted(node)) finish(node, status, node.failed);
  if (run.stopped) run.stop();
}

/** Interrupts endless loops in tests of tape, which would otherwise cost the thread. */
function guardTape() {
  const path = Object.keys(Module._cache).find(p => isTape(p) && p.endsWith('test.js'));
  const Test = path === undefined ? undefined : Module._cache[path].exports;
  if (!Test?.prototype?.run || Test.prototype.guarded) return;
  const original = Test.prototype.run;
  Test.prototype.guarded = true;
  Test.prototype.run = function () {
    const first = run.tape?.getHarness()._tests.includes(this);
    const node = nodeOf(this.name, first ? run.root : (run.open ?? run.root));
    if (!wanted(node)) {
      // runs nothing that could need a watch, which takes a thread
      this._skip = true;
      return original.call(this);
    }
    try {
      return watched(node, () => original.call(this));
    } catch (error) {
      run.fail(error);
    }
  };
}

/** The assertions of a plain script, each a case by its number. */
function watchAssert(real) {
  if (run.assert) return run.assert;
  let depth = 0;
  const counted = fn =>
    function (...args) {
      if (depth > 0 || run.stopped || run.asserted >= maxAssertions) return fn.apply(this, args);
      run.asserted += 1;
      const node = run.next;
      depth += 1;
      try {
        const result = fn.apply(this, args);
        run.points.passed += 1;
        finish(node, 'passed');
        expectAssertion();
        return result;
      } catch (error) {
        finish(node, 'failed', error);
        run.thrown = error;
        throw error;
      } finally {
        depth -= 1;
      }
    };
  run.asserted = 0;
  expectAssertion();
  run.assert = counted(real);
  for (const [name, value] of Object.entries(real))
    run.assert[name] = typeof value === 'function' && !/^[A-Z]/.test(name) ? counted(value) : value;
  return run.assert;
}

/** Loads a script and waits until its tests have ended. */
async function runScript(file, top) {
  // the entry of tape holds its harness
  for (const path of Object.keys(Module._cache))
    if (isTape(path) && path.endsWith('index.js')) delete Module._cache[path];
  const before = new Set(process.listeners('exit'));
  const stopped = new Promise(done => Object.assign(run, { stop: done }));
  Object.assign(run, { tape: null, ended: null, open: null, assert: null });
  process.exitCode = undefined;
  const watch = watchWait(quietMs, outOfTime);
  try {
    const loading = import(pathToFileURL(`${root}/${file}`).href);
    await Promise.race([loading, stopped, ...watch.ended]);
    if (run.tape) {
      guardTape();
      await Promise.race([run.ended, stopped, ...watch.ended]);
    } else await new Promise(done => setImmediate(done));
    const bad = process.exitCode !== undefined && process.exitCode !== 0;
    if (!run.tape && bad) throw new Error(`ended with ${process.exitCode}`);
    if (!run.stopped && !run.tape) finish(top, 'passed');
  } catch (error) {
    if (run.again) run.stopped = true;
    // a failed assertion has been reported
    else if (error !== run.thrown || run.tape) finish(run.open ?? top, 'failed', error);
  } finally {
    watch.stop();
    // a harness that was left behind must not run its other tests
    if (run.tape) run.tape.getHarness()._results.tests.length = 0;
    for (const listener of process.listeners('exit'))
      if (!before.has(listener)) process.removeListener('exit', listener);
    process.exitCode = undefined;
  }
}

/** A reporter of mocha that writes nothing. */
function Quiet() {}

/** Loads a module that mocha requires: of the project anew for each file, of a package once. */
async function loadRequired(name) {
  const path = [name, `${name}.js`].map(n => resolve(root, n)).find(existsSync);
  if (path !== undefined) return import(pathToFileURL(path).href);
  const found = require.resolve(name, { paths: [root] });
  return require(found);
}

/**
 * Loads a test file as mocha does, but fresh: its own way keeps ES modules. Files that a required module compiles go through
 * `require`.
 */
async function loadTests(path) {
  const compiles = scriptOptions.require.length > 0 && !/\.[cm]?js$/.test(path);
  return compiles ? Module.createRequire(path)(path) : import(pathToFileURL(path).href);
}

const plainHandlers = { ...Module._extensions };

/** Keeps what required modules compile of each file, because a candidate changes one file and all are loaded anew. */
function compileOnce() {
  for (const [ending, handler] of Object.entries(Module._extensions)) {
    if (plainHandlers[ending] === handler) continue;
    const compiled = new Map();
    Module._extensions[ending] = plainHandlers[ending] = (module, path) => {
      const text = readFileSync(path, 'utf8');
      const known = compiled.get(path);
      if (known?.text === text) return module._compile(...known.result);
      const run = module._compile;
      module._compile = (...result) => {
        if (known === undefined) compiled.set(path, { text, result });
        return run.apply(module, result);
      };
      return handler(module, path);
    };
  }
}

/** The hooks for all tests that required modules export. */
async function addRootHooks(mocha, names) {
  for (const name of names) {
    const loaded = await loadRequired(name);
    const { mochaHooks, mochaGlobalSetup } = { ...loaded?.default, ...loaded };
    if (mochaGlobalSetup) throw new Error(`${name} has a global set-up`);
    const hooks = typeof mochaHooks === 'function' ? await mochaHooks() : mochaHooks;
    if (hooks) mocha.rootHooks(hooks);
  }
}

/** Runs a file by mocha's own interface. */
async function runMocha(file, top) {
  const entry = require.resolve('mocha', { paths: [root] });
  const loaded = require(entry);
  // an ES module
  const Mocha = loaded.default ?? loaded;
  const { plain, require: required, first, filesAlone } = scriptOptions;
  const listeners = process.listeners('uncaughtException');
  const mocha = new Mocha({ ...plain, bail: run.bail, reporter: Quiet });
  await addRootHooks(mocha, required);
  if (filesAlone) compileOnce();
  for (const name of [...first, file]) {
    const path = `${root}/${name}`;
    mocha.suite.emit('pre-require', globalThis, path, mocha);
    mocha.suite.emit('require', await loadTests(path), path, mocha);
    mocha.suite.emit('post-require', globalThis, path, mocha);
  }
  guardMocha(Mocha);
  keepWanted(mocha.suite, top);
  const nodes = new Map();
  const node = test => {
    nodes.set(test, nodes.get(test) ?? nodeOfTest(test));
    return nodes.get(test);
  };
  const ended = new Promise(done => {
    const runner = mocha.run(done);
    runner.on('test', test => begin(node(test)));
    runner.on('pass', test => {
      run.points.passed += 1;
      finish(node(test), 'passed');
    });
    runner.on('pending', test => finish(node(test), 'skipped'));
    runner.on('fail', (test, error) => finish(node(test), 'failed', error));
  });
  await Promise.race([ended, run.uncaught]);
  mocha.dispose();
  for (const listener of process.listeners('uncaughtException'))
    if (!listeners.includes(listener)) process.removeListener('uncaughtException', listener);
}

/** Leaves only the cases that the stage wants. */
function keepWanted(suite, node) {
  suite.tests = suite.tests.filter(t => wanted(nodeOf(t.title, node)));
  for (const inner of suite.suites) keepWanted(inner, nodeOf(inner.title, node));
}

function nodeOfTest(test) {
  const parents = test.titlePath().slice(0, -1).filter(Boolean);
  const at = parents.reduce((parent, name) => nodeOf(name, parent), run.root);
  return nodeOf(test.title, at);
}

function guardMocha({ Runnable }) {
  if (Runnable.prototype.guarded) return;
  const original = Runnable.prototype.run;
  Runnable.prototype.guarded = true;
  Runnable.prototype.run = function (done) {
    try {
      // what hooks take counts as loading
      const hook = this.type === 'hook' ? { limitMs: run.mostLoadMs } : {};
      return watched(Object.assign(nodeOfTest(this), hook), () => original.call(this, done));
    } catch (error) {
      return done(error);
    }
  };
}

/** The lines of a difference that begin with a sign, without it. */
const sideOf = (lines, sign) =>
  lines.filter(l => l.startsWith(sign)).map(l => l.slice(sign.length));

/** Waits for a file. `work` gets a function that waits for promises as long as the file may take. */
async function runWithin(top, work) {
  const watch = watchWait(quietMs, outOfTime);
  try {
    await work((...promises) => Promise.race([...promises, ...watch.ended]));
  } catch (error) {
    if (run.again) run.stopped = true;
    else finish(run.open ?? top, 'failed', error);
  } finally {
    watch.stop();
  }
}

const implicitEnd = Symbol.for('implicit end');

/** The project's tap, whose root test is replaced by one for each file; rejected if it cannot be loaded. */
async function openTap() {
  const loaded = require(require.resolve('tap', { paths: [root] }));
  const names = Object.keys(loaded).filter(name => /^[a-z]\w*$/i.test(name));
  // what test files get of the package, `required` for `require`
  other.packages.tap = { exports: [...new Set(['default', ...names])], now: {} };
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
  const tap = await tapOpened;
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

const { script: scriptName, options: scriptOptions } = require('node:worker_threads').workerData;
other.script = openScript(scriptName);
// what a runner keeps in the thread is none of a candidate; its first file says if it cannot be loaded
const tapOpened = scriptName === 'tap' ? openTap() : null;
other.ready = tapOpened?.catch(() => {});
// what a required module compiles has other offsets than its file
if (scriptOptions?.require?.length > 0)
  other.lines = openScriptLines(root, `${root}/.photon-runner`);
