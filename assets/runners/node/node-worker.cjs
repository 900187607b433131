/** Runs inside the sandbox: test files of node:test in one thread, with a fresh module graph for each job. */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { isAbsolute, relative, sep } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { parentPort } = require('node:worker_threads');
const inspector = require('node:inspector');

const root = process.cwd();
const rootUrl = `${pathToFileURL(root).href}/`;
const testUrl = 'photon:test';
const asyncTestMs = 3000;
/** The version of the modules that are loaded now, which is part of their URLs. */
const version = new Int32Array(new SharedArrayBuffer(4));
// loaded before the hooks, which give all other modules the replacement below
const real = require('node:test');
let run = null;
/** Runs test files of another runner than node:test; null for node:test. See node-scripts.cjs. */
const other = {
  script: null,
  /** Records the lines of files that run as they are; node-scripts.cjs may put another recorder in its place. */
  lines: { start: startCoverage, take: ranLines, stop: stopCoverage },
  /** Packages whose place is taken: by name, what stands for them now, and the names of its exports. */
  packages: {},
  /** Resolves when what every job needs is loaded, whose traces are none of a candidate. */
  ready: null,
};
globalThis[Symbol.for('photon.packages')] = other.packages;
/** What candidates leave changed; see built-ins.cjs. */
let builtIns = null;

const isOwn = url => url.startsWith(rootUrl) && !url.includes('/node_modules/');

const names = 'test it describe suite before after beforeEach afterEach mock snapshot assert'.split(
  ' ',
);
const testModule = [
  "const t = globalThis[Symbol.for('photon.test')];",
  'export default t.test;',
  ...names.map(n => `export const ${n} = t.${n};`),
].join('\n');

const withVersion = found => {
  const mark = found.url.includes('?') ? '&' : '?';
  return isOwn(found.url) ? { ...found, url: `${found.url}${mark}photon=${version[0]}` } : found;
};
const replaced = { url: testUrl, format: 'module', shortCircuit: true };
/** A module with the exports of a package that is replaced; its version makes it anew for each file. */
const packageUrl = 'photon:package/';
function packageModule(name) {
  const url = `${packageUrl}${name}?photon=${version[0]}`;
  const source = [
    `const p = globalThis[Symbol.for('photon.packages')][${JSON.stringify(name)}].now;`,
    ...other.packages[name].exports.map(e =>
      e === 'default' ? 'export default p.default;' : `export const ${e} = p.${e};`,
    ),
  ].join('\n');
  return { format: 'module', shortCircuit: true, url, source };
}
Module.registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'node:test') return replaced;
    if (Object.hasOwn(other.packages, specifier)) return packageModule(specifier);
    return withVersion(next(specifier, context));
  },
  load: (url, context, next) => {
    if (url === testUrl) return { ...replaced, source: testModule };
    if (!url.startsWith(packageUrl)) return next(url, context);
    return packageModule(url.slice(packageUrl.length).split('?')[0]);
  },
});
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  if (request === 'node:test') return api.test;
  if (Object.hasOwn(other.packages, request)) return other.packages[request].now.required;
  const loaded = load.call(this, request, parent, ...rest);
  return other.script === null ? loaded : other.script.loaded(request, parent, loaded);
};

/** A declared test or suite; `path` holds the ids of its parents. */
function makeNode(kind, parent, args) {
  const name =
    args.find(a => typeof a === 'string') ?? args.find(a => typeof a === 'function')?.name;
  const options = args.find(a => typeof a === 'object' && a !== null) ?? {};
  const fn = args.find(a => typeof a === 'function') ?? (() => {});
  const hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  return {
    kind,
    parent,
    name: name || '<anonymous>',
    options,
    fn,
    hooks,
    children: [],
    chain: null,
  };
}

const namesOf = node => (node.parent === null ? [] : [...namesOf(node.parent), node.name]);
const fullNameOf = node => namesOf(node).join(' > ');
const idOf = node =>
  [node.file ?? run.file, ...namesOf(node).filter(name => name !== '')]
    .join(' > ')
    .replace(/\s+/g, ' ')
    .slice(0, 500);

