/** Runs inside the sandbox: test files of node:test in one thread, with a fresh module graph for each job. */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { isAbsolute, relative } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { parentPort } = require('node:worker_threads');

const root = process.cwd();
const rootUrl = `${pathToFileURL(root).href}/`;
const testUrl = 'photon:test';
/** Time that a case may wait, as in the real run. */
const waitMs = 10_000;
/** The version of the modules that are loaded now, which is part of their URLs. */
const version = new Int32Array(new SharedArrayBuffer(4));
// loaded before the hooks, which give all other modules the replacement below
const real = require('node:test');
let run = null;
/** What candidates leave changed; see built-ins.cjs. */
let builtIns = null;

const isOwn = url => url.startsWith(rootUrl) && !url.includes('/node_modules/');

const names = 'test it describe suite before after beforeEach afterEach mock assert'.split(' ');
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
Module.registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'node:test') return replaced;
    return withVersion(next(specifier, context));
  },
  load: (url, context, next) => {
    if (url === testUrl) return { ...replaced, source: testModule };
    return next(url, context);
  },
});
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  if (request === 'node:test') return api.test;
  return load.call(this, request, parent, ...rest);
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
  Object.assign(counted, run.registered);
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
    filePath: `${root}/${run.file}`,
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

/** Waits until its time is over, nothing is left that could continue it, or something threw. */
async function bounded(work, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`test timed out after ${ms} ms`)), ms);
    timer.unref();
  });
  const idle = watchIdle();
  try {
    await Promise.race([work, late, idle.waits, run.uncaught]);
  } finally {
    clearTimeout(timer);
    idle.stop();
  }
}

const lookMs = 50;
const idleLooks = 5;
/** Share of a processor below which no thread works on what a test waits for, such as a compression. */
const idleShare = 0.1;

const threadMs = () => {
  // of the process in older versions of Node
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1000;
};

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

async function runTest(node) {
  if (run.skip.has(idOf(node))) return;
  if (node.options.skip) {
    report(node, 'skipped');
    return;
  }
  let failure = null;
  const context = contextOf(node);
  takeCoverage(null);
  const from = threadMs();
  parentPort.postMessage({ job: run.job, begin: { id: idOf(node), file: run.file } });
  try {
    await startHooks(run.root);
    for (const at of above(node).slice(0, -1))
      for (const fn of at.hooks.beforeEach) await fn(context);
    const callback = node.fn.length > 1;
    const work = callback
      ? new Promise((ok, bad) => node.fn(context, error => (error ? bad(error) : ok())))
      : (async () => node.fn(context))();
    await bounded(work, node.options.timeout ?? waitMs);
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
  const ms = threadMs() - from;
  takeCoverage(node);
  const inner = node.children.length > 0;
  measured(node, ms);
  if (failure && !node.skipped && !node.options.todo)
    report(node, 'failed', { error: failure.error });
  else if (!inner) report(node, node.skipped || node.options.todo ? 'skipped' : 'passed');
}

/** Reports the processor time of a case; what a file takes without its cases is its loading. */
function measured(node, ms) {
  run.inCases += ms;
  // the times of a job that ends at the first failure are not read
  if (!run.bail) parentPort.postMessage({ job: run.job, spent: { id: idOf(node), cpuMs: ms } });
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
    /((?:file:\/\/)?\/[^\s):]+):(\d+):\d+/g,
  )) {
    const path = ownPath(found[1]);
    if (path !== null && frames.length < 20) frames.push({ path, line: Number(found[2]) });
  }
  return { message, frames, ...comparedIn(error) };
}

/** The path below the root; null for files outside the project. */
function ownPath(name) {
  const path = name.startsWith('file:') ? fileURLToPath(name.split('?')[0]) : name;
  const own = relative(root, path);
  return own.startsWith('..') || own.split('/').includes('node_modules') ? null : own;
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
    if (!loaded || (path.startsWith(`${root}/`) && !path.includes('/node_modules/')))
      delete Module._cache[path];
  const top = makeNode('suite', null, [file]);
  let fail;
  const uncaught = new Promise((_, reject) => {
    fail = reject;
  });
  uncaught.catch(() => {});
  Object.assign(run, { file, root: top, current: top, chain: Promise.resolve(), uncaught, fail });
  run.registered = {};
  try {
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

async function runJob({ id, bail, stages, skip, coverage }) {
  run = { job: id, bail, loadMs: 0, inCases: 0, stopped: false, only: null, skip: new Set(skip) };
  // the clock of the first case starts when the thread is ready
  parentPort.postMessage({ job: id, start: true });
  if (coverage) startCoverage();
  for (const stage of stages) {
    run.only = stage.only === null ? null : withParents(stage.only);
    for (const file of stage.tests) if (!run.stopped) await runFile(file);
  }
  if (coverage) stopCoverage();
  const changed = builtIns.changed();
  parentPort.postMessage({ job: id, done: true, loadMs: run.loadMs, changed });
}

parentPort.on('message', job => {
  builtIns ??= openBuiltIns();
  void runJob(job);
});
