/** Behind warm-driver.cjs: runs test files in this process with the project's own jest. */
const { utimesSync } = require('node:fs');
const vm = require('node:vm');

/**
 * Compiles what is in packages once, not again for each test file: jest loads itself into a new context each time, which
 * takes most of the time of a small file. What a script declares belongs to the context that it runs in.
 */
function compilePackagesOnce() {
  const compile = vm.compileFunction;
  const scripts = new Map();
  vm.compileFunction = (code, params = [], options = {}) => {
    const { filename, parsingContext: context } = options;
    if (!context || !/[\\/]node_modules[\\/]/.test(filename) || code.includes('import('))
      return compile(code, params, options);
    let known = scripts.get(filename);
    if (known?.code !== code) {
      const head = `(function (${params.join(',')}) {`;
      const columnOffset = -head.length;
      known = { code, script: new vm.Script(`${head}${code}\n})`, { filename, columnOffset }) };
      scripts.set(filename, known);
    }
    return known.script.runInContext(context);
  };
}

/** The part of jest that the project's own version has. */
function loadJest() {
  const jest = createRequire(createRequire(`${root}/package.json`).resolve('jest'));
  const core = jest('@jest/core');
  const inner = createRequire(jest.resolve('@jest/core'));
  const runtime = inner('jest-runtime');
  const watcher = core.TestWatcher ?? inner('jest-watcher').TestWatcher;
  return { core, Runtime: runtime.default ?? runtime, TestWatcher: watcher };
}

const state = {
  jest: null,
  config: null,
  contexts: [],
  /** Finds the test files of each context. */
  sources: [],
  tests: new Map(),
  timer: openCaseTimer(),
  /** Records lines; see lines.cjs. */
  lines: null,
  job: { bail: false, coverage: false },
  /** The cases to run; null for all. */
  wanted: null,
};
/** What the wrapper of jest's test runner reads; see jest-runner.cjs. */
const shared = { runners: new Map(), attach: attachTo };

/** The configuration without the check of types that ts-jest makes; its versions below 29 read a global variable. */
function withoutTypes(config) {
  const isolated = options => ({ ...options, isolatedModules: true });
  const transform = config.transform?.map(([pattern, path, options]) => {
    const own = /[\\/]node_modules[\\/]ts-jest[\\/]/.test(path);
    return [pattern, path, own ? isolated(options) : options];
  });
  const given = config.globals?.['ts-jest'];
  const globals = given ? { ...config.globals, 'ts-jest': isolated(given) } : config.globals;
  return { ...config, transform, globals };
}

async function openJest({ configuration, from, folder, transpileOnly }) {
  compilePackagesOnce();
  // the configuration was printed in another copy
  const inside = text => JSON.stringify(text).slice(1, -1);
  const text = configuration
    .slice(configuration.indexOf('{'))
    .replaceAll(inside(from), inside(root));
  const { configs, globalConfig } = JSON.parse(text);
  if (configs.some(c => c.globalSetup || c.globalTeardown))
    throw new Error('jest has a global set-up');
  const quiet = { collectCoverage: false, maxWorkers: 1, runInBand: true, reporters: [], bail: 0 };
  state.config = { ...globalConfig, ...quiet, watch: false, watchAll: false, verbose: false };
  state.jest = loadJest();
  const { core, Runtime } = state.jest;
  globalThis[Symbol.for('photon.jest')] = shared;
  const options = { console, maxWorkers: 1, watch: false, watchman: false };
  const testRunner = resolve(root, folder, 'jest-runner.cjs');
  for (const config of configs) {
    shared.runners.set(config.id ?? config.name, config.testRunner);
    const own = transpileOnly ? withoutTypes(config) : config;
    state.contexts.push(await Runtime.createContext({ ...own, testRunner }, options));
  }
  state.sources = state.contexts.map(context => new core.SearchSource(context));
  state.lines = require(resolve(root, folder, 'lines.cjs'));
}

