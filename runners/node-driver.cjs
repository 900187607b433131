/** Runs inside the sandbox: takes jobs on standard input, has a worker thread run them, ends what loops. */
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { createInterface } = require('node:readline');
const { Worker } = require('node:worker_threads');

const lookMs = 20;
const state = {
  source: '',
  flags: [],
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
      // the candidate adds it
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

/** Sets the files of a candidate, and those of the one before back. */
function place(files) {
  for (const path of state.placed) if (!(path in files)) put(path, originalOf(path));
  state.placed = new Set(Object.keys(files));
  for (const [path, text] of Object.entries(files)) {
    originalOf(path);
    put(path, text);
  }
}

function startWorker() {
  const worker = new Worker(state.source, {
    eval: true,
    execArgv: state.flags,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  // what tests print is not read
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

/** One job to its end: done, out of time (processor or clock), or ended by the code under test. */
function runJob(job) {
  place(job.files);
  state.worker ??= startWorker();
  const { worker } = state;
  const start = { cpu: cpuMs(), wall: performance.now() };
  return new Promise(resolve => {
    const finish = (answer, keep) => {
      clearInterval(timer);
      worker.off('message', taken);
      worker.off('exit', gone);
      if (!keep) {
        state.worker = null;
        worker.terminate();
      }
      const spent = { cpuMs: cpuMs() - start.cpu, wallMs: performance.now() - start.wall };
      resolve({ id: job.id, ...answer, ...spent });
    };
    const cases = [];
    const taken = message => {
      if (message.job !== job.id) return;
      if (message.case) cases.push(message.case);
      else finish({ cases, ended: 'done', coverage: message.coverage ?? [] }, true);
    };
    const gone = () => finish({ cases, ended: 'crash', why: state.why, coverage: [] }, false);
    const timer = setInterval(() => {
      const late = cpuMs() - start.cpu > job.cpuMs || performance.now() - start.wall > job.wallMs;
      if (late) finish({ cases, ended: 'time', coverage: [] }, false);
    }, lookMs);
    worker.on('message', taken);
    worker.on('exit', gone);
    worker.postMessage({ ...job, files: undefined });
  });
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    if (job.op === 'open') {
      state.source = job.worker;
      state.flags = job.flags;
      say({ id: job.id, node: process.version });
    } else say(await runJob(job));
  }
  process.exit();
}

void main();