function declare(kind, extra = {}) {
  return (...args) => {
    const node = makeNode(kind, run.current, args);
    node.options = { ...node.options, ...extra };
    node.file = run.file;
    run.current.children.push(node);
    if (kind === 'suite') {
      const outer = run.current;
      run.current = node;
      try {
        node.ready = node.fn({ name: node.name });
      } catch (error) {
        node.broken = error;
      } finally {
        run.current = outer;
      }
    }
    // top-level tests start in order, as soon as the stack is empty
    if (node.parent !== run.root) return Promise.resolve();
    const mine = run;
    run.chain = run.chain.then(() => (mine === run ? runNode(node) : undefined));
    return run.chain;
  };
}

function withVariants(kind) {
  const make = declare(kind);
  make.skip = declare(kind, { skip: true });
  make.todo = declare(kind, { todo: true });
  make.only = declare(kind);
  return make;
}

const hook = name => fn => void run.current.hooks[name].push(fn);
const test = withVariants('test');
const api = { test, it: withVariants('test'), describe: withVariants('suite'), mock: real.mock };
api.suite = api.describe;
for (const name of ['before', 'after', 'beforeEach', 'afterEach']) api[name] = hook(name);
api.assert = { register: (name, fn) => Object.assign(run.registered, { [name]: fn }) };
api.snapshot = {};
for (const name of ['setDefaultSnapshotSerializers', 'setResolveSnapshotPath'])
  api.snapshot[name] = value => run.snapshots.settings[name](value);
Object.assign(test, api);
globalThis[Symbol.for('photon.test')] = api;

const above = node => (node.parent === null ? [node] : [...above(node.parent), node]);
const wanted = node => run.only === null || run.only.has(idOf(node));

/** These ids, and those of the suites around them. */
function withParents(ids) {
  const all = new Set();
  for (const id of ids)
    for (
      let end = id.length;
      end > 0 && !all.has(id.slice(0, end));
      end = id.lastIndexOf(' > ', end - 1)
    )
      all.add(id.slice(0, end));
  return all;
}

async function runNode(node) {
  if (run.stopped || !wanted(node)) return;
  return node.kind === 'suite' ? runSuite(node) : runTest(node);
}

async function startHooks(node) {
  if (node.begun) return;
  node.begun = true;
  for (const fn of node.hooks.before) await fn({});
}

async function runSuite(node) {
  if (node.options.skip) return;
  try {
    if (node.broken) throw node.broken;
    await node.ready;
    await startHooks(run.root);
    await startHooks(node);
  } catch (error) {
    report(node, 'failed', { error });
    return;
  }
  for (const child of node.children) await runNode(child);
  try {
    for (const fn of node.hooks.after) await fn({});
  } catch (error) {
    report(node, 'failed', { error });
  }
}

/** The functions of node:assert, counted for `plan`, and those that a runner adds to them. */
function assertionsOf(node) {
  const counted = {};
  for (const [name, fn] of Object.entries(require('node:assert')))
    if (typeof fn === 'function' && !/^(Assert|AssertionError|CallTracker|strict)$/.test(name))
      counted[name] = fn;
  Object.assign(counted, run.snapshots.assertionsOf(fullNameOf(node)), run.registered);
  for (const [name, fn] of Object.entries(counted))
    counted[name] = (...args) => {
      node.asserted = (node.asserted ?? 0) + 1;
      return fn(...args);
    };
  return counted;
}

function checkPlan(node) {
  const seen = (node.asserted ?? 0) + node.children.length;
  if (node.planned !== undefined && node.planned !== seen)
    throw new Error(`plan expected ${node.planned} assertions but received ${seen}`);
}

function contextOf(node) {
  const context = {
    name: node.name,
    fullName: fullNameOf(node),
    filePath: `${root}${sep}${run.file.replaceAll('/', sep)}`,
    signal: new AbortController().signal,
    mock: new real.mock.constructor(),
    assert: assertionsOf(node),
    diagnostic: () => {},
    runOnly: () => {},
    plan: count => {
      node.planned = count;
    },
    skip: () => {
      node.skipped = true;
    },
    todo: () => {
      node.skipped = true;
    },
    test: (...args) => {
      const child = makeNode('test', node, args);
      child.file = node.file;
      node.children.push(child);
      node.chain = (node.chain ?? Promise.resolve()).then(() => runNode(child));
      return node.chain;
    },
  };
  for (const name of ['before', 'after', 'beforeEach', 'afterEach'])
    context[name] = fn => void node.hooks[name].push(fn);
  return context;
}

