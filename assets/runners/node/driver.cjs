/** Runs inside the sandbox, behind placed-files.cjs: reads jobs from standard input, runs them in a worker thread, and ends endless loops. */
const { createInterface } = require('node:readline');
const { Worker } = require('node:worker_threads');

const lookMs = 20;
const mostLate = 5;
const shortCaseMs = 500;
const outOfTime = 'ran out of time';

/** The first message: the source of the thread, its flags, its limits, and what the tests of the base leave changed in it. */
let options = null;
let worker = null;
/** Why no thread can run, or why the last one ended. */
let why = '';

const say = answer => process.stdout.write(`${JSON.stringify(answer)}\n`);
const place = openPlacedFiles();

function startWorker() {
  // in a function, because tests may replace globals, such as describe
  const started = new Worker(`(() => {${options.worker}\n})();`, {
    eval: true,
    execArgv: options.flags,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  // the output of tests is not read
  started.stdout.resume();
  started.stderr.resume();
  started.on('error', error => {
    why = String(error?.stack ?? error).slice(0, 1000);
  });
  return started;
}

/** The next job starts another one. */
function endWorker() {
  worker?.terminate();
  worker = null;
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * One run of the worker: until it ends, reaches a time limit (processor time of a case or of the job, wall-clock time of
 * a case or of the job), or the code under test ends it.
 */
function runOnce(job) {
  worker ??= startWorker();
  const running = worker;
  const { limits } = job;
  const start = { cpu: cpuMs(), wall: performance.now() };
  const seen = { cases: [], coverage: [], running: null, spent: {}, loadMs: 0, changed: [] };
  let last = start;
  return new Promise(resolve => {
    const finish = ended => {
      clearInterval(timer);
      running.off('message', take);
      running.off('exit', end);
      if (ended !== 'done') endWorker();
      resolve({ ...seen, ended, cpuMs: cpuMs() - start.cpu });
    };
    const take = message => {
      if (message.job !== job.id) return;
      const now = { cpu: cpuMs(), wall: performance.now() };
      if (message.start) start.cpu = now.cpu;
      if (message.begin) seen.running = message.begin;
      if (message.spent) {
        const { id, cpuMs: ms } = message.spent;
        seen.spent[id] = { cpuMs: ms, wallMs: now.wall - last.wall };
      }
      if (message.coverage) seen.coverage.push(message.coverage);
      if (message.case) {
        seen.cases.push(message.case);
        seen.running = null;
      }
      if (!message.spent) last = now;
      if (!message.done) return;
      Object.assign(seen, { loadMs: message.loadMs, changed: message.changed });
      finish('done');
    };
    const end = () => finish('crash');
    const timer = setInterval(() => {
      const now = { cpu: cpuMs(), wall: performance.now() };
      const most = seen.running === null ? limits.loadMs : limits.caseMs;
      const isLate = now.cpu - last.cpu > most || now.cpu - start.cpu > limits.cpuMs;
      const waits = now.wall - last.wall > limits.waitMs || now.wall - start.wall > limits.wallMs;
      if (isLate || waits) finish('time');
    }, lookMs);
    running.on('message', take);
    running.on('exit', end);
    running.postMessage({ ...job, files: undefined });
  });
}

/** A job. If all cases are wanted, a case that never ends, or that ends the thread, fails, and the others run without it. */
async function runJob(job) {
  const all = { id: job.id, cases: [], coverage: [], ended: 'done', cpuMs: 0, spent: {}, why: '' };
  const changed = new Set();
  if (!require('node:module').registerHooks) {
    why = `Node ${process.version} has no module hooks in a thread, which Node 22.15 brought`;
    return { ...all, ended: 'crash', why };
  }
  place(job.files);
  for (let late = 0; late <= mostLate; late++) {
    // after a case reached its limit, the others get less time
    const caseMs = Math.min(options.limits.caseMs, late > 0 ? shortCaseMs : Infinity);
    const limits = { ...options.limits, caseMs };
    const run = await runOnce({ ...job, limits, skip: all.cases.map(c => c.id) });
    all.cases.push(...run.cases);
    all.coverage.push(...run.coverage);
    all.cpuMs += run.cpuMs;
    if (!job.bail) Object.assign(all.spent, run.spent);
    all.loadMs = run.loadMs;
    all.ended = run.ended;
    for (const name of run.changed) changed.add(name);
    if (run.ended === 'crash') all.why = why;
    if (run.ended === 'done' || run.running === null || job.bail) break;
    const message = run.ended === 'time' ? outOfTime : `ended the thread: ${why}`.slice(0, 1000);
    all.cases.push({ ...run.running, status: 'failed', message, frames: [] });
  }
  // the next candidate must not find what this one did to the built-in objects
  if (options.expected && [...changed].some(name => !options.expected.includes(name))) endWorker();
  return { ...all, changed: [...changed] };
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    if (job.op === 'open') options = job;
    else say(await runJob(job));
  }
  process.exit();
}

void main();
