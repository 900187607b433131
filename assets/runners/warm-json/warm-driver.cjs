/**
 * Runs inside the sandbox, between placed-files.cjs, case-ids.cjs and the program of one test runner: reads jobs from standard input
 * and runs them in the project's own runner, which stays open.
 */
const { readdirSync } = require('node:fs');
const { createRequire } = require('node:module');
const { relative, resolve, sep } = require('node:path');
const { createInterface } = require('node:readline');
const { Worker } = require('node:worker_threads');

const root = process.cwd();
const write = process.stdout.write.bind(process.stdout);
// the output of the runner and of tests must not mix with results
process.stdout.write = (_text, ...rest) => {
  rest.find(r => typeof r === 'function')?.();
  return true;
};
const say = answer => write(`${JSON.stringify(answer)}\n`);
const lookMs = 50;
/** A process that holds more than this, and more than twice what its first job took, ends behind a job. */
const leastBytes = 800_000_000;

/** Path below the root folder. */
const below = path => relative(root, path).replaceAll(sep, '/');

/** The processor time of this process and its children, in milliseconds by process id. */
function cpuTimes() {
  const { user, system } = process.cpuUsage();
  const times = new Map([[process.pid, (user + system) / 1000]]);
  let pids = [];
  try {
    pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    // this system has no such folder: only this process counts
  }
  for (const pid of pids) {
    try {
      // the name in parentheses may hold spaces
      const rest = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
      if (Number(rest[1]) === process.pid)
        times.set(Number(pid), (Number(rest[11]) + Number(rest[12])) * 10);
    } catch {
      // the process has ended
    }
  }
  return times;
}

/** Ends this process and its workers; the adapter starts a new one. */
function leave() {
  for (const pid of cpuTimes().keys())
    if (pid !== process.pid)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // the process has ended
      }
  process.kill(process.pid, 'SIGKILL');
}

/** Watches the time of a job; at the limit, this whole process ends, also while a test keeps its thread busy. */
function openWatch() {
  // of the job that runs: its limit of processor time, when it must end, and its number; 0 for none
  const job = new Float64Array(new SharedArrayBuffer(24));
  let jobs = 0;
  const source = `const { readFileSync, readdirSync } = require('node:fs');
${cpuTimes}
${leave}
const job = require('node:worker_threads').workerData;
let seen = 0;
let start = null;
setInterval(() => {
  const [cpuMs, end, number] = job;
  if (number === 0) return;
  if (number !== seen) start = cpuTimes();
  seen = number;
  const late = performance.timeOrigin + performance.now() > end;
  if (late || [...cpuTimes()].some(([pid, ms]) => ms - (start.get(pid) ?? 0) > cpuMs)) leave();
}, ${lookMs});`;
  new Worker(source, { eval: true, workerData: job }).unref();
  return ({ cpuMs, wallMs }) => {
    const start = cpuTimes();
    jobs += 1;
    job.set([cpuMs, performance.timeOrigin + performance.now() + wallMs, jobs]);
    return () => {
      job[2] = 0;
      let sum = 0;
      for (const [pid, ms] of cpuTimes()) sum += ms - (start.get(pid) ?? 0);
      return sum;
    };
  };
}

/** The project's lines on a stack, top first. */
function framesOf(stack) {
  return [...String(stack ?? '').matchAll(/(?:file:\/\/)?(\/[^\s():]+):(\d+)/g)]
    .map(([, path, line]) => ({ path: below(path), line: Number(line) }))
    .filter(f => !/^\.(?:\.|photon-runner)\/|node_modules\//.test(f.path) && f.line > 0)
    .slice(0, 20);
}

/** The cases of a stage by their plain ids; null for all. */
const wantedOf = only =>
  only === null ? null : new Set(only.map(id => id.replace(/ \(\d+\)$/, '')));

/** Makes the ids of cases, as the report of a runner gives them. */
function openIds() {
  const seen = new Map();
  return (file, name) => {
    const plain = plainId(file, name);
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    return count === 1 ? plain : `${plain} (${count})`;
  };
}

/**
 * Serves jobs. `runner.open` gets the first message; `runner.run` gets a stage of a job and the job, and returns the
 * cases, how they ended, the lines that they ran and what they left changed; `runner.changed` gets the paths that a
 * candidate changes.
 */
async function serve(runner) {
  const place = openPlacedFiles(path => runner.changed(resolve(root, path)));
  const watch = openWatch();
  let limits = null;
  let why = '';
  // it loads and compiles everything
  let isFirst = true;
  let most;
  const runJob = async job => {
    if (why !== '') return { id: job.id, cases: [], ended: 'crash', coverage: [], cpuMs: 0, why };
    const { loadMs, cpuMs, wallMs } = job.limits ?? limits;
    const done = watch({ cpuMs: isFirst ? Math.max(loadMs, cpuMs) : cpuMs, wallMs });
    isFirst = false;
    place(job.files);
    const cases = new Map();
    const coverage = [];
    const changed = new Set();
    let ended = 'done';
    for (const stage of job.stages) {
      const result = await runner.run(stage, job);
      const wanted = stage.only === null ? null : new Set(stage.only);
      for (const c of result.cases)
        if (wanted === null || wanted.has(c.id) || c.status !== 'skipped') cases.set(c.id, c);
      coverage.push(...result.coverage);
      for (const name of result.changed ?? []) changed.add(name);
      ended = result.ended;
      if (ended !== 'done' || (job.bail && result.cases.some(c => c.status === 'failed'))) break;
    }
    const all = [...cases.values()];
    const failed = all.some(c => c.status === 'failed');
    // behind the first failure, the runner skips the rest of the file
    const known = job.bail && failed ? all.filter(c => c.status !== 'skipped') : all;
    return { id: job.id, cases: known, ended, coverage, changed: [...changed], cpuMs: done() };
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    if (job.op === 'open') {
      limits = job.limits;
      try {
        await runner.open(job);
      } catch (error) {
        why = String(error?.message ?? error).slice(0, 1000);
      }
      continue;
    }
    const result = await runJob(job);
    const { rss } = process.memoryUsage();
    most ??= Math.max(leastBytes, 2 * rss);
    // runners keep a part of each candidate, and the next one must not find what this one left changed
    const { expected } = job;
    const disturbed = expected && result.changed?.some(name => !expected.includes(name));
    const leaves = rss > most || disturbed;
    if (leaves) place({});
    say({ ...result, leaves });
    if (leaves) break;
  }
  process.exit();
}