/** What ends a wait: its time is over, nothing is left that could continue it, or something threw. */
function watchWait(ms, message) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
    timer.unref();
  });
  const idle = watchIdle();
  const stop = () => {
    clearTimeout(timer);
    idle.stop();
  };
  return { ended: [late, idle.waits, run.uncaught], stop };
}

async function bounded(work, ms) {
  const watch = watchWait(ms, `test timed out after ${ms} ms`);
  try {
    await Promise.race([work, ...watch.ended]);
  } finally {
    watch.stop();
  }
}

const lookMs = 50;
const idleLooks = 5;
/** Share of a processor below which no thread works on what a test waits for, such as a compression. */
const idleShare = 0.1;

const processMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Rejects when nothing is left that could continue a test: no timer, request, stream or work. The real run then ends,
 * too. The port of this thread does not count, nor do timers that do not keep a process alive.
 */
function watchIdle() {
  let looks = 0;
  let timer;
  let last = { cpu: processMs(), wall: performance.now() };
  const waits = new Promise((_, reject) => {
    timer = setInterval(() => {
      const now = { cpu: processMs(), wall: performance.now() };
      const works = now.cpu - last.cpu > idleShare * (now.wall - last.wall);
      last = now;
      const busy = process.getActiveResourcesInfo().some(name => name !== 'MessagePort');
      looks = works || busy ? 0 : looks + 1;
      if (looks >= idleLooks) reject(new Error('never ended, and waits for nothing'));
    }, lookMs);
    timer.unref();
  });
  waits.catch(() => {});
  return { waits, stop: () => clearInterval(timer) };
}

const shortCaseMs = 500;
/** Wall-clock time for a unit of processor time: more on a busy machine. */
let patience = 1.5;

/** The processor time of a case: its own limit, or that of all. */
const limitOf = node => node.limitMs ?? run.byCase[idOf(node)]?.cpuMs ?? run.caseMs;

/**
 * Calls a test so that an endless loop is interrupted inside the thread, which then need not be
 * restarted. Processor time decides; if the wall-clock limit comes first, the job runs again.
 */
function watched(node, work) {
  const caseMs = limitOf(node);
  const start = { cpu: threadMs(), wall: nowMs() };
  return callWithin(Math.ceil(caseMs * patience), work, () => {
    const needed = (nowMs() - start.wall) / Math.max(1, threadMs() - start.cpu);
    if (threadMs() - start.cpu < caseMs) run.again = true;
    // after one reached its limit, the others get less time
    if (!run.bail) run.caseMs = Math.min(run.caseMs, shortCaseMs);
    patience = Math.min(50, Math.max(1.5, 1.3 * needed));
    return new Error(outOfTime);
  });
}

async function runTest(node) {
  if (run.skip.has(idOf(node))) return;
  if (node.options.skip) {
    report(node, 'skipped');
    return;
  }
  let failure = null;
  const context = contextOf(node);
  takeCoverage(null);
  let from = threadMs();
  parentPort.postMessage({ job: run.job, begin: { id: idOf(node), file: run.file } });
  try {
    await startHooks(run.root);
    // hooks of the file run with the case that is first
    from = threadMs();
    for (const at of above(node).slice(0, -1))
      for (const fn of at.hooks.beforeEach) await fn(context);
    const callback = node.fn.length > 1;
    const work = callback
      ? new Promise((ok, bad) =>
          watched(node, () => node.fn(context, error => (error ? bad(error) : ok()))),
        )
      : (async () => watched(node, () => node.fn(context)))();
    await bounded(work, node.options.timeout ?? asyncTestMs);
    if (node.chain) await node.chain;
    checkPlan(node);
  } catch (error) {
    failure = { error };
  }
  try {
    for (const at of above(node).slice(0, -1).reverse())
      for (const fn of at.hooks.afterEach) await fn(context);
    for (const fn of node.hooks.after) await fn(context);
  } catch (error) {
    failure ??= { error };
  }
  context.mock.reset();
  if (run.again) {
    run.stopped = true;
    return;
  }
  const ms = threadMs() - from;
  takeCoverage(node);
  const inner = node.children.length > 0;
  measured(node, ms, failure?.error);
  if (failure && !node.skipped && !node.options.todo)
    report(node, 'failed', { error: failure.error });
  else if (!inner) report(node, node.skipped || node.options.todo ? 'skipped' : 'passed');
}