/**
 * Watches the tests of a file: interrupts those that never end, leaves out the rest behind the first failure of a job that
 * ends there, and records their lines.
 */
function attachTo(environment, path) {
  const handle = environment.handleTestEvent?.bind(environment);
  const { bail, coverage } = state.job;
  const { wanted } = state;
  const isWanted = test => wanted?.has(plainId(below(path), nameOf(test))) ?? true;
  let failed = false;
  environment.handleTestEvent = async (event, circus) => {
    const { name, test } = event;
    if (name === 'test_start') {
      if ((failed && bail) || !isWanted(test)) test.mode = 'skip';
      else boundTest(test, circus);
      if (coverage) state.lines.begin(path);
    }
    if (name === 'test_done') {
      failed ||= test.errors.length > 0;
      if (coverage) state.lines.end(path, nameOf(test));
    }
    await handle?.(event, circus);
  };
}

function nameOf(test) {
  const names = [];
  // the outermost block is the file, which is not part of the name
  for (let at = test; at.parent; at = at.parent) names.unshift(at.name);
  return names.join(' ');
}

function boundTest(test, circus) {
  const { fn } = test;
  test.timeout = Math.min(test.timeout ?? circus.testTimeout, state.timer.most());
  if (typeof fn !== 'function' || /GeneratorFunction$/.test(fn.constructor?.name)) return;
  const bounded = function (...args) {
    return state.timer.call(() => fn.apply(this, args));
  };
  // jest passes a callback to a test that has a parameter
  test.fn = Object.defineProperty(bounded, 'length', { value: fn.length });
}

const plain = text => String(text).replace(/\u001b\[[0-9;]*m/g, '');

function failureOf(texts) {
  const message = plain(texts.join('\n'));
  return { status: 'failed', message: message.slice(0, 1000), frames: framesOf(message) };
}

/** The cases of a test file, with the names of jest's JSON report. */
function jestCases({ testFilePath, testResults, failureMessage, testExecError }, idOf) {
  const file = below(testFilePath);
  const cases = testResults.map(({ fullName, status, failureMessages, failureDetails }) => {
    const id = idOf(file, fullName);
    const compared = comparedIn(failureDetails?.[0]?.matcherResult);
    if (status === 'failed') return { id, file, ...failureOf(failureMessages), ...compared };
    return { id, file, status: status === 'passed' ? 'passed' : 'skipped' };
  });
  const broken = testExecError || failureMessage;
  return broken && !cases.some(c => c.status === 'failed')
    ? [{ id: file, file, ...failureOf([failureMessage ?? testExecError.message]) }]
    : cases;
}

/** A test file with the project of jest that it belongs to. */
function testOf(file) {
  if (!state.tests.has(file)) {
    const path = resolve(root, file);
    const context = state.contexts[state.sources.findIndex(s => s.isTestFilePath(path))];
    state.tests.set(file, context ? { context, path } : null);
  }
  return state.tests.get(file);
}

async function runJest({ tests, only }, job) {
  state.job = job;
  state.timer.begin();
  state.wanted = wantedOf(only);
  const { core, TestWatcher } = state.jest;
  const chosen = tests.map(testOf).filter(t => t !== null);
  const scheduler = await core.createTestScheduler(state.config, { startRun: () => {} });
  const watcher = new TestWatcher({ isWatchMode: false });
  if (job.coverage) state.lines.start();
  const { testResults } = await scheduler.scheduleTests(chosen, watcher);
  const coverage = job.coverage ? state.lines.stop() : [];
  const idOf = openIds();
  return { cases: testResults.flatMap(r => jestCases(r, idOf)), ended: 'done', coverage };
}

let writes = 0;
const opened = Date.now();

void serve({
  open: openJest,
  run: runJest,
  changed: path => {
    // jest keeps what it compiled by path and time in milliseconds
    writes += 1;
    try {
      utimesSync(path, new Date(), new Date(opened + writes));
    } catch {
      // the candidate removed this file
    }
  },
});
