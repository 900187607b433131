/** Runs inside the sandbox, behind placed-files.cjs: reads jobs from standard input, runs them in a worker thread, and ends endless loops. */
const { createInterface } = require('node:readline');
const { Worker } = require('node:worker_threads');

const lookMs = 20;
/** Least processor time of what a plain script runs for one assertion, which can be the loading of modules in a fresh thread. */
const freshMs = 300;
const state = {
  source: '',
  flags: [],
  script: '',
  options: null,
  limits: null,
  /** What the tests of the base leave changed in their thread; null while that is looked for. */
  expected: null,
  /** Compiles files of TypeScript; see node-compile.cjs. */
  compiler: null,
  openCompiler: null,
  broken: false,
  worker: null,
  /** True if the thread has run a job. */
  started: false,
  why: '',
};

const say = answer => process.stdout.write(`${JSON.stringify(answer)}\n`);

const place = openPlacedFiles();

function startWorker() {
  // in a function, because tests may replace globals, such as describe
  const worker = new Worker(`(() => {${state.source}\n})();`, {
    eval: true,
    execArgv: state.flags,
    workerData: { script: state.script, options: state.options },
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  // the output of tests is not read
  worker.stdout.resume();
  worker.stderr.resume();
  worker.on('error', error => {
    state.why = String(error?.stack ?? error).slice(0, 1000);
  });
  return worker;
}

/** The next job starts another one. */
function endWorker() {
  state.worker?.terminate();
  Object.assign(state, { worker: null, started: false });
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * One run of the worker: until it ends, reaches a time limit (processor time of a case or of the
 * job, wall-clock time of the job), or the code under test ends it.
 */
function runOnce(job) {
  state.worker ??= startWorker();
  const { worker } = state;
  const start = { cpu: cpuMs(), wall: performance.now() };
  const seen = { cases: [], coverage: [], running: null, spent: {}, loadMs: 0, guarded: true };
  seen.changed = [];
  Object.assign(seen, { limit: null, since: start.cpu, at: start.wall, began: start.wall });
  return new Promise(resolve => {
    const finish = ended => {
      clearInterval(timer);
      worker.off('message', taken);
      worker.off('exit', gone);
      if (ended !== 'done') endWorker();
      else state.started = true;
      resolve({ ...seen, ended, cpuMs: cpuMs() - start.cpu });
    };
    const taken = message => {
      if (message.job !== job.id) return;
      const wall = performance.now();
      if (message.start) {
        Object.assign(seen, { cases: [], coverage: [], running: null, limit: null, spent: {} });
        start.cpu = cpuMs();
      }
      if (message.spent) {
        const { id, cpuMs: ms } = message.spent;
        const earlier = seen.spent[id] ?? { cpuMs: 0, wallMs: 0 };
        const wallMs = Math.max(earlier.wallMs, wall - seen.began);
        seen.spent[id] = { cpuMs: Math.max(earlier.cpuMs, ms), wallMs };
      }
      Object.assign(seen, { since: cpuMs(), at: wall });
      // what a plain script runs before its next assertion is no case that the job could leave out
      const next = message.begin ?? message.next;
      if (next) {
        const measured = message.next !== undefined && job.limits.byCase[next.id] !== undefined;
        Object.assign(seen, { limit: limitOf(job, next.id), began: wall, guarded: !measured });
      }
      if (message.begin) seen.running = message.begin;
      if (message.coverage) seen.coverage.push(message.coverage);
      if (message.case) {
        seen.cases.push(message.case);
        Object.assign(seen, { running: null, limit: null, began: wall });
      }
      if (message.done) {
        const { points, loadMs, changed } = message;
        Object.assign(seen, { points, loadMs, changed });
        finish('done');
      }
    };
    const gone = () => finish('crash');
    const timer = setInterval(() => {
      const now = cpuMs();
      // the thread itself interrupts loops; loops that it cannot interrupt, and slow loading, end here.
      // In a plain script it interrupts none: all until the next assertion counts as the case, if its time is known.
      const { limits } = job;
      const { cpuMs: caseMs, wallMs } = seen.limit ?? {
        cpuMs: limits.caseMs,
        wallMs: limits.wallMs,
      };
      const most = seen.guarded ? Math.max(3 * caseMs, limits.loadMs) : Math.max(caseMs, freshMs);
      const late = now - seen.since > most || now - start.cpu > limits.cpuMs;
      const wall = performance.now();
      if (late || wall - seen.at > wallMs || wall - start.wall > limits.wallMs) finish('time');
    }, lookMs);
    worker.on('message', taken);
    worker.on('exit', gone);
    worker.postMessage({ ...job, files: undefined });
  });
}

const mostLate = 5;
const shortCaseMs = 500;
const outOfTime = 'ran out of time';

/** The limits of a case: its own, or those of all. */
const limitOf = ({ limits }, id) =>
  limits.byCase[id] ?? { cpuMs: limits.caseMs, wallMs: limits.waitMs };

/** The limits of a job; the thread may have loaded before what it needs. */
function limitsOf(job) {
  const limits = job.limits ?? state.limits;
  const { loadMs, startedLoadMs = loadMs, caseMs, startedCaseMs = caseMs } = limits;
  return state.started ? { ...limits, loadMs: startedLoadMs, caseMs: startedCaseMs } : limits;
}

/** After a case reached its limit, the others get less time, except those that are known to be slow. */
function limitsAfter(limits, cases) {
  if (!cases.some(c => c.message === outOfTime)) return limits;
  const { caseMs, loadMs } = limits;
  const short = { caseMs: Math.min(caseMs, shortCaseMs), loadMs: Math.min(loadMs, shortCaseMs) };
  return { ...limits, ...short };
}

/**
 * A job. If all cases are wanted, a case that never ends, or that ends the thread, fails, and the
 * others run without it.
 */
async function runJob(job) {
  if (state.broken)
    return { id: job.id, cases: [], coverage: [], ended: 'crash', cpuMs: 0, why: state.why };
  place(state.compiler?.withOutputs(job.files) ?? job.files);
  const all = {
    id: job.id,
    cases: [],
    coverage: [],
    ended: 'done',
    cpuMs: 0,
    spent: {},
    why: '',
    changed: [],
  };
  for (let late = 0; late <= mostLate; late++) {
    const skip = all.cases.map(c => c.id);
    const limits = limitsAfter(limitsOf(job), all.cases);
    const run = await runOnce({ ...job, limits, skip });
    all.cases = all.cases.concat(run.cases);
    all.coverage = all.coverage.concat(run.coverage);
    all.cpuMs += run.cpuMs;
    if (!job.bail) Object.assign(all.spent, run.spent);
    all.loadMs = run.loadMs;
    all.ended = run.ended;
    all.points = run.points;
    all.changed.push(...run.changed);
    if (run.ended === 'crash') all.why = state.why;
    if (run.ended === 'done' || run.running === null || job.bail) break;
    const message =
      run.ended === 'time' ? outOfTime : `ended the thread: ${all.why}`.slice(0, 1000);
    all.cases.push({ ...run.running, status: 'failed', message, frames: [] });
  }
  // the next candidate must not find what this one did to the built-in objects
  if (state.expected !== null && all.changed.some(name => !state.expected.has(name))) endWorker();
  return state.compiler?.inSources(all) ?? all;
}

/** Compiles every source once, and starts the thread while the first job is on its way. */
function openThread({ configs }) {
  try {
    if (!require('node:module').registerHooks)
      throw new Error(
        `Node ${process.version} has no module hooks in a thread, which Node 22.15 brought`,
      );
    if (configs) state.compiler = state.openCompiler(configs);
    state.worker = startWorker();
  } catch (error) {
    Object.assign(state, { broken: true, why: String(error?.message).slice(0, 1000) });
  }
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    if (job.op === 'open') {
      state.source = job.worker;
      state.flags = job.flags;
      state.script = job.script ?? '';
      state.options = job.options ?? null;
      state.limits = job.limits;
      state.expected = job.expected ? new Set(job.expected) : null;
      openThread(job);
      say({ id: job.id, node: process.version });
    } else say(await runJob(job));
  }
  process.exit();
}

void main();
