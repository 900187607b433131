/** Behind case-ids.cjs, interrupt.cjs and built-ins.cjs: a test runner for vitest whose thread stays, and runs test files for vitest-driver.cjs. */
import { createRequire } from 'node:module';
import { relative, sep } from 'node:path';
import * as vitest from 'vitest';

const { vi } = vitest;
// tests may replace them
const { clearTimeout, setImmediate, setTimeout } = globalThis;
/** Loads another entry of the project's vitest, which not every version has. */
const entry = name => import(/* @vite-ignore */ `vitest/${name}`);
// version 3 has these in entries of their own
const TestRunner = vitest.TestRunner ?? (await entry('runners')).VitestTestRunner;
const bodyOf = TestRunner.getTestFn ?? (await entry('suite')).getFn;
const require = createRequire(import.meta.url);
const startTests =
  Number.parseInt(require('vitest/package.json').version, 10) < 4 ? await loadStart() : null;

/** What runs test files in version 3. */
async function loadStart() {
  const from = createRequire(require.resolve('vitest/package.json'));
  return (await import(/* @vite-ignore */ from.resolve('@vitest/runner'))).startTests;
}

/** To vitest-driver.cjs; open when the first file has run. */
let channel = null;
const timer = openCaseTimer();
const lines = require('./lines.cjs');
const packageHooks = openPackageHooks();
/** What tests leave changed in this thread. */
const builtIns = openBuiltIns();
const job = {
  root: '',
  files: [],
  changed: [],
  /** The cases to run, as vitest-driver.cjs names them; null for all. */
  wanted: null,
  bail: false,
  covers: false,
  failed: false,
  crashed: false,
  seen: [],
  next: () => {},
};

function openChannel({ projectName, files }) {
  channel = new BroadcastChannel(`photon ${projectName} ${files[0].filepath}`);
  channel.onmessage = ({ data }) => {
    Object.assign(job, data, { failed: false, crashed: false, seen: [] });
    timer.begin();
    if (job.covers) lines.start();
    job.next();
  };
}

// with a listener of its own, vitest does not report these
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, () => {
    job.crashed = true;
  });

const testsIn = tasks =>
  tasks.flatMap(task => (task.type === 'suite' ? testsIn(task.tasks) : [task]));

function nameOf(test) {
  const names = [];
  for (let at = test; at && at !== test.file; at = at.suite) names.unshift(at.name);
  return names.join(' ');
}

function isWanted(test) {
  const file = relative(job.root, test.file.filepath).replaceAll(sep, '/');
  return job.wanted?.has(plainId(file, nameOf(test))) ?? true;
}

const plainErrors = errors =>
  (errors ?? []).map(({ message, stack, actual, expected }) => ({
    message: String(message),
    stack: String(stack),
    // vitest has written them as texts
    ...(typeof actual === 'string' && typeof expected === 'string' ? { actual, expected } : {}),
  }));
const states = { pass: 'passed', fail: 'failed' };

const fileOf = file => ({
  path: file.filepath,
  broken: file.result?.state === 'fail',
  errors: plainErrors(file.result?.errors),
  tests: testsIn(file.tasks).map(test => ({
    name: nameOf(test),
    state: states[test.result?.state] ?? 'skipped',
    errors: plainErrors(test.result?.errors),
  })),
});

/** Undoes what vitest itself can undo of what a file replaced. */
function undo() {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** Each file starts with fresh modules. */
function startAfresh(loaded) {
  for (const path of job.changed)
    for (const module of loaded?.getModulesByFile?.(path) ?? []) loaded.invalidateModule(module);
  job.changed = [];
  undo();
  vi.resetModules();
}

/** The next file to run. Reports a job that is done, and waits for another one. */
async function nextFile() {
  while (job.files.length === 0 || (job.failed && job.bail)) {
    // an error of a candidate may only show in the next turn
    await new Promise(done => setImmediate(done));
    const called = new Promise(done => {
      job.next = done;
    });
    const coverage = job.covers ? lines.stop() : [];
    undo();
    const { seen: files, crashed, failed } = job;
    channel.postMessage({ files, crashed, failed, coverage, changed: builtIns.changed() });
    await called;
  }
  return job.files.shift();
}

/** True if the function that called the caller of this one lies in a package. */
function isCalledByPackage() {
  const [, , , caller = ''] = String(new Error().stack).split('\n');
  return /[\\/]node_modules[\\/]/.test(caller);
}

/** Keeps the hooks that packages add while they are loaded: that happens once, so later files would lack them. */
function openPackageHooks() {
  const names = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];
  const kept = [];
  let isWatching = false;
  let loads = 0;
  return {
    /** Begins to watch; the hooks are global variables once the first file loads. */
    watch: () => {
      if (isWatching) return;
      isWatching = true;
      for (const name of names) {
        const add = globalThis[name];
        if (typeof add !== 'function') continue;
        globalThis[name] = (...hook) => {
          if (isCalledByPackage()) kept.push({ add, hook, load: loads });
          return add(...hook);
        };
      }
    },
    /** Adds to a file what packages added to earlier ones. */
    add: () => {
      for (const { add, hook, load } of kept) if (load < loads) add(...hook);
    },
    next: () => {
      loads += 1;
    },
  };
}

export default class extends TestRunner {
  importFile(path, source) {
    packageHooks.watch();
    if (source === 'collect') packageHooks.add();
    return super.importFile(path, source);
  }

  async onBeforeRunTask(test) {
    if ((job.failed && job.bail) || !isWanted(test)) test.mode = 'skip';
    await super.onBeforeRunTask?.(test);
    if (job.covers) lines.begin(test.file.filepath);
  }

  async runTask(test) {
    const fn = bodyOf(test);
    let wait;
    const late = new Promise((_, reject) => {
      wait = setTimeout(() => reject(timer.late()), timer.most());
    });
    try {
      await Promise.race([timer.call(fn), late]);
    } finally {
      clearTimeout(wait);
    }
  }

  async onAfterRunTask(test) {
    if (test.result?.state === 'fail') job.failed = true;
    if (job.covers) lines.end(test.file.filepath, nameOf(test));
    await super.onAfterRunTask?.(test);
  }

  async onAfterRunFiles(files) {
    await super.onAfterRunFiles?.(files);
    packageHooks.next();
    job.seen.push(...files.map(fileOf));
    if (this.serves) return;
    this.serves = startTests !== null;
    const { ctx, evaluatedModules } = this.workerState;
    if (channel === null) openChannel(ctx);
    const { mocker } = this.moduleRunner ?? this.__vitest_executor ?? {};
    do {
      const file = { ...ctx.files[0], filepath: await nextFile() };
      startAfresh(evaluatedModules);
      mocker?.reset();
      // from version 4, vitest goes on with the next file of its list
      if (startTests === null) ctx.files.push(file);
      else await startTests([file], this);
    } while (this.serves);
  }
}
