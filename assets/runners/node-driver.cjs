/** Runs inside the sandbox: reads jobs from standard input, runs them in a worker thread, and ends endless loops. */
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { createInterface } = require('node:readline');
const { Worker } = require('node:worker_threads');

const lookMs = 20;
const state = {
  source: '',
  flags: [],
  script: '',
  worker: null,
  originals: new Map(),
  placed: new Set(),
  why: '',
};

const say = answer => process.stdout.write(`${JSON.stringify(answer)}\n`);

function originalOf(path) {
  if (!state.originals.has(path)) {
    let text = null;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      // the candidate creates this file
    }
    state.originals.set(path, text);
  }
  return state.originals.get(path);
}

function put(path, text) {
  if (text === null) rmSync(path, { force: true });
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Writes the files of a candidate, and restores those of the earlier one. */
function place(files) {
  for (const path of state.placed) if (!(path in files)) put(path, originalOf(path));
  state.placed = new Set(Object.keys(files));
  for (const [path, text] of Object.entries(files)) {
    originalOf(path);
    put(path, text);
  }
}

function startWorker() {
  // in a function, because tests may replace globals, such as describe
  const worker = new Worker(`(() => {${state.source}\n})();`, {
    eval: true,
    execArgv: state.flags,
    workerData: { script: state.script },
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
  const seen = { cases: [], coverage: [], running: null, since: start.cpu, slowestMs: 0 };
  return new Promise(resolve => {
    const finish = ended => {
      clearInterval(timer);
      worker.off('message', taken);
      worker.off('exit', gone);
      if (ended !== 'done') {
        state.worker = null;
        worker.terminate();
      }
      resolve({ ...seen, ended, cpuMs: cpuMs() - start.cpu });
    };
    const taken = message => {
      if (message.job !== job.id) return;
      seen.since = cpuMs();
      if (message.start) {
        Object.assign(seen, { cases: [], coverage: [], running: null });
        start.cpu = seen.since;
      }
      if (message.begin) seen.running = message.begin;
      if (message.coverage) seen.coverage.push(message.coverage);
      if (message.case) {
        seen.cases.push(message.case);
        seen.slowestMs = Math.max(seen.slowestMs, message.ms);
        seen.running = null;
      }
      if (message.done) {
        seen.points = message.points;
        finish('done');
      }
    };
    const gone = () => finish('crash');
    const timer = setInterval(() => {
      const now = cpuMs();
      // the thread itself interrupts loops; loops that it cannot interrupt, and slow loading, end here
      const caseMs = Math.max(3 * job.caseMs, job.loadMs);
      const late = now - seen.since > caseMs || now - start.cpu > job.cpuMs;
      if (late || performance.now() - start.wall > job.wallMs) finish('time');
    }, lookMs);
    worker.on('message', taken);
    worker.on('exit', gone);
    worker.postMessage({ ...job, files: undefined });
  });
}

const mostLate = 5;
const shortCaseMs = 500;
const outOfTime = 'ran out of time';

/** After a case reached its limit, the others get less time. */
function limitsOf({ caseMs, loadMs }, cases) {
  if (!cases.some(c => c.message === outOfTime)) return {};
  return { caseMs: Math.min(caseMs, shortCaseMs), loadMs: Math.min(loadMs, shortCaseMs) };
}

/**
 * A job. If all cases are wanted, a case that never ends, or that ends the thread, fails, and the
 * others run without it.
 */
async function runJob(job) {
  place(job.files);
  const all = {
    id: job.id,
    cases: [],
    coverage: [],
    ended: 'done',
    cpuMs: 0,
    slowestMs: 0,
    why: '',
  };
  for (let late = 0; late <= mostLate; late++) {
    const skip = all.cases.map(c => c.id);
    const run = await runOnce({ ...job, ...limitsOf(job, all.cases), skip });
    all.cases = all.cases.concat(run.cases);
    all.coverage = all.coverage.concat(run.coverage);
    all.cpuMs += run.cpuMs;
    all.slowestMs = Math.max(all.slowestMs, run.slowestMs);
    all.ended = run.ended;
    all.points = run.points;
    if (run.ended === 'crash') all.why = state.why;
    if (run.ended === 'done' || run.running === null || job.bail) break;
    const message =
      run.ended === 'time' ? outOfTime : `ended the thread: ${all.why}`.slice(0, 1000);
    all.cases.push({ ...run.running, status: 'failed', message, frames: [] });
  }
  return all;
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    if (job.op === 'open') {
      state.source = job.worker;
      state.flags = job.flags;
      state.script = job.script ?? '';
      say({ id: job.id, node: process.version });
    } else say(await runJob(job));
  }
  process.exit();
}

void main();