/** Reports the processor time of a case that ended by itself; what a file takes without its cases is its loading. */
function measured(node, ms, error) {
  run.inCases += ms;
  // the times of a job that ends at the first failure are not read
  if (!run.bail && error?.message !== outOfTime)
    parentPort.postMessage({ job: run.job, spent: { id: idOf(node), cpuMs: ms } });
}

function report(node, status, { error } = {}) {
  const about = status === 'failed' ? describe(error) : {};
  const result = { id: idOf(node), file: run.file, status, ...about };
  parentPort.postMessage({ job: run.job, case: result });
  if (status === 'failed' && run.bail) run.stopped = true;
}

function describe(error) {
  const message = String(error?.message ?? error).slice(0, 1000);
  const frames = [];
  for (const found of String(error?.stack ?? '').matchAll(
    /(file:\/\/\/[^\s)]+|(?:[A-Za-z]:)?[\\/][^\s):]+):(\d+):(\d+)/g,
  )) {
    const path = ownPath(found[1]);
    if (path !== null && frames.length < 20) frames.push({ path, line: Number(found[2]) });
  }
  return { message, frames, ...comparedIn(error) };
}

/** The path below the root; null for files outside the project. */
function ownPath(name) {
  let path = name;
  try {
    path = name.startsWith('file:') ? fileURLToPath(name.split('?')[0]) : name;
  } catch {
    return null;
  }
  const own = relative(root, path);
  return own.startsWith('..') || isAbsolute(own) || own.split(sep).includes('node_modules')
    ? null
    : own.replaceAll(sep, '/');
}

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
  const files = other.lines.take();
  const coverage = { id: node === null ? null : idOf(node), file: run.file, files };
  if (Object.keys(files).length > 0) parentPort.postMessage({ job: run.job, coverage });
}

/** The lines of files that run as they are. */
function ranLines() {
  const files = {};
  if (session === null) return files;
  let result = [];
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

async function runFile(file) {
  const from = threadMs();
  run.inCases = 0;
  await loadFile(file);
  run.loadMs = Math.max(run.loadMs, threadMs() - from - run.inCases);
}

async function loadFile(file) {
  version[0] += 1;
  // a module whose loading was interrupted would stay half loaded
  for (const [path, { loaded }] of Object.entries(Module._cache))
    if (!loaded || (path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`)))
      delete Module._cache[path];
  const top = makeNode('suite', null, [file]);
  let fail;
  const uncaught = new Promise((_, reject) => {
    fail = reject;
  });
  uncaught.catch(() => {});
  Object.assign(run, { file, root: top, current: top, chain: Promise.resolve(), uncaught, fail });
  Object.assign(run, { registered: {}, snapshots: openSnapshots(`${root}${sep}${file}`) });
  try {
    if (other.script !== null) return await other.script.run(file, top);
    await import(pathToFileURL(`${root}/${file}`).href);
    for (let chain = null; chain !== run.chain; ) {
      chain = run.chain;
      await chain;
    }
    for (const fn of top.hooks.after) await fn({});
    if (top.children.length === 0) report(top, 'passed');
  } catch (error) {
    report(top, 'failed', { error });
  }
}

for (const name of ['uncaughtException', 'unhandledRejection'])
  process.on(name, error => run?.fail?.(error));

/** True if all tests ended; false if the job must run again. */
async function runJob(job) {
  const { id, bail, limits } = job;
  run = {
    job: id,
    bail,
    caseMs: limits.caseMs,
    byCase: limits.byCase,
    mostLoadMs: limits.loadMs,
    loadMs: 0,
    inCases: 0,
    stopped: false,
    again: false,
    points: { passed: 0, failed: 0 },
    only: null,
    skip: new Set(job.skip),
  };
  // the clock of the first case starts when the thread is ready
  parentPort.postMessage({ job: id, start: true });
  if (job.coverage) other.lines.start();
  for (const stage of job.stages) {
    run.asked = stage.only === null ? null : new Set(stage.only);
    run.only = stage.only === null ? null : withParents(stage.only);
    for (const file of stage.tests) if (!run.stopped) await runFile(file);
  }
  if (job.coverage) other.lines.stop();
  return !run.again;
}

parentPort.on('message', async job => {
  await other.ready;
  builtIns ??= openBuiltIns();
  while (!(await runJob(job)));
  const { points, loadMs } = run;
  const changed = builtIns.changed();
  parentPort.postMessage({ job: job.id, done: true, points, loadMs, changed });
});
