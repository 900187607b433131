/** Behind warm-driver.cjs: runs test files with the project's own vitest. */
const { pathToFileURL } = require('node:url');

const state = {
  vitest: null,
  specs: [],
  /** Test files that share a thread, each group with a way to run some of them there; null without such threads. */
  groups: null,
};

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

/** Each needs a thread, and a thread needs its own copies of all modules. */
const mostGroups = 4;
const ownEnvironment = /@(?:vitest|jest)-environment\s+([^\s*]+)/;

/**
 * The test files that a thread can run one after the other, with fresh modules for each: those of a project. Throws if some
 * cannot share one, such as those with the page of a simulated browser.
 */
function groupsOf({ vitest, specs }) {
  const groups = Map.groupBy(specs, ({ moduleId, project }) => {
    const { environment = 'node', environmentMatchGlobs = [], browser } = project.config;
    const [, own] = ownEnvironment.exec(readFileSync(moduleId, 'utf8')) ?? [];
    const used = own ?? environment;
    if (used !== 'node' || environmentMatchGlobs.length > 0 || browser?.enabled)
      throw new Error('the tests of vitest cannot share a thread');
    return project.name;
  });
  // version 3 starts the thread of a project when that of the last one ends
  const most = Number.parseInt(vitest.version, 10) < 4 ? 1 : mostGroups;
  if (groups.size === 0 || groups.size > most)
    throw new Error(`the tests of vitest need ${groups.size} threads`);
  return [...groups.values()];
}

/** A group with a channel to its thread, once vitest runs the first of its files. */
function openGroup(specs) {
  const [{ moduleId, project }] = specs;
  const channel = new BroadcastChannel(`photon ${project.name} ${moduleId}`);
  const changed = new Set();
  let finish = () => {};
  channel.onmessage = ({ data }) => finish(data);
  const answer = () =>
    new Promise(done => {
      finish = done;
    });
  return {
    specs,
    ready: answer(),
    changed,
    run: (files, { wanted, bail, covers }) => {
      const result = answer();
      channel.postMessage({ root, files, wanted, bail, covers, changed: [...changed] });
      changed.clear();
      return result;
    },
  };
}

async function openVitest(message) {
  const { folder, shared } = message;
  if (!shared) return void Object.assign(state, await createQuiet(message, {}));
  const threads = {
    pool: 'threads',
    isolate: false,
    maxWorkers: mostGroups,
    // a thread would keep the modules that lie in this cache when it starts, whatever a candidate changes
    fsModuleCache: false,
  };
  const runner = resolve(root, folder, 'vitest-runner.mjs');
  Object.assign(state, await createQuiet(message, { ...threads, runner }));
  for (const { config } of [state.vitest, ...state.vitest.projects]) {
    // projects take only some options of the whole
    Object.assign(config, { ...threads, runner });
    // vitest adds source maps to modules only if a debugger may attach
    if (config.inspector) config.inspector.openInMainProcess = true;
  }
  const groups = groupsOf(state).map(openGroup);
  // this run does not end: its threads wait for jobs
  const gone = state.vitest
    .runTestSpecifications(groups.map(g => g.specs[0]))
    .then(() => leave(), leave);
  await Promise.race([Promise.all(groups.map(g => g.ready)), gone]);
  state.groups = groups;
}

/** Runs the wanted test files in the threads that wait for jobs, one group after the other. */
async function runShared(isAsked, only, { bail, coverage: covers }) {
  const wanted = wantedOf(only);
  const all = { files: [], crashed: false, coverage: [], changed: [] };
  for (const group of state.groups) {
    const files = group.specs.filter(isAsked).map(s => s.moduleId);
    if (files.length === 0) continue;
    const ran = await group.run(files, { wanted, bail, covers });
    all.files.push(...ran.files);
    all.crashed ||= ran.crashed;
    all.coverage.push(...ran.coverage);
    all.changed.push(...ran.changed);
    if (ran.crashed || (bail && ran.failed)) break;
  }
  return all;
}

async function runVitest({ tests, only }, job) {
  const isAsked = ({ moduleId }) => tests.length === 0 || tests.includes(below(moduleId));
  if (state.groups !== null) {
    const { files, crashed, coverage, changed } = await runShared(isAsked, only, job);
    return { ...endOf(files, crashed), coverage, changed };
  }
  const specs = state.specs.filter(isAsked);
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
    for (const group of state.groups ?? []) group.changed.add(path);
    state.vitest.invalidateFile(path);
  },
});
